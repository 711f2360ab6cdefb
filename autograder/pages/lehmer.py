"""Numbers that look random but are the same in the browser (engine/tensor.js) and here: Lehmer's generator (48271, 2^31 - 1), its first ten thrown away."""

import functools
import itertools
import math

import torch


def lehmer(seed):
    state = seed
    for drawn in itertools.count():
        state = state * 48271 % 2147483647
        if drawn >= 10:
            yield state / 2147483647


def normals(shape, seed):
    draw, out = lehmer(seed), []
    count = math.prod(shape)
    while len(out) < count:
        radius, angle = math.sqrt(-2 * math.log(next(draw))), 2 * math.pi * next(draw)
        out += [radius * math.cos(angle), radius * math.sin(angle)]
    return torch.tensor(out[:count]).reshape(shape)


@functools.cache
def uniform_row(count, seed):
    draw = lehmer(seed)
    return torch.tensor([next(draw) * 2 - 1 for _ in range(count)])


def uniforms(shape, seed, bound=1.0):
    return bound * uniform_row(math.prod(shape), seed).reshape(shape)
