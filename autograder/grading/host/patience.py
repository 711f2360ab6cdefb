"""How long to wait for a student's code: by the time that its processes had, not by the clock.

On a machine with more to do than it can, a minute by the clock is no minute of work. What counts is
processor time, and time in which none of the processes wanted any, as code that sleeps. How long
they were ready to run while another program ran, the kernel tells. Code that was kept from its time
for too long gets no verdict.
"""

import select
import socket
import time
from dataclasses import dataclass
from typing import Protocol, Self

from autograder.course.errors import AutograderError
from autograder.grading.limits import Limits
from autograder.sandboxed.process.usage import Usage, of_process

EVERY = 0.25  # seconds between two looks at what the processes have had


class Starved(AutograderError):
    """The machine was too busy to let a submission's processes have their time."""

    def __init__(self) -> None:
        super().__init__("the machine is too busy to grade. Try again when it is less so.")


@dataclass
class Clock:
    """left: seconds that a notebook's processes may still have; spare: how long, by the clock, they
    may yet be kept from them.
    """

    left: float
    spare: float

    @classmethod
    def of(cls, limits: Limits) -> Self:
        """The clock of a notebook that was not begun."""
        return cls(limits.notebook_seconds, limits.spare_seconds)

    @property
    def over(self) -> bool:
        """Whether the notebook has had its time."""
        return self.left <= 0


class Processes(Protocol):
    """The processes of a submission, as far as waiting for them goes."""

    used: Usage
    clock: Clock

    def outgrown(self) -> bool:
        """Look at what they use; whether that is more than they may."""


def answered(sock: socket.socket, student: Processes, seconds: float, check: int = 0) -> bool:
    """Wait until there is something to read; False where the processes had ``seconds``, or have
    outgrown their limits. Raises Starved.

    check: id of the check's process, whose own work counts too: the two take turns.
    """
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    student.outgrown()
    left, before = seconds, _both(student, check)
    while left > 0:
        began = time.monotonic()
        ready = poll.poll(1000 * min(EVERY, left))
        passed = time.monotonic() - began
        if ready:
            student.clock.left -= min(passed, EVERY)
            return True
        if student.outgrown():
            return False
        now = _both(student, check)
        had = now.seconds - before.seconds
        if not now.wants:
            had = max(had, passed - (now.waited - before.waited))
        had, before = min(had, passed), now
        left -= had
        student.clock.left -= had
        student.clock.spare -= passed - had
        if student.clock.spare < 0:
            raise Starved()
    return False


def _both(student: Processes, check: int) -> Usage:
    """What a student's processes and the one of the check have had and want, together."""
    one, other = student.used, of_process(check) if check else Usage()
    wants, waited = one.wants or other.wants, one.waited + other.waited
    return Usage(seconds=one.seconds + other.seconds, wants=wants, waited=waited)
