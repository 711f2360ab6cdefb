"""How long to wait for a student's code: by the processor time that it gets, beside the clock.

On a machine with more to do than it can, a minute by the clock is no minute of work. Code that
wants to run and did not get its time is waited for up to LONGEST times as long; code that sleeps
is not. Code wants to run when it is about to, or when it has worked since the last look: the two
processes of a check that call each other are both found asleep now and then, each just before its
turn.
"""

import os
import select
import socket
import time
from collections.abc import Callable
from typing import Protocol

from autograder.sandboxed.process.usage import Usage

LONGEST = 3.0
EVERY = 0.25  # seconds between two looks at whether they have outgrown their limits
LOOK = 0.5  # seconds between two looks at what the processes have had
ENOUGH = 0.8  # share of its time that code must have had for a time-out to count at once


class Processes(Protocol):
    """The processes of a submission, as far as waiting for them goes."""

    used: Usage

    def outgrown(self) -> bool:
        """Look at what they use; whether that is more than they may."""


class Patience:
    """The wait for one answer of a student's process, or of the check that calls it.

    check: id of the check's process, whose own work counts too: the two take turns. starved: the
    time was over before they had had their share of it.
    """

    def __init__(self, student: Processes, seconds: float, check: int = 0) -> None:
        self._student, self._seconds, self._check = student, seconds, check
        student.outgrown()
        self._had = self._seen = student.used.seconds + _work(check)[0]
        self.starved = False

    def readable(self, sock: socket.socket) -> bool:
        """Wait until there is something to read, the time is over, or the process has outgrown its
        limits.
        """
        deadline = time.monotonic() + LONGEST * self._seconds
        look = min(LOOK, self._seconds)
        if self._wait(sock, self._seconds - look):
            return True
        self._wants_more()  # a first look, for the next one to compare with
        if self._wait(sock, look):
            return True
        while time.monotonic() < deadline and self._wants_more():
            if self._wait(sock, LOOK):
                return True
        self.starved = self._wants_more()
        return False

    def _wait(self, sock: socket.socket, seconds: float) -> bool:
        """Whether something to read comes before the time is over, or the limits are outgrown."""
        deadline = time.monotonic() + seconds
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        while True:
            left = deadline - time.monotonic()
            if poll.poll(1000 * max(0, min(left, EVERY))):
                return True
            if left <= 0 or self._student.outgrown():
                return False

    def _wants_more(self) -> bool:
        student = self._student
        if student.outgrown():
            return False
        seconds, running = _work(self._check)
        now = student.used.seconds + seconds
        works, self._seen = now > self._seen, now
        wants = works or running or student.used.running
        return wants and now - self._had < ENOUGH * self._seconds


def _work(pid: int) -> tuple[float, bool]:
    """(seconds of processor time that a process has had, whether it wants to run)."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0, False
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK"), fields[0] in "RD"


class Clock:
    """The time that is left for a notebook. What code waited for the processor, or spent on trials,
    is given back, up to LONGEST times the whole.

    waited: seconds so far in which the notebook's processes wanted to run and could not; asked only
    where time is short.
    """

    def __init__(self, seconds: float, waited: Callable[[], float] = lambda: 0.0) -> None:
        self._began, self._waited, self._returned = time.monotonic(), waited, 0.0
        self._end = self._began + seconds
        self._latest = self._began + LONGEST * seconds

    def left(self, most: float) -> float:
        """Seconds that are left, at most ``most`` of them."""
        if self._end - time.monotonic() < most:
            self._return()
        return max(0.05, min(most, self._end - time.monotonic()))

    def give(self, seconds: float) -> None:
        """Give seconds back."""
        self._end = min(self._end + max(0.0, seconds), self._latest)

    @property
    def over(self) -> bool:
        """Whether no time is left."""
        if time.monotonic() >= self._end:
            self._return()
        return time.monotonic() >= self._end

    @property
    def starved(self) -> bool:
        """Whether the processes had less than their share of the time that has gone by."""
        self._return()
        return self._returned > (1 - ENOUGH) * (time.monotonic() - self._began)

    def _return(self) -> None:
        waited = self._waited()
        self.give(waited - self._returned)
        self._returned = max(waited, self._returned)
