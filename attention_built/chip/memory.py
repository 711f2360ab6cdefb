"""The large, slow memory of the stand-in, what is counted of it, and the launch that runs."""

from __future__ import annotations

import math
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import CodeType, FrameType, FunctionType
from typing import NoReturn

import torch
from torch import Tensor

# Bytes that travel together: global memory is read and written in sectors of 32 (CUDA C++ Best
# Practices Guide, "Coalesced Access to Global Memory").
SECTOR = 32
# Bytes of fast (shared) memory that one program can have on an H100 or H200 (CUDA C++ Programming
# Guide, "Compute Capability 9.0": 228 kB in each multiprocessor, of which 1 is the system's).
FAST = 227 * 1024
WHY = ": is a mask missing, or an offset wrong?"
NOBODY, MANY, ADDED = -1, -2, -3  # who read or wrote a place, where it is no single program


class KernelError(Exception):
    """What a GPU would do silently, or die of, in one sentence."""


def stop(sentence: str) -> NoReturn:
    """Raise a KernelError."""
    raise KernelError(sentence)


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
    report: Report = field(default_factory=Report)
    rank: int = 0  # of the program, in the grid's own order
    stored: bool = False  # whether the program has stored something
    bodies: dict[CodeType, FunctionType] = field(
        default_factory=dict
    )  # kernels, as a GPU sees them
    kinds: dict[tuple[FrameType, int], dict[str, str]] = field(
        default_factory=dict
    )  # see blocks.same_types
    left: bool = False  # whether a loop was left before its end
    ended: set[tuple[CodeType, int]] = field(default_factory=set)  # loops that have ended once

    def program(self, rank: int | None = None) -> tuple[int, ...]:
        """A program's place in the grid; this one's."""
        rank, place = self.rank if rank is None else rank, []
        for size in self.grid:
            rank, at = divmod(rank, size)
            place.append(at)
        return tuple(place)


# A kernel says tl.load(...) and names no launch, so that the one that runs must be known here.
current: ContextVar[Launch | None] = ContextVar("current launch", default=None)


def running() -> Launch:
    """The launch that runs."""
    launch = current.get()
    return launch or stop("tl works only inside a kernel that was launched: kernel[grid](...)")


