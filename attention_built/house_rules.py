"""What every function and module of the course keeps, as cases made from one base case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from attention_built.cases import Case, Module, numbers

FRONTS = {
    (2,): "a batch of 2",
    (2, 3): "a batch of 2 with 3 heads",
    (3, 2, 2): "three axes in front",
    (2, 3, 2, 2): "four axes in front",
}


def house_rules(base: Case, only: str = "", but: str = "") -> list[Case]:
    """The cases that one base case stands for, by rule: axes, empty, views, float64, bfloat16,
    gradient, inputs, device.

    only: the rules that are asked for, default all. but: those that do not hold. Raises ValueError
    for an unknown rule.
    """
    for unknown in {*only.split(), *but.split()} - set(RULES):
        raise ValueError(f"the house rules are {' '.join(RULES)}; got {unknown!r}")
    wanted = [name for name in only.split() or RULES if name not in but.split()]
    return [made for name in wanted for made in RULES[name](base)]


def _each(base: Case, change: Callable[[torch.Tensor], torch.Tensor]) -> tuple[Any, ...]:
    """The arguments, with every tensor of numbers changed."""
    return tuple(
        change(value) if isinstance(value, torch.Tensor) and value.is_floating_point() else value
        for value in base.args
    )


def _axes(base: Case) -> Iterator[Case]:
    hint = "Count the axes from the end, not from the front."
    for front, name in FRONTS.items():
        seeds = iter(range(100 * len(front), 100 * len(front) + 100))

        def behind(tensor: torch.Tensor) -> torch.Tensor:
            return numbers(*front, *tensor.shape, seed=next(seeds)).to(tensor)  # noqa: B023

        yield base.but(f"{name}, {front}", args=_each(base, behind), hint=hint)


def _empty(base: Case) -> Iterator[Case]:
    most = max(value.dim() for value in base.args if isinstance(value, torch.Tensor))
    yield base.but("an empty batch", args=_each(base, lambda t: t[:0] if t.dim() == most else t))


def _views(base: Case) -> Iterator[Case]:
    yield base.but("tensors whose numbers lie in memory in another order", args=_each(base, turned))


def turned(tensor: torch.Tensor) -> torch.Tensor:
    """The same numbers, in memory in another order."""
    if tensor.dim() == 1:
        return torch.stack([tensor, tensor], dim=-1)[:, 0]
    return tensor.transpose(0, -1).contiguous().transpose(0, -1)


def _float64(base: Case) -> Iterator[Case]:
    yield base.but(
        "float64, with its full precision",
        args=_each(base, lambda t: (t.double() + 0.01) * 10 / 3),
        of=_in(base, torch.float64),
        look=("dtype", "values"),
        within=1e-10,
        hint="Was a part computed in a lower precision, or a small number added on the way?",
    )


def _bfloat16(base: Case) -> Iterator[Case]:
    args = _each(base, lambda t: t.to(torch.bfloat16))
    of = _in(base, torch.bfloat16)
    yield base.but("bfloat16", args=args, of=of, look=("dtype", "values"), within=0.04)


def _device(base: Case) -> Iterator[Case]:
    yield base.but("inputs on another device, as on a GPU", look=("device",))


def _inputs(base: Case) -> Iterator[Case]:
    yield base.but("the inputs stay as they are", look=("inputs",))


def _gradient(base: Case) -> Iterator[Case]:
    args = _each(base, lambda t: t.double())
    yield base.but("the gradient", args=args, of=_in(base, torch.float64), look=("gradient",))


def _in(base: Case, dtype: torch.dtype) -> Module | None:
    """How the object is made, in this dtype."""
    return base.of and replace(base.of, dtype=dtype)


RULES: dict[str, Callable[[Case], Iterator[Case]]] = {
    "axes": _axes,
    "empty": _empty,
    "views": _views,
    "float64": _float64,
    "bfloat16": _bfloat16,
    "gradient": _gradient,
    "inputs": _inputs,
    "device": _device,
}
