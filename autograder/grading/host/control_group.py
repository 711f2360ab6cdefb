"""A control group around one submission, where one may be made: then the kernel caps its memory,
scratch files and the kernel's own buffers included, and the number of its processes.

That takes version 2 of control groups and a group that was delegated to us: under systemd
``systemd-run --user --scope -p Delegate=yes python -m autograder grade ch02``, or a container that
may write to its own group. Elsewhere the memory of a submission is measured a few times a second
(``sandboxed/process/usage.py``) and its processes are limited by their user.
"""

import contextlib
import functools
import itertools
import os
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OURS = "autograder"  # the group into which we step, so that groups can be made beside it
WANTED = ("memory", "pids")
numbers = itertools.count()


class ControlGroup:
    """One group. ``procs``: an open file; a process that writes 0 to it is in the group."""

    def __init__(self, path: Path, memory: int, processes: int) -> None:
        path.mkdir()
        self.path = path
        self.procs = -1
        try:
            for name, value in (
                ("memory.max", memory),
                ("memory.swap.max", 0),
                ("memory.oom.group", 1),
                ("pids.max", processes),
            ):
                (path / name).write_text(str(value))
            self.procs = os.open(path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self.remove()
            raise

    @property
    def ran_out(self) -> bool:
        """Whether the kernel ended processes because the memory was used up."""
        try:
            events = dict(
                line.split() for line in (self.path / "memory.events").read_text().splitlines()
            )
        except OSError:
            return False
        return int(events.get("oom_kill", 0)) > 0

    def remove(self) -> None:
        """End all that is in the group, and the group."""
        if self.procs >= 0:
            os.close(self.procs)
            self.procs = -1
        with contextlib.suppress(OSError):
            (self.path / "cgroup.kill").write_text("1")
        for _ in range(50):
            try:
                self.path.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:  # its processes are still ending
                time.sleep(0.01)


def make(memory: int, processes: int) -> ControlGroup | None:
    """A new group with these limits, or None where none can be made."""
    base = delegated()
    if base is None:
        return None
    try:
        return ControlGroup(base / f"submission-{os.getpid()}-{next(numbers)}", memory, processes)
    except OSError:
        return None


@functools.cache
def delegated(root: Path = ROOT, told: Path = Path("/proc/self/cgroup")) -> Path | None:
    """The group below which we may make groups, ready for that, or None. Tried out once.

    Groups with processes in them take no limits for groups below, so our processes step aside into
    a group of their own.
    """
    try:
        lines = told.read_text(encoding="utf-8").splitlines()
        own = next(line[3:] for line in lines if line.startswith("0::"))
        base = root / own.strip("/")
        if base.name == OURS:  # another worker of this class was here before
            return base.parent
        offered = (base / "cgroup.controllers").read_text().split()
        if not set(WANTED) <= set(offered) or not _given_to_us(base):
            return None
        aside = base / OURS
        aside.mkdir(exist_ok=True)
        for pid in (base / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (aside / "cgroup.procs").write_text(pid)
        (base / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in WANTED))
    except (OSError, StopIteration):
        return None
    return base


def _given_to_us(base: Path) -> bool:
    """Whether systemd delegated this group, or it is the root of a container's own groups."""
    with contextlib.suppress(OSError):
        if os.getxattr(base, "user.delegate") == b"1":
            return True
    return base == ROOT and (base / "cgroup.events").exists() and os.access(base, os.W_OK)
