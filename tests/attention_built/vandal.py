"""An answer that changes all that it is given, however deep it lies, and gives what only looks like
a result.
"""

import functools
import inspect
import sys
from types import FunctionType, GeneratorType

import torch
from torch import nn

from attention_built.looks import Trial


class tensor:  # noqa: N801  the name is the trick
    """Has no numbers."""


def spoil(value, known=None):
    """Change all that can be reached from a value."""
    known = {} if known is None else known
    if id(value) in known or isinstance(value, (type, str)):
        return
    known[id(value)] = value
    if isinstance(value, torch.Tensor):
        value.detach().zero_()
    for part in _parts(value):
        spoil(part, known)
    if isinstance(value, (list, dict, set)):
        value.clear()


def _parts(value):
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, set)):
        return list(value)
    if isinstance(value, functools.partial):
        return [value.func, value.args, value.keywords]
    if isinstance(value, FunctionType):
        held = [cell.cell_contents for cell in value.__closure__ or ()]
        return [held, value.__defaults__, value.__kwdefaults__]
    if isinstance(value, GeneratorType):
        return [dict(value.gi_frame.f_locals)] if value.gi_frame else []
    if isinstance(value, nn.Module):
        return list(value.parameters())
    return list(vars(value).values()) if hasattr(value, "__dict__") else []


def spoil_around():
    """Change what frames hold, up to the one that carries out a trial: all that is on a student's
    side where the trial has no conversation.
    """
    frame = sys._getframe(1)  # noqa: SLF001
    while frame and not isinstance(frame.f_locals.get("self"), Trial):
        frame = frame.f_back
    if frame and frame.f_code.co_name in ("here", "_call") and not frame.f_locals["self"].ask:
        trial = frame.f_locals["self"]
        spoil([trial.calls, trial.of and [trial.of.args, trial.of.options, trial.of.weights]])


def vandal(subject, layers=True):
    """In the place of an answer's function, class or values. layers: a module has its own."""
    if isinstance(subject, tuple):
        return tuple(vandal(one, layers) for one in subject)
    if isinstance(subject, type) and issubclass(subject, nn.Module):
        return _module(subject) if layers else Empty
    if inspect.isroutine(subject) or isinstance(subject, type):
        return _function
    return tensor()


def _function(*args, **kwargs):
    spoil([args, kwargs])
    spoil_around()
    return tensor()


class Empty(nn.Module):
    """Has no layers."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        spoil([args, kwargs])

    def forward(self, *args, **kwargs):
        return _function(*args, **kwargs)


def _module(kind):
    class Vandal(kind):
        def forward(self, *args, **kwargs):
            return _function(*args, **kwargs)

    return Vandal
