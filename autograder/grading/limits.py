"""How much time, memory and room a student's code gets."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """Of one submission: seconds that it had (host/patience.py), sizes in bytes, numbers of things.

    >>> Limits(notebook_seconds=60).for_process()["cpu_seconds"]
    70
    """

    cell_seconds: float = 20.0  # one cell of the student
    check_seconds: float = 30.0  # one check cell, with all calls it makes
    notebook_seconds: float = 120.0  # everything, the time spent on starting again included
    trial_seconds: float = 30.0  # besides, the student's own cells that define nothing for others
    spare_seconds: float = 300.0  # by the clock, in which others had the processor instead
    memory_bytes: int = 4 << 30  # address space of one process
    total_bytes: int = 6 << 30  # memory of all processes of a submission together
    processes: int = 64  # threads count too
    open_files: int = 256
    file_bytes: int = 64 << 20  # one file
    scratch_bytes: int = 128 << 20  # all files
    deaths: int = 12  # of the student's process, before the rest of the notebook is given up

    def for_process(self) -> dict[str, Any]:
        """What the kernel is told about one process."""
        limits = asdict(self)
        return {**limits, "cpu_seconds": int(self.notebook_seconds) + 10, "timers": 64}
