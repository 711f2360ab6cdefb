"""A second device that takes and refuses what a GPU does, made of the device "meta".

"meta" holds shapes without numbers, says nothing where some operations meet tensors of the CPU, and
cannot carry out what depends on numbers. Such a call is tried the other way round: inputs on the
CPU, and what is made without a device goes to "meta", with its numbers beside it, and meets them
there.

A tensor that is made on the CPU and moved, a single number of the CPU, and indices of the CPU are
right, as beside a GPU.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map, tree_map_only
from torch.utils.weak import WeakTensorKeyDictionary

from attention_built.looks import TWO_DEVICES, Came, Trial

INDEXES = ("index", "index_put", "index_put_impl")
MOVES = ("copy", "to_copy")
OF_DATA = (torch.tensor, torch.as_tensor, torch.asarray)
OF_NUMBERS = (torch.Tensor.tolist, torch.Tensor.numpy, torch.Tensor.__array__)


def carry_out(trial: Trial, subject: Any) -> Came:
    """Carry out a trial on the second device; of results only the device means something. Raises
    RuntimeError, with the words for it, where two devices meet.
    """
    meetings = Meetings(None)
    try:
        away = tree_map_only(torch.Tensor, lambda tensor: tensor.to("meta"), trial.calls)
        came = replace(trial, calls=away).here(subject, meetings)
    except (RuntimeError, NotImplementedError) as error:
        if meetings.found or any(words in str(error) for words in TWO_DEVICES):
            raise _two(error) from error
        # what an ask makes itself would be made elsewhere, too; who was called back knows its error
        if trial.ask or hasattr(error, "remote_type"):
            raise
        return _the_other_way_round(trial, subject)
    return _unless_met(came, meetings)


def _the_other_way_round(trial: Trial, subject: Any) -> Came:
    meetings = Meetings(WeakTensorKeyDictionary())
    home = replace(trial, calls=tree_map(_at_home, trial.calls), device=None)
    try:
        came = home.here(subject, _made_elsewhere(meetings))
    except (RuntimeError, NotImplementedError) as error:
        if "cannot be called on meta" in str(error) and not meetings.found:
            raise  # it asked for a number, which a GPU would tell
        home.here(subject)  # what fails here too is no matter of devices
        raise _two(error) from error
    right, wrong = torch.empty(0, device="meta"), torch.empty(0)

    def seen_from_there(part: Any) -> Any:
        tensor = isinstance(part, torch.Tensor)
        return (wrong if part.device.type == "meta" else right) if tensor else part

    turned = [[seen_from_there(part) for part in parts] for parts in came.results]
    return _unless_met(replace(came, results=turned), meetings)


def _at_home(value: Any) -> Any:
    named = isinstance(value, (str, torch.device)) and str(value) == "meta"
    return "cpu" if named else value


@contextmanager
def _made_elsewhere(meetings: "Meetings") -> Iterator[None]:
    with torch.device("meta"), Made(meetings.twins), meetings:
        yield


def _unless_met(came: Came, meetings: "Meetings") -> Came:
    """What came, where that is wrong already, or nothing met on the way."""
    parts = [part for parts in came.results for part in parts if isinstance(part, torch.Tensor)]
    if meetings.found and all(part.device.type == "meta" for part in parts):
        raise _two(f"a tensor of shape {meetings.found[0]}")
    return came


def _two(about: object) -> RuntimeError:
    return RuntimeError(f"not all tensors are on the {TWO_DEVICES[0]} {about}")


class Meetings(TorchDispatchMode):
    """Notes the shapes of tensors of the CPU, with axes, that meet one of "meta".

    twins: {tensor on "meta": the same with numbers}, where there are any. The same is done with
    them, so that what is made on "meta" can be moved to the CPU, as from a GPU.
    """

    def __init__(self, twins: Any) -> None:
        super().__init__()
        self.twins = twins
        self.found: list[tuple[int, ...]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__.strip("_")
        args, kwargs = self._taken_by_a_gpu(name in INDEXES, args, kwargs or {})
        given = _tensors((args, kwargs))
        if name not in MOVES and any(tensor.device.type == "meta" for tensor in given):
            meeting = _tensors([args[0], *args[2:]]) if name in INDEXES else given
            self.found += [
                tuple(one.shape) for one in meeting if one.dim() and one.device.type == "cpu"
            ]
        if self.twins is None:
            return func(*args, **kwargs)
        return self._beside_numbers(func, name, args, kwargs)

    def _taken_by_a_gpu(self, indexes: bool, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments; where they meet tensors of the CPU, indices and single numbers of "meta"
        are their twins.
        """
        if self.twins is None:
            return args, kwargs
        if indexes and args[0].device.type == "cpu":
            args = (args[0], tree_map(self._number, args[1]), *args[2:])
        given = _tensors((args, kwargs))
        away = [tensor for tensor in given if tensor.device.type == "meta"]
        alone = len(away) == len(given) or any(tensor.dim() for tensor in away)
        return (args, kwargs) if alone else tree_map(self._number, (args, kwargs))

    def _number(self, value: Any) -> Any:
        return self.twins.get(value, value) if isinstance(value, torch.Tensor) else value

    def _beside_numbers(self, func: Any, name: str, args: Any, kwargs: Any) -> Any:
        """The result on "meta"; of what leaves "meta", that of the twins."""
        try:
            numbers = func(*tree_map(self._twin, args), **tree_map(self._twin, kwargs))
        except KeyError:
            return func(*args, **kwargs)
        leaves = name == "to_copy" and str(kwargs.get("device")) == "cpu"
        if leaves or name == "local_scalar_dense":
            return numbers
        result = func(*args, **kwargs)
        for one, other in zip(tree_leaves(result), tree_leaves(numbers), strict=True):
            if isinstance(one, torch.Tensor) and one.device.type == "meta":
                self.twins[one] = other
        return result

    def _twin(self, value: Any) -> Any:
        if isinstance(value, torch.Tensor) and value.device.type == "meta":
            return self.twins[value]
        meta = isinstance(value, torch.device) and value.type == "meta"
        return torch.device("cpu") if meta else value


class Made(TorchFunctionMode):
    """Notes the numbers of what is made of a list on "meta", or moved to "cpu" by that name, as
    twins, and hands them out.
    """

    def __init__(self, twins: Any) -> None:
        super().__init__()
        self.twins = twins

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs, twins = kwargs or {}, self.twins
        if func in OF_DATA and kwargs.get("device") is None:
            data = args[0] if args else kwargs.get("data")
            if isinstance(data, torch.Tensor):
                return func(*args, **{**kwargs, "device": data.device})
            made = func(*args, **kwargs)
            twins[made] = func(*args, **{**kwargs, "device": "cpu"})
            return made
        places = [value for value in (*args[1:], kwargs.get("device")) if isinstance(value, str)]
        leaves = func is torch.Tensor.cpu or (func is torch.Tensor.to and "cpu" in places)
        if leaves and args[0].device.type == "cpu":  # from a GPU, seen the other way round
            numbers = func(*args, **kwargs)
            made = numbers.to("meta")
            twins[made] = numbers
            return made
        if func in OF_NUMBERS and args[0] in twins:
            return func(twins[args[0]], *args[1:], **kwargs)
        return func(*args, **kwargs)


def _tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor)]
