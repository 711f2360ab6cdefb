"""From the bytes of a file to the plan of what is run: intake, repair, flags, and which answer
leans on which exercise.

All this reads text that a stranger wrote, some of it with Python's own parser, so it happens in a
process of its own with limits: a file that is made to break it breaks that process alone. The
coordinator of a class handles a submission as bytes, and shows the text that comes from here.
"""

import socket
import time
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from autograder.course.errors import SubmissionError
from autograder.course.model import Chapter
from autograder.grading.host.fork_servers import Parent
from autograder.grading.host.patience import Starved
from autograder.grading.intake import find_flags, read_notebook
from autograder.grading.plan import PlannedCell, earlier_exercises, planned, same_opening
from autograder.grading.repair import RepairedCell, repair
from autograder.grading.result import Shown
from autograder.grading.shown import shown
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError, clean

SECONDS = 8  # of processor time; a damaged notebook takes well under one
MEMORY = 4 << 30
TOO_MUCH = "the file could not be read: it takes more time or memory than there is for one notebook"
WIDE = frames.Bounds(json_bytes=256 << 20, payload_bytes=256 << 20)


@dataclass(frozen=True)
class Intake:
    """What a notebook comes to; a ``problem``, and nothing else, if it cannot be graded."""

    plan: list[PlannedCell] = field(default_factory=list)
    opened: int = 0  # how many of its first cells are those that every notebook starts with
    flags: tuple[str, ...] = ()
    report: list[str] = field(default_factory=list)  # of repairs
    earlier: dict[str, list[str]] = field(default_factory=dict)  # exercise: what it may lean on
    shown: Shown = field(default_factory=Shown)
    problem: str = ""

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The Intake whose fields came as JSON."""
        plan = [PlannedCell(**cell) for cell in data["plan"]]
        shown = Shown(**data["shown"])
        return cls(**{**data, "plan": plan, "flags": tuple(data["flags"]), "shown": shown})


def take_in(chapter: Chapter, data: bytes) -> Intake:
    """What the bytes of a file come to. Never raises for what is in them."""
    put_right: list[str] = []
    try:
        cells, tags = read_notebook(data, put_right)
    except SubmissionError as error:
        return Intake(problem=clean(error, 300))
    repaired = repair(chapter, cells)
    plan = planned(chapter, repaired.cells)
    answers = {exercise.id: repaired.answer(exercise.id) for exercise in chapter.exercises}
    return Intake(
        plan,
        same_opening(chapter, plan),
        find_flags(chapter, cells, tags),
        [clean(line, 300) for line in [*put_right, *repaired.report][:50]],
        earlier_exercises(chapter, plan),
        shown(chapter, cells, {name: text for name, text in answers.items() if text}),
    )


def parse_release(chapter: Chapter) -> None:
    """Go through the release once, so that every fork remembers what its cells need."""
    cells = [RepairedCell(cell.id, cell.released) for cell in chapter.code]
    earlier_exercises(chapter, planned(chapter, cells))


def serve(chapter: Chapter, file: int) -> None:
    """Take in what comes over a socket, within limits; runs in a process of its own."""
    import resource  # not on Windows, where students' check imports this package

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    sock = socket.socket(fileno=file)
    _, data = frames.receive(sock, WIDE)
    frames.send(sock, asdict(take_in(chapter, bytes(data))))


class IntakeProcess:
    """A file on its way through ``take_in``, in a process forked from the check server of the
    chapter.
    """

    def __init__(self, server: Parent, data: bytes) -> None:
        self._server, self._data = server, data
        self._sock, theirs = socket.socketpair()
        self._started = server.post("start", [theirs], about={"work": "intake"})
        theirs.close()

    def result(self, seconds: float) -> Intake:
        """What ``take_in`` gave; a problem also where it came to no end. Raises Starved where it
        did not even have its time in so many seconds by the clock.
        """
        try:
            self._sock.settimeout(seconds)
            frames.send(self._sock, {}, [self._data])
            answer = frames.receive(self._sock, WIDE, time.monotonic() + seconds)[0]
            return Intake.from_data(answer)
        except TimeoutError as error:
            raise Starved() from error
        except (BridgeError, OSError):
            return Intake(problem=TOO_MUCH)
        finally:
            self._sock.close()
            self._server.post("stop", pid=self._started.answer()["pid"])
