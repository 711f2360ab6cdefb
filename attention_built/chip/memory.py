"""The large, slow memory of the stand-in, what is counted of it, and the launch that runs."""

from __future__ import annotations

import math
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import CodeType

import torch
from torch import Tensor

SECTOR = (
    32  # bytes: what a GPU reads and writes its memory in (CUDA C++ Best Practices Guide, 10.2.1)
)
# bytes of fast memory that one program can have on an H100 or H200: 228 kB, of which the driver
# keeps 1 (CUDA C++ Programming Guide, compute capability 9.0)
FAST = 227 * 1024
NOBODY, MANY, ADDED = -1, -2, -3  # who read or wrote a place, where it is no single program


class KernelError(Exception):
    """What a GPU would do silently, or die of, in one sentence."""


@dataclass
class Report:
    """What a launch moved and computed."""

    read: int = 0  # bytes, in whole sectors
    written: int = 0  # bytes, in whole sectors
    useful: int = 0  # bytes that were asked for, read and written together
    flops: int = 0  # of tl.dot, where a side under 16 counts as 16: the matrix units get no smaller
    largest: int = 0  # bytes of the largest block that a program made
    programs: int = 0
    idle: int = 0  # programs that stored nothing
    unwritten: dict[str, str] = field(default_factory=dict)  # outputs not written whole, and where


@dataclass
class Launch:
    """A launch while it runs: its grid, its report, and which program's turn it is."""

    grid: tuple[int, ...]
    report: Report
    codes: dict[CodeType, str] = field(
        default_factory=dict
    )  # kernels that run in it, by their code
    rank: int = 0
    stored: bool = False

    def name(self, rank: int) -> tuple[int, ...]:
        """The program's place in the grid."""
        place = []
        for size in self.grid:
            rank, at = divmod(rank, size)
            place.append(at)
        return tuple(place)

    @property
    def program(self) -> tuple[int, ...]:
        return self.name(self.rank)


# A kernel says tl.load(...) and names no launch, so the one that runs stands here, one a thread.
current: ContextVar[Launch | None] = ContextVar("launch", default=None)


def running() -> Launch:
    """The launch that runs."""
    launch = current.get()
    if launch is None:
        raise KernelError("tl works only inside a kernel that was launched: kernel[grid](...)")
    return launch


def said(dtype: torch.dtype) -> str:
    """A type as a kernel's author knows it."""
    return str(dtype).removeprefix("torch.")