class Memory:
    """A tensor in the large memory, with who wrote and who read each of its places in a launch."""

    def __init__(self, name: str, tensor: Tensor) -> None:
        if tensor.device.type != "cpu":
            stop(f"{name} is on {tensor.device}, and the stand-in on the CPU: call .cpu() first")
        if not tensor.is_contiguous():
            stop(f"{name} is not contiguous, so offsets lead elsewhere: call .contiguous() first")
        self.name, self.shape, self.flat = name, tensor.shape, tensor.detach().view(-1)
        self.writer = torch.full(self.flat.shape, NOBODY, dtype=torch.int32)
        self.reader, self.stored = self.writer.clone(), False
        self.shares = ""  # another tensor that overlaps with this one in memory

    def load(self, offsets: Tensor, mask: Tensor | None, other: Tensor | None) -> Tensor:
        """The numbers at the offsets; where the mask is false, other."""
        flat, launch = self._places(offsets, mask, "reads"), running()
        later = "programs run in any order; split the work into two launches"
        self._alone(
            flat, self.writer, "reads {place}, which {who} writes in the same launch: " + later
        )
        before = self.reader[flat]
        once = (before == NOBODY) | (before == launch.rank)
        self.reader[flat] = torch.where(once, launch.rank, MANY).int()
        launch.report.read += self._sectors(flat)
        if mask is None:
            return self.flat[offsets].clone()  # of one place it would be the memory itself
        dtype = self.flat.dtype
        if other is None:  # Triton leaves open what comes then; a number that shows is best
            wild = dtype == torch.bool or not dtype.is_floating_point and torch.iinfo(dtype).min
            other = torch.tensor(math.nan if dtype.is_floating_point else wild)
        out = other.to(dtype).broadcast_to(mask.shape).clone()
        out[mask] = self.flat[flat]
        return out

    def store(self, offsets: Tensor, numbers: Tensor, mask: Tensor | None) -> None:
        """Writes the numbers at the offsets, where the mask is true."""
        flat, launch = self._to_write(offsets, mask, "writes"), running()
        chance = "which number stays is chance"
        self._alone(flat, self.writer, "and {who} both write {place}: " + chance + WHY)
        if not (flat[1:] > flat[:-1]).all():
            places, times = torch.unique(flat, return_counts=True)
            if (times > 1).any():
                place, often = self._place(places[times > 1][0]), f"{int(times.max())} times"
                stop(f"program {launch.program()} writes {place} {often} in one tl.store: {chance}")
        self.writer[flat] = launch.rank
        self.flat[flat] = numbers.reshape(-1) if mask is None else numbers[mask]

    def add(self, offsets: Tensor, numbers: Tensor, mask: Tensor | None) -> Tensor:
        """Adds the numbers at the offsets, where the mask is true; returns what stood there."""
        flat = self._to_write(offsets, mask, "adds to")
        self._alone(flat, self.writer, "adds to {place}, which {who} writes with tl.store", ADDED)
        running().report.read += self._sectors(flat)
        old = self.flat[offsets.clamp(0, len(self.flat) - 1)].clone()
        self.writer[flat] = ADDED
        added = numbers.reshape(-1) if mask is None else numbers[mask]
        self.flat.index_put_((flat,), added, accumulate=True)
        return old

    def unwritten(self, report: Report) -> str:
        """What is left of an output that was not written whole; "" of any other tensor."""
        missing = (self.writer == NOBODY).nonzero().view(-1)
        if not self.stored or not len(missing):
            return ""
        return (
            f"{len(missing)} of the {len(self.flat)} numbers of {self.name} were never written, "
            f"from {self._place(missing[0])} to {self._place(missing[-1])}: {report.programs} "
            f"programs ran, {report.idle} of them stored nothing"
        )

    def _place(self, at: Tensor) -> str:
        """A place as the tensor's own index."""
        index = [int(i) for i in torch.unravel_index(at, self.shape)] if self.shape else ""
        return f"{self.name}{index}"

    def _places(self, offsets: Tensor, mask: Tensor | None, does: str) -> Tensor:
        """The offsets where the mask is true, in a row. Raises where one lies outside."""
        flat, size, launch = (
            offsets.reshape(-1) if mask is None else offsets[mask],
            len(self.flat),
            running(),
        )
        if len(flat):
            low, high = (int(i) for i in torch.aminmax(flat))
            if low < 0 or high >= size:
                at = low if low < 0 else high
                stop(
                    f"program {launch.program()} {does} {self.name} at {at}, and {self.name} has "
                    f"{size} numbers, 0 to {size - 1}{WHY}"
                )
        launch.report.useful += len(flat) * self.flat.element_size()
        return flat

    def _to_write(self, offsets: Tensor, mask: Tensor | None, does: str) -> Tensor:
        """The places that are written, counted."""
        flat, launch = self._places(offsets, mask, does), running()
        if self.shares:
            stop(f"{self.name} is written, and {self.shares} overlaps with it: use a new tensor")
        order = "which {who} reads in the same launch: programs run in any order"
        self._alone(flat, self.reader, "writes {place}, " + order)
        self.stored, launch.stored = True, launch.stored or len(flat) > 0
        launch.report.written += self._sectors(flat)
        return flat

    def _sectors(self, flat: Tensor) -> int:
        """The bytes of the sectors that the places lie in."""
        sector = flat * self.flat.element_size() // SECTOR
        rising = bool((flat[1:] >= flat[:-1]).all())
        return SECTOR * len(torch.unique_consecutive(sector) if rising else torch.unique(sector))

    def _alone(self, flat: Tensor, of: Tensor, sentence: str, allowed: int = NOBODY) -> None:
        """Raises where a place has a reader or writer other than this program and the allowed."""
        launch, users = running(), of[flat]
        bad = (users != launch.rank) & (users != NOBODY) & (users != allowed)
        if bad.any():
            rank, place = int(users[bad][0]), self._place(flat[bad][0])
            some = {MANY: "another program", ADDED: "any program with tl.atomic_add"}
            who = some.get(rank) or f"program {launch.program(rank)}"
            stop(f"program {launch.program()} " + sentence.format(place=place, who=who))
