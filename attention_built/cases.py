"""A case: words for what is tried, the inputs, and what is looked at."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any, TypeVar

import torch

LOOKS = ("values", "dtype", "gradient", "inputs", "operations", "device", "parameters")


@dataclass(frozen=True)
class Seed:
    """Stands for a generator in this state, made anew. calls: so many calls are made, each with a
    generator in the next state, whose numbers ``then`` puts together.
    """

    number: int
    calls: int = 1


class Module:
    """How an object of a student's class is made before it is called: with ``args`` and
    ``options``, in ``dtype`` (default: that of the first input of the call).

    weights: {"W_q": of a layer, "norm.bias": of a parameter}; what else it has to learn, and should
    not have, is 0. Default: made-up numbers that follow from the names, those of matrices ``scale``
    times as large. {}: as it starts.
    """

    def __init__(
        self,
        *args: Any,
        train: bool = True,
        weights: dict[str, torch.Tensor] | None = None,
        dtype: torch.dtype | None = None,
        scale: float = 1.0,
        **options: Any,
    ) -> None:
        self.args, self.options, self.scale = args, options, scale
        self.train, self.weights, self.dtype = train, weights, dtype

    @property
    def keywords(self) -> dict[str, Any]:
        """All but ``args``, to make another one of."""
        own = {name: vars(self)[name] for name in ("train", "weights", "dtype", "scale")}
        return {**self.options, **own}

    def make(self, kind: Any, dtype: torch.dtype | None = None, device: str | None = None) -> Any:
        """(an object of ``kind`` in this dtype, on ``device``; what it learned, as it started)."""
        made = kind(*self.args, **self.options)
        learns = parameters(made)
        begins = {name: (p.dtype, p.flatten()[:4].tolist()) for name, p in learns.items()}
        about = [[name, list(p.shape), _like(name, learns, begins)] for name, p in learns.items()]
        with torch.no_grad():
            if self.weights is None:
                for name, parameter in learns.items():
                    factor = self.scale if parameter.dim() > 1 else 1.0
                    parameter.copy_(_by_name(name, parameter.shape) * factor)
            elif self.weights:
                places = [reduce(getattr, name.split("."), made) for name in self.weights]
                for parameter in learns.values():
                    parameter.fill_(0.0)
                for place, weight in zip(places, self.weights.values(), strict=True):
                    getattr(place, "weight", place).copy_(weight)
        if isinstance(made, torch.nn.Module):
            made.to(device or "cpu", self.dtype or dtype).train(self.train)
        return made, about


def parameters(made: Any) -> dict[str, torch.Tensor]:
    """What a module has to learn, by name, in alphabetical order; what has two names twice."""
    module = isinstance(made, torch.nn.Module)
    return dict(sorted(made.named_parameters(remove_duplicate=False))) if module else {}


def _like(name: str, learns: dict[str, torch.Tensor], key: dict[str, Any]) -> str:
    """Which of the parameters before this one it is, or starts like, in words."""
    one = learns[name]
    for other in list(learns)[: list(learns).index(name)]:
        if learns[other] is one:
            return f", the same as {other}"
        if key[other] == key[name] and torch.equal(learns[other], one) and len(one.unique()) > 1:
            return f", starts with the numbers of {other}"
    return ""


@lru_cache(256)  # the same for every answer, slip and case
def _by_name(name: str, shape: torch.Size) -> torch.Tensor:
    """Made-up numbers that follow from a parameter's name; the factors of a norm are around 1."""
    scale = 2.0 ** (-1 - round(math.log2(shape[-1]) / 2)) if len(shape) > 1 else 0.25
    factors = len(shape) == 1 and name.endswith(("weight", "scale"))
    return numbers(*shape, seed=zlib.crc32(name.encode()) % 10007) * scale + factors


class Case:
    """One thing that is tried: the student's function is called with ``args`` and ``kwargs``,
    copied for each call.

    look: what is observed of the result, some of LOOKS. within: how far a number may be off, as a
    share of it, or absolutely where it is below 1. of: how the object is made that is called, or,
    where a function and a class are given, that the function takes before its arguments.
    steps: what is called one after the other, as (name of a method or attribute, "" for the object
    itself, arguments), or ("bytes held",), those of all tensors that lie in the object. last: only
    the last step's result is looked at. ask: a function that is given the student's function (or
    the object), and whose result is looked at. then: a function of what several calls give
    (``seed(n, calls=)``), a row each, NaN at the end of a shorter one; its result is looked at.
    hint: a sentence about what sets the case apart from those before it, for an answer that differs
    here in a way that nobody knows; of a first case it is told only where no number is. secret:
    messages do not tell what is expected. Raises ValueError for an unknown look.
    """

    def __init__(
        self,
        words: str,
        *args: Any,
        look: str = "values",
        within: float = 1e-4,
        of: Module | None = None,
        steps: Sequence[tuple[Any, ...]] = (),
        last: bool = False,
        ask: Callable[..., Any] | None = None,
        then: Callable[[torch.Tensor], Any] | None = None,
        hint: str = "",
        secret: bool = False,
        **kwargs: Any,
    ) -> None:
        self.words, self.args, self.kwargs, self.look = words, args, kwargs, tuple(look.split())
        self.within, self.of, self.steps, self.ask = within, of, steps, ask
        self.last, self.then, self.hint, self.secret = last, then, hint, secret
        for unknown in set(self.look) - set(LOOKS):
            raise ValueError(f"{words}: look is some of {' '.join(LOOKS)}; got {unknown!r}")

    @property
    def calls(self) -> int:
        """How many calls are made."""
        given = (*self.args, *self.kwargs.values())
        return max((value.calls for value in given if isinstance(value, Seed)), default=1)

    @property
    def dtypes(self) -> set[str]:
        """Those of the floating tensors that are given; of all, where none is floating."""
        steps = (value for _, *args in self.steps for value in args)
        given = (*self.args, *self.kwargs.values(), *steps)
        found = {value.dtype for value in given if isinstance(value, torch.Tensor)}
        return {str(one) for one in {one for one in found if one.is_floating_point} or found}

    def but(self, words: str, **changes: Any) -> Case:
        """The same case with other words, and what else is named; a hint is never taken over."""
        return changed(self, words=words, **{"hint": "", **changes})


Kind = TypeVar("Kind", Case, Module)
case, module, seed = Case, Module, Seed


def changed(one: Kind, **changes: Any) -> Kind:
    """A copy with some attributes changed."""
    made = copy(one)
    vars(made).update(changes)
    return made


def numbers(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Made-up numbers from -2 to 2: the same on every machine, exact in every floating dtype."""
    n = torch.arange(math.prod(shape)) + 7919 * seed + 1
    for factor, shift in ((2654435761, 15), (739982445, 12), (695872825, 15)):
        n = n * factor % (1 << 32)
        n = n ^ (n >> shift)
    return (((n >> 8) % 257 - 128).to(torch.float64) / 64).view(shape).to(dtype)


def rows(answer: Any) -> torch.Tensor:
    """A table that was filled in by hand, lists or tensors, as a tensor. Raises AssertionError
    where it is none.
    """
    try:
        made = [torch.as_tensor(row, dtype=torch.float64) for row in answer]
        return torch.stack(made).detach()
    except (TypeError, ValueError, RuntimeError) as error:
        raise AssertionError(f"a list of rows of numbers is expected ({error})") from error
