"""What a student's call does to tensors, told to the dispatch modes of a check.

A ``TorchDispatchMode`` of a check cannot look into another process. The other side reports which
tensors were made there, and tensors of the same size, dtype and device are made here under the
mode. So what the mode sees is what the student's process says of itself: good for naming a mistake
and for honest work, no proof against a forger.
"""

import contextlib
import math
import weakref
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.weak import WeakTensorKeyDictionary

from .failures import BridgeError
from .tensors import DTYPES, NAMES

MOST_RECORDED = 10_000
MET, MOVED = "met", "moved"  # mark records of tensors of two devices
MOVES = {"aten::copy_", "aten::_to_copy"}
INDEXES = {"aten::index", "aten::index_put_", "aten::index_put", "aten::_index_put_impl_"}
OF_DATA = (torch.tensor, torch.as_tensor, torch.asarray)
OF_NUMBERS = (torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.__array__)
MOST_ALIVE = 4 << 30  # bytes of tensors that are alive at a time where a record is replayed


class Recorder(TorchDispatchMode):
    """Notes the tensors that operations make: size, dtype, device, and whether they only look at
    another's memory; and where devices change: the sizes of tensors of the CPU that meet one of
    "meta", as a GPU would not let them, and of those of "meta" that are to move to the CPU.
    """

    def __init__(self, twins: bool) -> None:
        super().__init__()
        self.made: list[Any] = []
        self.twins = WeakTensorKeyDictionary() if twins else None

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        args, kwargs = self._taken_by_a_gpu(operation, args, kwargs or {})
        given = [value for value in tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
        for what, size in _between_devices(operation, args, kwargs, given):
            if len(self.made) < MOST_RECORDED:
                self.made.append([what, size])
        result = self._perform(operation, args, kwargs)
        for value in tree_leaves(result):
            if (
                isinstance(value, torch.Tensor)
                and not any(value is other for other in given)
                and len(self.made) < MOST_RECORDED
            ):
                view = value._is_view() or any(_same_memory(value, other) for other in given)
                self.made.append(
                    [list(value.shape), NAMES.get(value.dtype, "float32"), value.device.type, view]
                )
                if not view:
                    memory, number = value.untyped_storage(), len(self.made) - 1
                    weakref.finalize(memory, self._freed, number).atexit = False
        return result

    def _perform(self, operation: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        """The result. Where tensors go to "meta" by default, the same is done beside it with
        numbers, the twins, so that what is made there can be moved to the CPU, as from a GPU.
        """
        if self.twins is None:
            return operation(*args, **kwargs)
        try:
            plain_args, plain_kwargs = tree_map(self._twin, (args, kwargs))
        except KeyError:  # an input that came without numbers
            return operation(*args, **kwargs)
        numbers, name = operation(*plain_args, **plain_kwargs), operation._schema.name
        leaves = name == "aten::_to_copy" and str(kwargs.get("device")) == "cpu"
        if leaves or name == "aten::_local_scalar_dense":
            return numbers
        result = operation(*args, **kwargs)
        for one, other in zip(tree_leaves(result), tree_leaves(numbers), strict=True):
            if isinstance(one, torch.Tensor) and one.device.type == "meta":
                self.twins[one] = other
        return result

    def _twin(self, value: Any) -> Any:
        away = isinstance(value, torch.Tensor) and value.device.type == "meta"
        if away and self.twins is not None:
            return self.twins[value]
        meta = isinstance(value, torch.device) and value.type == "meta"
        return torch.device("cpu") if meta else value

    def _taken_by_a_gpu(self, operation: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments; where they meet tensors of the CPU, indices and single numbers of "meta"
        are their twins, as a GPU takes those of the CPU.
        """
        if self.twins is None:
            return args, kwargs
        if operation._schema.name in INDEXES and args[0].device.type == "cpu":
            args = (args[0], tree_map(self._number, args[1]), *args[2:])
        given = [value for value in tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
        away = [value for value in given if value.device.type == "meta"]
        if len(away) == len(given) or any(value.dim() for value in away):
            return args, kwargs
        return tree_map(self._number, (args, kwargs))

    def _number(self, value: Any) -> Any:
        if self.twins is None or not isinstance(value, torch.Tensor):
            return value
        return self.twins.get(value, value)

    def _freed(self, number: int) -> None:
        """Note that the last tensor on a memory made here is gone, by the number of its record."""
        if len(self.made) < MOST_RECORDED:
            self.made.append([number])


class NumbersElsewhere(TorchFunctionMode):
    """While tensors go to "meta" by default, as to the CPU beside a GPU: notes as twins the
    numbers of what is made of a list, or moved to "cpu" by that name, and hands them out.

    What is made of a tensor stays where that is, as without a default.
    """

    def __init__(self, twins: WeakTensorKeyDictionary) -> None:
        super().__init__()
        self.twins = twins

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs, twins = kwargs or {}, self.twins
        if function in OF_DATA and kwargs.get("device") is None:
            data = args[0] if args else kwargs.get("data")
            if isinstance(data, torch.Tensor):
                return function(*args, **{**kwargs, "device": data.device})
            made = function(*args, **kwargs)
            with _disable_current_modes():
                twins[made] = function(*args, **{**kwargs, "device": "cpu"})
            return made
        if _leaves_a_gpu(function, args, kwargs) and args[0].device.type == "cpu":
            numbers = function(*args, **kwargs)
            made = numbers.to("meta")
            twins[made] = numbers
            return made
        if function in OF_NUMBERS and args[0] in twins:
            return function(twins[args[0]], *args[1:], **kwargs)
        return function(*args, **kwargs)


def _leaves_a_gpu(function: Any, args: Any, kwargs: dict[str, Any]) -> bool:
    places = [value for value in (*args[1:], kwargs.get("device")) if isinstance(value, str)]
    return function is torch.Tensor.cpu or (function is torch.Tensor.to and "cpu" in places)


def _between_devices(
    operation: Any, args: Any, kwargs: dict[str, Any], given: list[torch.Tensor]
) -> list[tuple[str, list[int]]]:
    """(MET or MOVED, size) for the tensors that are where the others are not."""
    if all(value.device.type == "cpu" for value in given):
        return []
    name = operation._schema.name
    if name in MOVES:
        out = "cpu" in (args[0].device.type, str(kwargs.get("device")))
        return [(MOVED, list(given[-1].shape))] if out else []
    if name in INDEXES:  # by numbers that may lie on the CPU
        given = [value for value in (args[0], *args[2:]) if isinstance(value, torch.Tensor)]
    return [
        (MET, list(value.shape)) for value in given if value.dim() and value.device.type == "cpu"
    ]


def _same_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    return (
        one.device.type == "cpu" == other.device.type
        and one.numel() > 0
        and one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
    )


def replay(made: Any) -> None:
    """Make, under the modes that are active here, tensors like those that were made there."""
    if not isinstance(made, list) or len(made) > MOST_RECORDED:
        raise BridgeError("a record of tensors came in a form that makes no sense")
    # number of a record -> its tensor, until it was freed there
    alive: dict[int, torch.Tensor] = {}
    seeds: dict[Any, torch.Tensor] = {}  # what a view is a view of
    held = 0
    with torch.no_grad():
        for place, record in enumerate(made):
            if isinstance(record, list) and len(record) == 1 and type(record[0]) is int:
                freed = alive.pop(record[0], None)
                held -= 0 if freed is None else freed.nbytes
                continue
            if isinstance(record, list) and len(record) == 2 and record[0] in (MET, MOVED):
                _between(*record)
                continue
            size, dtype, device, view = record
            if (
                dtype not in DTYPES
                or device not in ("cpu", "meta")
                or not all(type(n) is int and 0 <= n < 1 << 40 for n in size)
            ):
                raise BridgeError("a record of tensors came in a form that makes no sense")
            if view is True:
                if (dtype, device) not in seeds:
                    with _disable_current_modes():
                        seeds[dtype, device] = torch.empty((), dtype=DTYPES[dtype], device=device)
                seeds[dtype, device].expand(size)
            else:
                held += math.prod(size) * DTYPES[dtype].itemsize if device == "cpu" else 0
                if held > MOST_ALIVE:
                    raise BridgeError("the answer held more memory at a time than can be replayed")
                alive[place] = torch.empty(size, dtype=DTYPES[dtype], device=device)


def _between(what: str, size: Any) -> None:
    """An operation between a tensor of that size on the CPU and one of "meta", under the modes."""
    if not isinstance(size, list) or not all(type(n) is int and 0 <= n < 1 << 40 for n in size):
        raise BridgeError("a record of tensors came in a form that makes no sense")
    with _disable_current_modes():
        here, there = (torch.empty((), device=where).expand(size) for where in ("cpu", "meta"))
    with contextlib.suppress(RuntimeError, NotImplementedError):  # for the devices, as is meant
        if what == MET:
            torch.mul(there, here)
        else:
            there.to("cpu")
