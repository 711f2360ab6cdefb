"""Copies for trials: what an answer is given, it may change, and nothing else changes with it."""

from __future__ import annotations

import copy
from functools import partial
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

Known = dict[int, tuple[Any, Any]]  # id -> the object, which lives as long as its id, and its copy
NOTEBOOK = "__main__"
PLAIN = (type(None), int, float, str, bytes, torch.Size, torch.dtype, type, ModuleType)


def copied(value: Any, known: Known | None = None) -> Any:
    """A copy that shares nothing that can be changed with ``value``: tensors, containers, objects,
    and functions with what they hold or, in a notebook, name. Classes, modules, what stands for an
    object of another process, and what cannot be copied, such as a generator that runs, stay.
    """
    known = {} if known is None else known
    if id(value) in known:
        return known[id(value)][1]
    if isinstance(value, PLAIN) or hasattr(type(value), "__carry_out__"):
        return value
    if isinstance(value, FunctionType):
        return _function(value, known)
    if isinstance(value, (tuple, frozenset)):
        kind: Any = type(value)
        parts = [copied(part, known) for part in value]
        return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
    if isinstance(value, MethodType):
        return MethodType(copied(value.__func__, known), copied(value.__self__, known))
    if isinstance(value, partial):
        args, kwargs = copied((value.args, value.keywords), known)
        return partial(copied(value.func, known), *args, **kwargs)
    made = _alone(value)
    known[id(value)] = value, made  # before what is in it, which may refer to it
    if isinstance(value, torch.Tensor) or made is value:
        return made
    if isinstance(value, (list, set)):
        made.clear()
        fill = made.extend if isinstance(value, list) else made.update
        fill([copied(part, known) for part in value])
    elif isinstance(value, dict):
        made.clear()
        made.update({copied(key, known): copied(part, known) for key, part in value.items()})
    for name, part in getattr(value, "__dict__", {}).items():
        vars(made)[name] = copied(part, known)
    return made


def _alone(value: Any) -> Any:
    """A new object for one, whose parts are still the old ones; itself, where that cannot be."""
    if isinstance(value, torch.Generator):
        return torch.Generator(value.device).set_state(value.get_state())
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    try:
        return copy.copy(value)
    except (TypeError, copy.Error):
        return value


def _tensor(value: torch.Tensor) -> torch.Tensor:
    """The same numbers, as they lie in memory, without a history."""
    old = value.detach()
    old = old.clone() if 0 in old.stride() else old  # numbers may share a place
    made = torch.empty_strided(old.shape, old.stride(), dtype=old.dtype, device=old.device)
    made.copy_(old)
    if isinstance(value, torch.nn.Parameter):
        return torch.nn.Parameter(made, value.requires_grad)
    return made.requires_grad_(value.requires_grad)


def _function(value: FunctionType, known: Known) -> FunctionType:
    """The same code over copies of what it holds and, where it was written in a notebook, names."""
    around = value.__globals__
    if around.get("__name__") == NOTEBOOK:
        around = known.setdefault(id(around), (around, dict(around)))[1]
    cells = tuple(CellType() for _ in value.__closure__ or ())
    made = FunctionType(value.__code__, around, value.__name__, None, cells or None)
    known[id(value)] = value, made
    for cell, old in zip(cells, value.__closure__ or (), strict=True):
        try:
            cell.cell_contents = copied(old.cell_contents, known)
        except ValueError:  # nothing is in it yet
            continue
    made.__defaults__ = copied(value.__defaults__, known)
    made.__kwdefaults__ = copied(value.__kwdefaults__, known)
    made.__module__, made.__qualname__ = value.__module__, value.__qualname__
    made.__dict__.update(copied(value.__dict__, known))
    if around is not value.__globals__:
        for name in _names(value.__code__) & value.__globals__.keys():
            around[name] = copied(value.__globals__[name], known)
    return made


def _names(code: CodeType) -> set[str]:
    """What a function's code, and functions in it, may mean by a name of the notebook."""
    inside = [part for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*map(_names, inside))
