"""Run a command of this Python in a course and measure how long it takes and how much memory it
needs.
"""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

INTERVAL = 1.0  # seconds between two looks at the memory
PACKAGE = Path(__file__).parents[3]  # where this package lies, for commands in another course


@dataclass(frozen=True)
class Usage:
    """What one command took."""

    seconds: float
    memory: int  # bytes of all its processes together, at most
    own_memory: int  # bytes of the first process, at most


def run_measured(command: list[str], course: Path) -> Usage:
    """Run ``python -m`` with a command in a course, with the programs of this environment on the
    PATH.
    """
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=course,
        env={**os.environ, "PATH": programs, "PYTHONPATH": str(PACKAGE)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    ended = threading.Event()
    peak = _Peak(process.pid)
    watch = threading.Thread(target=peak.watch, args=[ended], daemon=True)
    watch.start()
    process.wait()
    seconds = time.monotonic() - started
    ended.set()
    watch.join()
    return Usage(seconds, peak.all, peak.own)


class _Peak:
    """The most memory that a process and all below it used together, and the process alone."""

    def __init__(self, pid: int):
        self.process, self.all, self.own = psutil.Process(pid), 0, 0

    def watch(self, ended: threading.Event) -> None:
        while not ended.wait(INTERVAL):
            try:
                family = [self.process, *self.process.children(recursive=True)]
                self.own = max(self.own, self.process.memory_info().rss)
                self.all = max(self.all, sum(map(_share, family)))
            except psutil.Error:
                continue


def _share(process: psutil.Process) -> int:
    """Proportional share of memory: pages that forked processes have in common count once."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0