class Memory:
    """A tensor in the large memory, with who wrote and who read each of its places in a launch."""

    def __init__(self, name: str, tensor: Tensor) -> None:
        if not tensor.is_contiguous():
            raise KernelError(
                f"{name} is not contiguous: its numbers do not lie where the offsets say; "
                "call .contiguous() first"
            )
        self.name, self.shape, self.flat = name, tensor.shape, tensor.detach().view(-1)
        self.writer = torch.full(self.flat.shape, NOBODY, dtype=torch.int32)
        self.reader, self.stored = self.writer.clone(), False

    def place(self, at: Tensor) -> str:
        """A place as the tensor's own index."""
        if not self.shape:
            return self.name
        return f"{self.name}{[int(i) for i in torch.unravel_index(at, self.shape)]}"

    def unwritten(self, report: Report) -> str:
        """What is left of an output that was not written whole; "" of any other tensor."""
        missing = (self.writer == NOBODY).nonzero().view(-1)
        if not self.stored or not len(missing):
            return ""
        return (
            f"{len(missing)} of the {len(self.flat)} numbers of {self.name} were never written, "
            f"the first is {self.place(missing[0])} and the last {self.place(missing[-1])}: "
            f"{report.programs} programs ran, {report.idle} of them stored nothing"
        )

    def load(self, offsets: Tensor, mask: Tensor | None, other: Tensor | None) -> Tensor:
        """The numbers at the offsets; where the mask is false, other."""
        flat, launch = self._meant(offsets, mask, "reads"), running()
        self._clash(
            flat,
            self.writer[flat],
            "program {own} reads {place}, which {other} writes in the same launch: programs run in "
            "any order; split the work into two launches",
        )
        before = self.reader[flat]
        once = (before == NOBODY) | (before == launch.rank)
        self.reader[flat] = torch.where(once, launch.rank, MANY).int()
        launch.report.read += self._sectors(flat)
        if mask is None:
            return self.flat[offsets]
        if other is None:  # Triton leaves it open what comes then
            dtype = self.flat.dtype
            wild = (
                math.nan
                if dtype.is_floating_point
                else dtype == torch.bool or torch.iinfo(dtype).min
            )
            out = torch.full(mask.shape, wild, dtype=dtype)
        else:
            out = other.to(self.flat.dtype).clone()
        out[mask] = self.flat[flat]
        return out

    def store(self, offsets: Tensor, numbers: Tensor, mask: Tensor | None) -> None:
        """Writes the numbers at the offsets, where the mask is true."""
        flat, launch = self._written(offsets, mask, "writes"), running()
        self._clash(
            flat,
            self.writer[flat],
            "program {own} and {other} both write {place}: which number stays is chance",
        )
        if not (flat[1:] > flat[:-1]).all():
            places, times = torch.unique(flat, return_counts=True)
            if (times > 1).any():
                raise KernelError(
                    f"program {launch.program} writes {self.place(places[times > 1][0])} "
                    f"{int(times.max())} times in one tl.store: which number stays is chance"
                )
        self.writer[flat] = launch.rank
        self.flat[flat] = numbers.reshape(-1) if mask is None else numbers[mask]

    def add(self, offsets: Tensor, numbers: Tensor, mask: Tensor | None) -> Tensor:
        """Adds the numbers to those at the offsets, where the mask is true; what stood there."""
        flat = self._written(offsets, mask, "adds to")
        self._clash(
            flat,
            self.writer[flat],
            "program {own} adds to {place}, which {other} writes with tl.store",
            ADDED,
        )
        running().report.read += self._sectors(flat)
        old = self.flat[offsets.clamp(0, len(self.flat) - 1)]
        self.writer[flat] = ADDED
        added = numbers.reshape(-1) if mask is None else numbers[mask]
        self.flat.index_put_((flat,), added, accumulate=True)
        return old

    def _written(self, offsets: Tensor, mask: Tensor | None, what: str) -> Tensor:
        """The places that are written, counted."""
        flat, launch = self._meant(offsets, mask, what), running()
        self._clash(
            flat,
            self.reader[flat],
            "program {own} writes {place}, which {other} reads in the same launch: programs run in "
            "any order",
        )
        self.stored, launch.stored = True, launch.stored or len(flat) > 0
        launch.report.written += self._sectors(flat)
        return flat

    def _meant(self, offsets: Tensor, mask: Tensor | None, what: str) -> Tensor:
        """The offsets where the mask is true, in a row. Raises where one lies outside."""
        flat = offsets.reshape(-1) if mask is None else offsets[mask]
        launch = running()
        if len(flat):
            low, high = (int(i) for i in torch.aminmax(flat))
            if low < 0 or high >= len(self.flat):
                raise KernelError(
                    f"program {launch.program} {what} {self.name} at {low if low < 0 else high}, "
                    f"and {self.name} has {len(self.flat)} numbers, 0 to {len(self.flat) - 1}: "
                    "is a mask missing, or an offset wrong?"
                )
        launch.report.useful += len(flat) * self.flat.element_size()
        return flat

    def _sectors(self, flat: Tensor) -> int:
        """The bytes of the sectors that the places lie in."""
        sector = flat * self.flat.element_size() // SECTOR
        rising = bool((flat[1:] >= flat[:-1]).all())
        return SECTOR * len(torch.unique_consecutive(sector) if rising else torch.unique(sector))

    def _clash(self, flat: Tensor, users: Tensor, sentence: str, allowed: int = NOBODY) -> None:
        """Raises where a place has a user other than this program and the one allowed."""
        launch = running()
        bad = (users != launch.rank) & (users != NOBODY) & (users != allowed)
        if bad.any():
            who = int(users[bad][0])
            other = {MANY: "another program", ADDED: "any program with tl.atomic_add"}.get(who)
            raise KernelError(
                sentence.format(
                    place=self.place(flat[bad][0]),
                    other=other or f"program {launch.name(who)}",
                    own=launch.program,
                )
            )
