"""What is seen of a case, as plain data: numbers, shapes, names of types, what was raised."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from numbers import Real
from types import FunctionType, ModuleType
from typing import Any

import numpy
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only

from attention_built.cases import Case, Module, Seed, parameters
from attention_built.copies import copied

Seen = dict[str, Any]
KINDS = (type(None), str, bool, list, tuple, dict, set)  # all that comes whole, beside numbers
MANY = 40  # tensor operations: more are a loop
TWO_DEVICES = ("same device,", "expected device")


class Operations(TorchDispatchMode):
    """Counts tensor operations."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += 1
        return func(*args, **(kwargs or {}))


@dataclass(frozen=True)
class Came:
    """What came of a trial: data of which everything else is told."""

    results: list[list[Any]]  # of every call, part by part; tensors without their history
    learns: bool  # whether a part of them asks for gradients
    operations: int
    parameters: list[list[Any]]  # name, shape, which other one it is
    gradients: list[list[torch.Tensor | None]]  # of every part, by every input and parameter


@dataclass(frozen=True)
class Trial:
    """What is done in a case, without a word of what it is for.

    calls: the name ("": the object itself) and the arguments of each. of, device: how the object
    is made that is called. parts: how many results are expected. gradient, counted: whether
    gradients, and operations, are asked for. ask: see ``Case``.
    """

    calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]]
    of: Module | None
    device: str | None
    parts: int
    gradient: bool = False
    counted: bool = False
    ask: Callable[..., Any] | None = None

    @property
    def inputs(self) -> list[torch.Tensor]:
        """The tensors of all calls."""
        given = [value for _, args, kwargs in self.calls for value in (*args, *kwargs.values())]
        return [value for value in given if isinstance(value, torch.Tensor)]

    @property
    def dtype(self) -> torch.dtype | None:
        """In which the object is made where its own says nothing: that of the first numbers."""
        return next((value.dtype for value in self.inputs if value.is_floating_point()), None)

    def carry_out(self, subject: Any) -> Came:
        """Make the object, and the calls, where the subject is, and on the device."""
        kind = subject[-1] if self.of and isinstance(subject, tuple) else subject
        there: Callable[..., Came] | None = getattr(type(kind), "__carry_out__", None)
        if there and not self.ask:
            return there(kind, self, subject)
        return second_device(self, subject) if self.device else self.here(subject)

    def here(self, subject: Any, around: AbstractContextManager[Any] | None = None) -> Came:
        """Make the object, and inside of ``around`` the calls."""
        *takes, kind = subject if self.of and isinstance(subject, tuple) else [subject]
        made, about = self.of.make(kind, self.dtype, self.device) if self.of else (kind, [])
        subject = partial(takes[0], made) if takes else made
        leaves = [value for value in self.inputs if value.requires_grad] if self.gradient else []
        leaves += parameters(made).values() if self.of and self.gradient else ()
        counter = Operations()
        with around or nullcontext(), counter if self.counted else nullcontext():
            results = [self._parts(self._call(subject, *call)) for call in self.calls]
        tensors = [torch.as_tensor(p) for parts in results for p in parts if is_numbers(p)]
        gradients = [_gradients(part, leaves) for part in tensors] if leaves else []
        learns = any(part.requires_grad for part in tensors)
        plain = tree_map_only(torch.Tensor, torch.Tensor.detach, results)
        return Came(plain, learns, counter.count, about, gradients)

    def _call(self, subject: Any, name: str, args: Any, kwargs: Any) -> Any:
        """One step; an attribute that cannot be called is what it gives."""
        if name == "bytes held":
            return bytes_held(subject)
        called = partial(self.ask, subject) if self.ask else subject
        called = getattr(called, name) if name else called
        return called(*args, **kwargs) if callable(called) else called

    def _parts(self, result: Any) -> list[Any]:
        """What a call gave, part by part."""
        tensor = isinstance(result, torch.Tensor) and result.dim() > 0
        several = len(result) == self.parts > 1 if tensor else isinstance(result, (tuple, list))
        parts = list(result) if several else [result]
        return [part[()] if _is_scalar(part) else part for part in parts]


def second_device(trial: Trial, subject: Any) -> Came:
    """Carry out a trial on "meta", with shapes and no numbers. The grader has a better one."""
    moved = tree_map_only(torch.Tensor, lambda tensor: tensor.to("meta"), trial.calls)
    return replace(trial, calls=moved).here(subject)


