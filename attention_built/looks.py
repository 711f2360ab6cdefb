"""What is seen of a case, as plain data: numbers, shapes, names of types, what was raised."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from attention_built.cases import Case, Seed

Seen = dict[str, Any]
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


def observe(subject: Any, case: Case, parts: int = 1) -> Seen:
    """What ``subject``, a student's function, class or values, does in a case.

    parts: how many results are expected; a tensor of so many serves as well as a tuple. An error of
    theirs is an observation. Raised are what the untouched stub raises, a lack of
    memory, and what the grader itself reports.
    """
    try:
        look = _device if case.look == ("device",) else _observe
        return look(subject, case, parts)
    except Exception as error:
        stub = isinstance(error, NotImplementedError) and not str(error)
        if stub or isinstance(error, MemoryError) or _of_the_grader(error):
            raise
        kind = next(c for c in type(error).__mro__ if c.__module__ == "builtins")
        return {"raised": kind.__name__, "text": str(error), "error": error}


def _of_the_grader(error: Exception) -> bool:
    """Whether the bridge to the student's process raised it, not the student."""
    return "sandboxed" in type(error).__module__ and not hasattr(error, "remote_type")


def _observe(subject: Any, case: Case, count: int) -> Seen:
    args = _copied(case.args)
    kwargs = dict(zip(case.kwargs, _copied(case.kwargs.values()), strict=True))
    inputs = [value for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
    floats = [value for value in inputs if value.is_floating_point()]
    if case.of:
        subject = case.of.make(subject, floats[0] if floats else None)
    leaves = []
    if "gradient" in case.look:
        leaves = [value for value in floats if value.requires_grad]
        leaves = leaves or [value.requires_grad_() for value in floats]
        leaves += [getattr(subject, name).weight for name in (case.of.weights if case.of else ())]
    before = [(value.detach().clone(), value.requires_grad) for value in inputs]
    counter = Operations() if "operations" in case.look else None
    with counter or nullcontext():
        results = _results(subject, case, args, kwargs, count)
    seen: Seen = {"kinds": [_kind(part) for part in results]}
    parts = [torch.as_tensor(part) for part in results if _is_numbers(part)]
    if "dtype" in case.look:
        seen["dtype"] = [str(part.dtype) for part in parts]
    if "values" in case.look:
        seen["shapes"] = [list(part.shape) for part in parts]
        seen["values"] = [_flat(part) for part in parts]
        seen["said"] = [part for part in results if isinstance(part, (str, bool))]
    if counter:
        seen["operations"] = counter.count > MANY
    if leaves:
        seen["gradient"] = [_gradients(part, leaves) for part in parts]
    if "inputs" in case.look:
        seen["learns"] = any(part.requires_grad for part in parts)
        pairs = enumerate(zip(inputs, before, strict=True))
        seen["changed"] = [n for n, (now, then) in pairs if not _same_tensor(now, then)]
    return seen


def _results(
    subject: Any, case: Case, args: tuple[Any, ...], kwargs: dict[str, Any], count: int
) -> list[Any]:
    """What a call gives, part by part."""
    result = case.ask(subject, *args, **kwargs) if case.ask else subject(*args, **kwargs)
    several = isinstance(result, torch.Tensor) and result.dim() and len(result) == count > 1
    return list(result) if several or isinstance(result, (tuple, list)) else [result]


def _copied(values: Any) -> tuple[Any, ...]:
    """Arguments for one call: what a call could change is new."""

    def copy(value: Any) -> Any:
        if isinstance(value, Seed):
            return torch.Generator().manual_seed(value.number)
        if not isinstance(value, torch.Tensor):
            return value
        made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
        return made.copy_(value.detach()).requires_grad_(value.requires_grad)

    return tuple(copy(value) for value in values)


def _device(subject: Any, case: Case, count: int) -> Seen:
    """Where the results are, for inputs on "meta": a second device, with shapes and no numbers.

    Two devices that meet are seen; where "meta" cannot do what a GPU can, nothing is.
    """
    args, kwargs = _copied(case.args), case.kwargs
    floats = [value for value in args if isinstance(value, torch.Tensor)]
    try:
        if case.of:
            subject = case.of.make(subject, floats[0], "meta")
        there = [v.to("meta") if isinstance(v, torch.Tensor) else v for v in args]
        results = _results(subject, case, tuple(there), kwargs, count)
    except (RuntimeError, NotImplementedError) as error:
        if isinstance(error, NotImplementedError) and not str(error):
            raise
        met = any(words in str(error) for words in TWO_DEVICES)
        return {"device": ["two"] if met else None}
    return {"device": [part.device.type for part in results if isinstance(part, torch.Tensor)]}


def _is_numbers(part: Any) -> bool:
    return isinstance(part, torch.Tensor) or (
        isinstance(part, (int, float)) and not isinstance(part, bool)
    )


def _kind(part: Any) -> str:
    """What came: a tensor of one number is as good as a number."""
    if not _is_numbers(part):
        return "nothing" if part is None else type(part).__name__
    return "tensor" if isinstance(part, torch.Tensor) and part.dim() else "number"


def _flat(tensor: torch.Tensor) -> list[float]:
    flat: list[float] = tensor.detach().to(torch.float64).reshape(-1).tolist()
    return flat


def _same_tensor(now: torch.Tensor, before: tuple[torch.Tensor, bool]) -> bool:
    then, learns = before
    same = now.shape == then.shape and now.requires_grad == learns
    return same and torch.equal(now.nan_to_num(), then.nan_to_num())


def _gradients(part: torch.Tensor, leaves: list[torch.Tensor]) -> list[list[float] | None]:
    """Of the sum of a result's squares, by every leaf; None for one that it does not reach."""
    if not part.requires_grad:
        return [None for _ in leaves]
    number: Callable[..., Any] = torch.autograd.grad
    found = number(part.square().sum(), leaves, allow_unused=True, retain_graph=True)
    return [None if gradient is None else _flat(gradient) for gradient in found]
