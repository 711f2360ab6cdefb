"""Numbers that look random and are the same in the browser (``engine/tensor.js``) and here.

Lehmer's generator with the multiplier 48271 and the modulus 2^31 - 1; its first ten numbers are
thrown away.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Sequence

import torch


def lehmer(seed: int) -> Iterator[float]:
    """Numbers between 0 and 1, without an end."""
    state = seed
    for drawn in itertools.count():
        state = state * 48271 % 2147483647
        if drawn >= 10:
            yield state / 2147483647


def normals(shape: Sequence[int], seed: int) -> torch.Tensor:
    """A float64 tensor of normally distributed numbers, two at a time by the method of Box and
    Muller.
    """
    draw = lehmer(seed)
    out: list[float] = []
    count = math.prod(shape)
    while len(out) < count:
        radius, angle = math.sqrt(-2 * math.log(next(draw))), 2 * math.pi * next(draw)
        out += [radius * math.cos(angle), radius * math.sin(angle)]
    return torch.tensor(out[:count], dtype=torch.float64).reshape(shape)


@functools.cache
def _uniform_row(count: int, seed: int) -> torch.Tensor:
    draw = lehmer(seed)
    return torch.tensor([next(draw) * 2 - 1 for _ in range(count)], dtype=torch.float64)


def uniforms(shape: Sequence[int], seed: int, bound: float = 1.0) -> torch.Tensor:
    """A float64 tensor of numbers between -bound and bound."""
    return bound * _uniform_row(math.prod(shape), seed).reshape(shape)
