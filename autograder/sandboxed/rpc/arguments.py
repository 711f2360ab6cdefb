"""What a call passed and its answer may refer to: the mutable objects, by number, and how they
looked before.
"""

import hashlib
from collections.abc import Collection
from typing import Any

import torch

CONTAINERS = (list, dict, set)


class Arguments:
    """Tensors, lists, dicts, sets and generators of one call, in the order in which they are
    written and read.
    """

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self._places: dict[int, int] = {}
        self._before: list[Any] = []

    def add(self, value: Any) -> None:
        self._places[id(value)] = len(self.objects)
        self.objects.append(value)
        self._before.append(None if isinstance(value, CONTAINERS) else _look(value))

    def filled(self, container: Any) -> None:
        """A container has been read whole: note what it holds."""
        self._before[self._places[id(container)]] = _look(container)

    def place(self, value: Any) -> int | None:
        """The number of ``value``, or None. A tensor with another history than it came with is not
        itself any more.
        """
        place = self._places.get(id(value))
        if (
            place is not None
            and isinstance(value, torch.Tensor)
            and value.grad_fn is not self._before[place][0]
        ):
            return None
        return place

    def written(self, storages: Collection[int]) -> list[int]:
        """Numbers of the tensors that lie in one of these storages (addresses), or have another
        size or memory than they had.
        """
        return [
            place
            for place, value in enumerate(self.objects)
            if isinstance(value, torch.Tensor)
            and (_look(value)[1:] != self._before[place][1:] or address(value) in storages)
        ]

    def changed_containers(self) -> list[int]:
        """Numbers of the lists, dicts and sets that hold other things than they did."""
        return [
            place
            for place, value in enumerate(self.objects)
            if isinstance(value, CONTAINERS)
            and self._before[place] is not None
            and not _same(_look(value), self._before[place])
        ]

    def changed_generators(self) -> list[list[int]]:
        """[number, digest of the state] of the generators that were drawn from."""
        return [
            [place, digest(value)]
            for place, value in enumerate(self.objects)
            if isinstance(value, torch.Generator) and digest(value) != self._before[place]
        ]


def digest(generator: torch.Generator) -> int:
    """A number below 2**62 that stands for the state of a generator."""
    return digest_of(generator.get_state().numpy().tobytes())


def reseed(generator: torch.Generator, told: Any) -> None:
    """Move a generator on to a state that depends on where it was and on what the other side says,
    and that nobody can choose.
    """
    generator.manual_seed(digest_of(f"{digest(generator)} {told}".encode()))


def digest_of(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little") >> 2


def layout(tensor: torch.Tensor) -> tuple[Any, ...]:
    return tuple(tensor.shape), tuple(tensor.stride()), tensor.dtype


def address(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr()


def _look(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.grad_fn, layout(value), address(value)
    if isinstance(value, torch.Generator):
        return digest(value)
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, CONTAINERS) else None


def _same(now: list[Any], before: list[Any]) -> bool:
    return len(now) == len(before) and all(
        new is old for new, old in zip(now, before, strict=False)
    )
