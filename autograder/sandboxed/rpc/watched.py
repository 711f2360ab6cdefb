"""Tensors and modules that are looked at again and again, to see whether they changed.

Version counters would not do: they miss what is written through ``.data`` or NumPy. As long as a
tensor lies where it did it is looked at through a view of its memory that was kept.
"""

import weakref
from collections.abc import Callable, Mapping, Set
from itertools import chain
from operator import attrgetter
from typing import Any

import torch
from torch import nn

from .tensors import fingerprint

BASE: Any = torch._C.TensorBase  # its descriptors are the fast road to what a tensor says of itself
PLACE: list[Callable[[torch.Tensor], Any]] = [
    BASE.data_ptr,
    BASE.shape.__get__,
    BASE.stride,
    BASE.dtype.__get__,
]
NOTHING = b""  # what a tensor without values holds


class Watched:
    """One tensor, or whatever takes its place."""

    def __init__(self) -> None:
        self.memory: Any = None  # a view of it, if there can be one
        self._place: list[Any] = []  # where it lay then, and how
        self._about: tuple[Any, ...] = ()  # the part of its fingerprint that lies in the place

    def fingerprint(self, tensor: torch.Tensor) -> tuple[Any, ...]:
        """``fingerprint(tensor)``, in a fifth of the time."""
        if self.memory is None or self._place != [look(tensor) for look in PLACE]:
            return self._look(tensor)
        if self.memory is NOTHING:
            return self._about
        return (*self._about, hash(self.memory.tobytes()))

    def _look(self, tensor: torch.Tensor) -> tuple[Any, ...]:
        known, self.memory = fingerprint(tensor), None
        if type(tensor) in (torch.Tensor, torch.nn.Parameter):
            self._about, self.memory = known[:3], _view(tensor)
            self._place = [look(tensor) for look in PLACE] if self.memory is not None else []
        return known


def _view(tensor: torch.Tensor) -> Any:
    """A NumPy array on the memory of a tensor, or None where there can be none."""
    if tensor.layout is not torch.strided or tensor.is_complex() or tensor.is_neg():
        return None
    if tensor.device.type == "meta" or not tensor.numel():
        return NOTHING
    if tensor.device.type != "cpu":
        return None
    data = tensor.detach()
    if data.dtype is not torch.bfloat16:
        return data.numpy()
    return data.view(torch.uint8).numpy() if data.dim() and data.is_contiguous() else None


class UnchangedTensors:
    """Many tensors with their gradients: one look at all tells whether none of them changed, in a
    third of the time of a look at each.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._numbers: Set[int] = frozenset()
        self._before: Any = None
        self._memory: list[Any] = []

    def still(self, tensors: Mapping[int, torch.Tensor]) -> Set[int]:
        """Numbers of the tensors that are as they were when they were remembered; none, where one
        of those changed or is gone.
        """
        if self._numbers <= tensors.keys():
            if self._before == self._look([tensors[number] for number in self._numbers]):
                return self._numbers
        return frozenset()

    def remember(
        self,
        tensors: Mapping[int, torch.Tensor],
        values: Mapping[int, Watched],
        gradients: Mapping[int, Watched],
    ) -> None:
        """values, gradients: which have looked at these tensors, by the same numbers."""
        self.forget()
        if not all(map(BASE.is_leaf.__get__, tensors.values())):
            return  # what is no leaf has no gradient that one may ask for
        with_gradient = [n for n, tensor in tensors.items() if tensor.grad is not None]
        kept = [values[n].memory for n in tensors] + [gradients[n].memory for n in with_gradient]
        if all(memory is NOTHING or _can_be_joined(memory) for memory in kept):
            self._numbers, self._memory = dict.fromkeys(tensors).keys(), kept
            self._before = self._look([*tensors.values()])

    def _look(self, tensors: list[torch.Tensor]) -> tuple[Any, ...]:
        found = [*map(BASE.grad.__get__, tensors)]
        everything = [*tensors, *(gradient for gradient in found if gradient is not None)]
        return (
            [gradient is None for gradient in found],
            [*map(BASE.requires_grad.__get__, everything)],
            [[*map(look, everything)] for look in PLACE],
            hash(b"".join(self._memory)),
        )


def _can_be_joined(memory: Any) -> bool:
    return memory is not None and memory.flags.c_contiguous


TABLES = [attrgetter(name) for name in ("_parameters", "_buffers", "_modules")]


def _held(modules: list[nn.Module]) -> list[Any]:
    """What the layout of modules is made of, by identity.

    As long as both sides know a layout all of it is alive, so that no other object can have come
    in the place of one.
    """
    tables = [table for find in TABLES for table in map(find, modules)]
    return [
        [*map(attrgetter("training"), modules)],
        [*map(len, tables)],
        [*chain.from_iterable(tables)],
        [*map(id, chain.from_iterable(map(dict.values, tables)))],
        [*map(frozenset, map(attrgetter("_non_persistent_buffers_set"), modules))],
    ]


class UnchangedModules:
    """Many modules: one look at all tells whether the structure of none of them changed, in less
    time than a look at each takes.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._modules: dict[int, weakref.ref[nn.Module]] = {}
        self._before: Any = None

    def still(self, numbers: Set[int]) -> Set[int]:
        """Which of the modules of these numbers are as they were when they were remembered; none,
        where one of those changed or is gone.
        """
        if self._modules.keys() <= numbers:
            modules = [module for find in self._modules.values() if (module := find()) is not None]
            if len(modules) == len(self._modules) and self._before == _held(modules):
                return self._modules.keys()
        return frozenset()

    def remember(self, modules: Mapping[int, nn.Module]) -> None:
        self._modules = {number: weakref.ref(module) for number, module in modules.items()}
        self._before = _held([*modules.values()])
