"""What every function and module of the course keeps, as cases made from one base case."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import torch

from attention_built.cases import Case, changed, numbers

Change = Callable[[torch.Tensor], torch.Tensor]
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
    rules = _rules(base)
    for unknown in {*only.split(), *but.split()} - set(rules):
        raise ValueError(f"the house rules are {' '.join(rules)}; got {unknown!r}")
    wanted = [name for name in only.split() or rules if name not in but.split()]
    return [made for name in wanted for made in rules[name]]


def _rules(base: Case) -> dict[str, list[Case]]:
    """The cases of every rule."""
    most = max((value.dim() for value in base.args if isinstance(value, torch.Tensor)), default=0)
    lost = "Was a part computed in a lower precision, or a small number added on the way?"
    as_look = {"look": ("dtype", "values")}
    full, exact = "float64, with its full precision", {"within": 1e-10, "hint": lost, **as_look}

    def each(words: str, change: Change, dtype: torch.dtype | None = None, **changes: Any) -> Case:
        of = base.of and changed(base.of, dtype=dtype or base.of.dtype)
        return base.but(words, args=_each(base, change), of=of, **changes)

    return {
        "axes": [_behind(base, front, name) for front, name in FRONTS.items()],
        "empty": [each("an empty batch", lambda t: t[:0] if t.dim() == most else t)],
        "views": [each("tensors whose numbers lie in memory in another order", turned)],
        "float64": [each(full, lambda t: (t.double() + 0.01) * 10 / 3, torch.float64, **exact)],
        "bfloat16": [
            each("bfloat16", torch.Tensor.bfloat16, torch.bfloat16, within=0.04, **as_look)
        ],
        "gradient": [each("the gradient", torch.Tensor.double, torch.float64, look=("gradient",))],
        "inputs": [base.but("the inputs stay as they are", look=("inputs",))],
        "device": [base.but("inputs on another device, as on a GPU", look=("device",))],
    }


def _each(base: Case, change: Change) -> tuple[Any, ...]:
    """The arguments, with every tensor of numbers changed."""
    return tuple(
        change(value) if isinstance(value, torch.Tensor) and value.is_floating_point() else value
        for value in base.args
    )


def _behind(base: Case, front: tuple[int, ...], name: str) -> Case:
    """The case with these axes in front of every tensor of numbers."""
    seeds = count(100 * len(front))
    args = _each(base, lambda t: numbers(*front, *t.shape, seed=next(seeds)).to(t))
    hint = "Count the axes from the end, not from the front."
    return base.but(f"{name}, {front}", args=args, hint=hint)


def turned(tensor: torch.Tensor) -> torch.Tensor:
    """The same numbers, in memory in another order."""
    if tensor.dim() == 1:
        return torch.stack([tensor, tensor], dim=-1)[:, 0]
    return tensor.transpose(0, -1).contiguous().transpose(0, -1)