def observe(subject: Any, case: Case, parts: int = 1) -> Seen:
    """What ``subject``, a student's function, class or values, does in a case.

    parts: how many results are expected; a tensor of so many serves as well as a tuple. An error is
    an observation, but for the untouched stub's, a lack of memory, and what the grader reports.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # to nbgrader, one on stderr is a failed check
            look = _device if case.look == ("device",) else _observe
            return look(subject, case, parts)
    except Exception as error:
        stub = isinstance(error, NotImplementedError) and not str(error)
        of_the_bridge = "sandboxed" in type(error).__module__ and not hasattr(error, "remote_type")
        if stub or of_the_bridge or isinstance(error, MemoryError):
            raise
        kind = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        text = str(error.args[0] if kind is KeyError and error.args else error)
        return {"raised": kind.__name__, "text": text, "error": error}


def _observe(subject: Any, case: Case, count: int) -> Seen:
    trial = _trial(case, count)
    if trial.gradient and not any(value.requires_grad for value in trial.inputs):
        for value in trial.inputs:
            value.requires_grad_(value.is_floating_point())
    before = [(value.detach().clone(), value.requires_grad) for value in trial.inputs]
    came = trial.carry_out(subject)
    results = [part for parts in came.results[-1 if case.last else 0 :] for part in parts]
    if case.then:
        rows = [_row(parts) for parts in came.results]
        results = [case.then(torch.nn.utils.rnn.pad_sequence(rows, True, torch.nan))]
    seen: Seen = {"kinds": [_kind(part) for part in results]}
    parts = [torch.as_tensor(part) for part in results if is_numbers(part)]
    if "dtype" in case.look:
        seen["dtype"] = [str(part.dtype) for part in parts]
    if "values" in case.look:
        seen["shapes"] = [list(part.shape) for part in parts]
        seen["values"] = [_flat(part) for part in parts]
        seen["said"] = [part for part in results if isinstance(part, (str, bool))]
    if trial.counted:
        seen["operations"] = came.operations > MANY
    if "parameters" in case.look:
        seen["parameters"] = {n: f"{tuple(size)}{note}" for n, size, note in came.parameters}
    if came.gradients:
        names = [str(n) for n, value in enumerate(trial.inputs) if value.requires_grad]
        names += [name for name, *_ in came.parameters]
        seen["gradient"] = [
            {name: g if g is None else _flat(g) for name, g in zip(names, part, strict=True)}
            for part in came.gradients
        ]
    if "inputs" in case.look:
        seen["learns"] = came.learns
        pairs = enumerate(zip(trial.inputs, before, strict=True))
        seen["changed"] = [n for n, (now, then) in pairs if not _same_tensor(now, then)]
    return seen


def _trial(case: Case, count: int, device: str | None = None) -> Trial:
    """The trial of a case, on a copy of all that it holds; arguments are new for each call."""
    of, ask = copied((case.of, case.ask))

    def made(value: Any, turn: int) -> Any:
        if isinstance(value, Seed):
            return torch.Generator().manual_seed(value.number + turn)
        return copied(value)

    steps: list[Any] = [(name, args, {}) for name, *args in case.steps]
    turns = () if case.look == ("parameters",) else range(case.calls)
    calls = [
        (
            name,
            tuple(made(value, turn) for value in args),
            {key: made(value, turn) for key, value in kwargs.items()},
        )
        for turn in turns
        for name, args, kwargs in steps or [("", case.args, case.kwargs)]
    ]
    gradient, counted = (look in case.look for look in ("gradient", "operations"))
    return Trial(calls, of, device, count, gradient, counted, ask)


def _device(subject: Any, case: Case, count: int) -> Seen:
    """Where the results are, for inputs on a second device, or that two devices met; None where
    that cannot be told.
    """
    try:
        came = _trial(case, count, "meta").carry_out(subject)
    except (RuntimeError, NotImplementedError) as error:
        if isinstance(error, NotImplementedError) and not str(error):
            raise
        met = any(words in str(error) for words in TWO_DEVICES)
        return {"device": ["two"] if met else None}
    results = [part for parts in came.results for part in parts if type(part) not in KINDS]
    return {"device": [_place(part) for part in results]}


def _place(part: Any) -> str:
    """Where a result lies; a number without a device is at home on every one."""
    if isinstance(part, torch.Tensor):
        return part.device.type
    return "meta" if is_numbers(part) else _kind(part)


def bytes_held(made: Any) -> int:
    """Of all tensors that an object holds, wherever in it they lie."""
    found, known = [made], {id(made)}
    for one in found:  # which grows
        inside = [part for part in gc.get_referents(one) if id(part) not in known]
        found += [part for part in inside if not isinstance(part, (type, ModuleType, FunctionType))]
        known.update(map(id, inside))
    memory = [part.untyped_storage() for part in found if isinstance(part, torch.Tensor)]
    return sum({one.data_ptr(): one.nbytes() for one in memory}.values())


def is_numbers(part: Any) -> bool:
    """Whether a part of a result is a tensor or a number."""
    number = isinstance(part, Real) and not isinstance(part, bool)  # NumPy's, too
    return number or isinstance(part, torch.Tensor)


def _is_scalar(part: Any) -> bool:
    """Whether this is a NumPy array without axes: as good as its number."""
    return isinstance(part, numpy.ndarray) and part.ndim == 0


def _kind(part: Any) -> str:
    """What came: a tensor of one number is as good as a number. The name of a class says nothing:
    whoever writes one may call it "tensor".
    """
    if not is_numbers(part):
        name = "nothing" if part is None else type(part).__name__
        return name if type(part) in KINDS else f"an object of class {name}"
    return "tensor" if isinstance(part, torch.Tensor) and part.dim() else "number"


def _flat(tensor: torch.Tensor) -> list[float]:
    return list(tensor.detach().to(torch.float64).reshape(-1).tolist())


def _same_tensor(now: torch.Tensor, before: tuple[torch.Tensor, bool]) -> bool:
    then, learns = before
    same = now.shape == then.shape and now.requires_grad == learns
    return same and torch.equal(*(x.nan_to_num(0, torch.inf, -torch.inf) for x in (now, then)))


def _gradients(part: torch.Tensor, leaves: list[torch.Tensor]) -> list[torch.Tensor | None]:
    """Of the sum of a result's squares, by every leaf; None for one that it does not reach."""
    if not part.requires_grad:
        return [None for _ in leaves]
    number: Callable[..., Any] = torch.autograd.grad
    return list(number(part.square().sum(), leaves, allow_unused=True, retain_graph=True))


def _row(parts: list[Any]) -> torch.Tensor:
    """The one result of a call. Raises TypeError where it gave something else."""
    if len(parts) != 1 or not is_numbers(parts[0]):
        raise TypeError(f"one result is expected, got {', '.join(_kind(part) for part in parts)}")
    return torch.atleast_1d(torch.as_tensor(parts[0], dtype=torch.float64))
