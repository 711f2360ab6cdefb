"""A case: words for what is tried, the inputs, and what is looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import torch

LOOKS = ("values", "dtype", "gradient", "inputs", "operations", "device")


@dataclass(frozen=True)
class Seed:
    """Stands for a generator in this state, made anew. calls: so many calls are made, each with a
    generator in the next state.
    """

    number: int
    calls: int = 1


@dataclass(frozen=True)
class Module:
    """How an object of a student's class is made before it is called."""

    args: tuple[Any, ...]
    weights: dict[str, torch.Tensor]
    train: bool = True

    def make(self, kind: Any, dtype: torch.dtype | None, device: str | None = None) -> Any:
        """An object of ``kind`` with these weights, in this dtype, on ``device``.

        What else it has to learn, and should not have, is 0.
        """
        made = kind(*self.args)
        places = {name: getattr(made, name).weight for name in self.weights}
        with torch.no_grad():
            for name, parameter in made.named_parameters():
                if self.weights and name.removesuffix(".weight") not in self.weights:
                    parameter.fill_(0.0)
            for name, weight in self.weights.items():
                places[name].copy_(weight)
        if dtype is not None:
            made.to(dtype)
        if device:
            made.to(device)
        return made.train(self.train)


@dataclass(frozen=True)
class Case:
    """One thing that is tried.

    look: what is observed of the result. within: how far a number may be off, as a share of it, or
    absolutely where it is below 1. of: how the object is made that is called. ask: a function that
    is given the student's function (or the object), and whose result is looked at. then: a function
    of the numbers that several calls give (``seed(n, calls=)``), looked at in their place. hint: a
    sentence for an answer that differs here in a way that nobody knows. secret: messages do not
    tell the numbers that are expected.
    """

    words: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)
    look: tuple[str, ...] = ("values",)
    within: float = 1e-4
    of: Module | None = None
    ask: Callable[..., Any] | None = None
    then: Callable[[torch.Tensor], Any] | None = None
    hint: str = ""
    secret: bool = False

    @property
    def calls(self) -> int:
        """How many calls are made."""
        given = (*self.args, *self.kwargs.values())
        return max((value.calls for value in given if isinstance(value, Seed)), default=1)

    def but(self, words: str, **changes: Any) -> Case:
        """The same case with other words, and what else is named."""
        return replace(self, words=words, **changes)


def case(
    words: str,
    *args: Any,
    look: str = "values",
    within: float = 1e-4,
    of: Module | None = None,
    ask: Callable[..., Any] | None = None,
    then: Callable[[torch.Tensor], Any] | None = None,
    hint: str = "",
    secret: bool = False,
    **kwargs: Any,
) -> Case:
    """A case: the student's function is called with ``args`` and ``kwargs``, copied for each call.

    look: some of "values dtype gradient inputs operations device". Raises ValueError for another.
    """
    looks = tuple(look.split())
    for unknown in set(looks) - set(LOOKS):
        raise ValueError(f"{words}: look is some of {' '.join(LOOKS)}; got {unknown!r}")
    return Case(words, args, kwargs, looks, within, of, ask, then, hint, secret)


def module(*args: Any, train: bool = True, **weights: torch.Tensor) -> Module:
    """An object of the student's class, made with ``args``, whose layers get these weights."""
    return Module(args, weights, train)


def seed(number: int, calls: int = 1) -> Seed:
    """A generator in this state. calls: so many calls, each with one in the next state, whose
    numbers ``then`` puts together.
    """
    return Seed(number, calls)


def numbers(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Made-up numbers from -2 to 2: the same on every machine, exact in every floating dtype."""
    n = torch.arange(prod(shape)) + 7919 * seed + 1
    for factor, shift in ((2654435761, 15), (739982445, 12), (695872825, 15)):
        n = n * factor % (1 << 32)
        n = n ^ (n >> shift)
    return (((n >> 8) % 257 - 128).to(torch.float64) / 64).reshape(shape).to(dtype)


def layers(kind: Any, *args: Any, names: str) -> list[str]:
    """What two objects of a class are made of, in words; ``names`` of their linear layers."""
    one, two = kind(*args), kind(*args)
    found = [_layer(name, getattr(one, name, None)) for name in names.split()]
    found.append(f"{sum(parameter.numel() for parameter in one.parameters())} numbers to learn")
    weights = [getattr(made, name).weight for made in (one, two) for name in names.split()]
    started = [weight.detach().clone() for weight in weights]
    pairs = [(i, j) for j in range(len(weights)) for i in range(j)]
    same = [torch.equal(started[i], started[j]) for i, j in pairs]
    found.append("matrices start with the same numbers" if any(same) else "all start differently")
    with torch.no_grad():
        for number, weight in enumerate(weights):
            weight.copy_(torch.full(tuple(weight.shape), float(number)))
    shared = any(bool((weight != number).any()) for number, weight in enumerate(weights))
    return [*found, "layers share a matrix" if shared else "every layer has a matrix of its own"]


def _layer(name: str, layer: Any) -> str:
    if layer is None:
        return f"no {name}"
    if not isinstance(layer, torch.nn.Linear):
        return f"{name} is no nn.Linear"
    bias = "without bias" if layer.bias is None else "with a bias"
    return f"{name} stores {tuple(layer.weight.shape)}, {bias}"


def rows(answer: Any) -> torch.Tensor:
    """A table that was filled in by hand, lists or tensors, as a tensor. Raises TypeError where it
    is none.
    """
    try:
        made = [torch.as_tensor(row, dtype=torch.float64) for row in answer]
        return torch.stack(made).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"a list of rows of numbers is expected ({error})") from error
