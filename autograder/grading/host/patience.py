"""How long to wait for a student's code: by the processor time that it gets, beside the clock.

On a machine with more to do than it can, a minute by the clock is no minute of work. Code that
wants to run and did not get its
time is waited for up to LONGEST times as long; code that sleeps is not.
"""

import socket
import time
from typing import TYPE_CHECKING

from autograder.grading.host.parents import wait_readable

if TYPE_CHECKING:
    from autograder.grading.host.student_process import StudentProcess


LONGEST = 3.0
ENOUGH = 0.8  # share of its time that code must have had for a time-out to count at once


class Patience:
    """The wait for one answer of a student's process. starved: the time was over before the code
    had had its share of it.
    """

    def __init__(self, student: "StudentProcess", seconds: float) -> None:
        self._student, self._seconds = student, seconds
        student.outgrown()
        self._had = student.used["seconds"]
        self.starved = False

    def readable(self, sock: socket.socket) -> bool:
        """Wait until there is something to read, the time is over, or the process has outgrown its
        limits.
        """
        deadline = time.monotonic() + LONGEST * self._seconds
        if wait_readable(sock, self._seconds, self._student.outgrown):
            return True
        while time.monotonic() < deadline and self._wants_more():
            if wait_readable(sock, 0.5, self._student.outgrown):
                return True
        self.starved = self._wants_more()
        return False

    def _wants_more(self):
        student = self._student
        if student.outgrown() or not student.used["running"]:
            return False
        return student.used["seconds"] - self._had < ENOUGH * self._seconds


class Clock:
    """The time that is left for a notebook. What code waited for the processor, or spent on trials,
    is given back.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._latest = time.monotonic() + LONGEST * seconds

    def left(self, most: float) -> float:
        return max(0.05, min(most, self._end - time.monotonic()))

    def give(self, seconds: float) -> None:
        self._end = min(self._end + max(0.0, seconds), self._latest)

    @property
    def over(self) -> bool:
        return time.monotonic() >= self._end
