"""What one side may ask of the other.

The trusted side may do anything to the student's objects. The student's side may call what a check
handed over, go through it, ask for gradients and read public names of objects that the check made;
nothing that would show their source.
"""

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from . import trials
from .failures import BridgeError
from .references import from_sender

if TYPE_CHECKING:
    from .endpoint import Endpoint


STOP = object()
# of a tensor that the student's side calls something of a check with: a dimension, elements
LONGEST_CALL, LARGEST_CALL = 4096, 1 << 22
# what a check's object may hold that the student's side can read
READABLE: Any = (bool, int, float, str, torch.Tensor, list, tuple, dict, nn.Module)
READABLE += (torch.dtype, torch.device, type(None))


@dataclass(frozen=True)
class Access:
    """What the student's side may read of objects of classes that a check defines: the names that
    the exercise is about.
    """

    classes: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def allows(self, target: Any, name: str) -> bool:
        kinds = {kind.__name__ for kind in type(target).__mro__}
        return kinds.isdisjoint(self.classes) or name in self.names


def lookup(endpoint: "Endpoint", name: str) -> Any:
    """A variable of the student."""
    if name not in endpoint.namespace:
        raise NameError(f"name {name!r} is not defined")
    return endpoint.namespace[name]


def call(endpoint: "Endpoint", target: Any, *args: Any, **kwargs: Any) -> Any:
    if endpoint.strict:
        _bounded((*args, *kwargs.values()))
    return target(*args, **kwargs)


def _bounded(values: Iterable[Any]) -> None:
    """A call into the trusted process works on tensors of a size that an exercise can have."""
    for value in values:
        if isinstance(value, (list, tuple)):
            _bounded(value)
        elif isinstance(value, torch.Tensor) and (
            value.numel() > LARGEST_CALL or max(value.shape, default=0) > LONGEST_CALL
        ):
            raise BridgeError(
                f"a function of the check was called with a tensor of size {tuple(value.shape)}"
            )


def get(endpoint: "Endpoint", target: Any, name: str) -> Any:
    value = getattr(target, name)
    if endpoint.strict and not (
        _public(target, name, value) and endpoint.access.allows(target, name)
    ):
        raise AttributeError(f"{type(target).__name__!r} object has no attribute {name!r}")
    return value


def leave(endpoint: "Endpoint", target: Any, error: BaseException | None) -> bool:
    """Leave a context; error: what was raised in it."""
    trace = getattr(error, "__traceback__", None)
    return bool(target.__exit__(None if error is None else type(error), error, trace))


def describe(endpoint: "Endpoint", number: Any) -> Any:
    """All of a module of this side that the other one let go of too early."""
    own = from_sender(number)
    endpoint.module_sync.renew(own)
    return endpoint.references.own(own)


def run(endpoint: "Endpoint", label: str, text: str) -> None:
    """Run a cell of the student once more."""
    if endpoint.run_cell:
        endpoint.run_cell(label, text)


EVERYONE: dict[str, Any] = {
    "call": call,
    "get": get,
    "next": lambda endpoint, target: next(target, STOP),
    "iter": lambda endpoint, target: iter(target),
    "len": lambda endpoint, target: len(target),
    "item": lambda endpoint, target, key: target[key],
    "enter": lambda endpoint, target: target.__enter__(),
    "exit": leave,
    "backward": lambda endpoint, node, gradients: node.gradients(gradients),
    "describe": describe,
}
TRUSTED_ONLY: dict[str, Any] = {
    "lookup": lookup,
    "bind": lambda endpoint, name, value: endpoint.namespace.update({name: value}),
    "put": lambda endpoint, target, name, value: setattr(target, name, value),
    "run": run,
    "carry_out": trials.carry_out,
    "copy": lambda endpoint, target: copy.deepcopy(target),
}


def find(name: Any, endpoint: "Endpoint", args: list[Any]) -> Callable[..., Any]:
    """The operation that the other side asks for."""
    known = EVERYONE if endpoint.strict else {**EVERYONE, **TRUSTED_ONLY}
    if not isinstance(name, str) or name not in known:
        raise BridgeError("the other process asked for something that it may not")
    if (
        endpoint.strict
        and name != "describe"
        and not (args and endpoint.references.is_own(args[0]))
    ):
        raise BridgeError("the other process may only use what was handed to it")
    return known[name]


def _public(target: Any, name: Any, value: Any) -> bool:
    """Whether the student's side may read this attribute: public names of objects whose class the
    chapter or a check defines.
    """
    if not isinstance(name, str) or name.startswith("_") or hasattr(nn.Module, name):
        return False
    if isinstance(target, type) or not (
        isinstance(target, nn.Module) or type(target).__module__ == "__main__"
    ):
        return False
    if callable(value) and not isinstance(value, nn.Module):
        return any(
            name in vars(kind) and kind.__module__ == "__main__" for kind in type(target).__mro__
        )
    return isinstance(value, READABLE)
