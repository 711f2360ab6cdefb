"""What a call passed and its answer may refer to: the mutable objects, by number, and how they
looked before.
"""

import hashlib
from collections.abc import Collection, Iterable
from typing import Any

import torch

CONTAINERS = (list, dict, set)
RECEIVED = "made_over_there"  # marks a tensor


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


def places(container: Any) -> Iterable[tuple[Any, Any]]:
    """(place, what is there) of a list, dict or set."""
    if isinstance(container, set):
        return [(id(one), one) for one in container]
    return container.items() if isinstance(container, dict) else enumerate(container)


def own_tensors(container: Any) -> dict[Any, torch.Tensor]:
    """{place: tensor} of those that this side made."""
    found = [(place, one) for place, one in places(container) if isinstance(one, torch.Tensor)]
    return {place: one for place, one in found if not hasattr(one, RECEIVED)}


def begins_with(value: Any, tensor: torch.Tensor) -> bool:
    """Whether a value is this tensor, or one as large or larger that has its numbers in front."""
    if value is tensor or not isinstance(value, torch.Tensor):
        return value is tensor
    front = value[tuple(map(slice, tensor.shape))] if value.dim() == tensor.dim() else value
    return layout(front)[::2] == layout(tensor)[::2] and (
        front.is_meta or torch.equal(front, tensor)
    )


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
