"""What a student's call does to tensors, told to the dispatch modes of a check.

A ``TorchDispatchMode`` of a check cannot look into another process. The other side reports which
tensors were made there, and tensors of the same size, dtype and device are made here under the
mode. So what the mode sees is what the student's process says of itself: good for naming a mistake
and for honest work, no proof against a forger.
"""

import math
import weakref
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves

from .failures import BridgeError
from .tensors import DTYPES, NAMES

MOST_RECORDED = 100_000  # tensors made and freed in a call; a record so long ended too early
MOST_ALIVE = 4 << 30  # bytes of tensors that are alive at a time where a record is replayed


class Recorder(TorchDispatchMode):
    """Notes the tensors that operations make: size, dtype, device, and whether they only look at
    another's memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.made: list[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given = [value for value in tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)]
        result = func(*args, **kwargs)
        for value in tree_leaves(result):
            if (
                isinstance(value, torch.Tensor)
                and not any(value is other for other in given)
                and len(self.made) < MOST_RECORDED
            ):
                view = value._is_view() or any(_same_memory(value, other) for other in given)
                self.made.append(
                    [list(value.shape), NAMES.get(value.dtype, "float32"), value.device.type, view]
                )
                if not view:
                    memory, number = value.untyped_storage(), len(self.made) - 1
                    weakref.finalize(memory, self._freed, number).atexit = False
        return result

    def _freed(self, number: int) -> None:
        """Note that the last tensor on a memory made here is gone, by the number of its record."""
        if len(self.made) < MOST_RECORDED:
            self.made.append([number])


def _same_memory(one: torch.Tensor, other: torch.Tensor) -> bool:
    return (
        one.device.type == "cpu" == other.device.type
        and one.numel() > 0
        and one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
    )


def replay(made: Any) -> None:
    """Make, under the modes that are active here, tensors like those that were made there."""
    if not isinstance(made, list) or len(made) > MOST_RECORDED:
        raise BridgeError("a record of tensors came in a form that makes no sense")
    if len(made) == MOST_RECORDED:  # what came later is not in it: any count would be too small
        raise BridgeError(
            f"one call made, and let go of, {MOST_RECORDED:,} tensors or more: too many to follow;"
            " are there fewer operations that do the same?"
        )
    # number of a record -> its tensor, until it was freed there
    alive: dict[int, torch.Tensor] = {}
    seeds: dict[Any, torch.Tensor] = {}  # what a view is a view of
    held = 0
    with torch.no_grad():
        for place, record in enumerate(made):
            if isinstance(record, list) and len(record) == 1 and type(record[0]) is int:
                freed = alive.pop(record[0], None)
                held -= 0 if freed is None else freed.nbytes
                continue
            size, dtype, device, view = record
            if (
                dtype not in DTYPES
                or device not in ("cpu", "meta")
                or not all(type(n) is int and 0 <= n < 1 << 40 for n in size)
            ):
                raise BridgeError("a record of tensors came in a form that makes no sense")
            if view is True:
                if (dtype, device) not in seeds:
                    with _disable_current_modes():
                        seeds[dtype, device] = torch.empty((), dtype=DTYPES[dtype], device=device)
                seeds[dtype, device].expand(size)
            else:
                held += math.prod(size) * DTYPES[dtype].itemsize if device == "cpu" else 0
                if held > MOST_ALIVE:
                    raise BridgeError("the answer held more memory at a time than can be replayed")
                alive[place] = torch.empty(size, dtype=DTYPES[dtype], device=device)
