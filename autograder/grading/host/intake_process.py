"""From the bytes of a file to the plan of what is run: intake, repair, flags, and which answer
leans on which exercise.

All this reads text that a stranger wrote, some of it with Python's own parser, so it happens in a
process of its own with limits:
a file that is made to break it breaks that process alone. Nothing else opens a student's file.
"""

import signal
import socket
import time
from dataclasses import astuple
from typing import TYPE_CHECKING, Any

from autograder.course.errors import SubmissionError
from autograder.course.model import Chapter
from autograder.grading.dependencies import earlier_exercises
from autograder.grading.flags import find_flags
from autograder.grading.intake import read_notebook
from autograder.grading.loose import RepairedCell
from autograder.grading.plan import PlannedCell, planned, same_opening
from autograder.grading.repair import repair
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError, clean

if TYPE_CHECKING:
    from autograder.grading.host.fork_servers import Parent


SECONDS = 8  # of processor time; a damaged notebook takes well under one
MEMORY = 4 << 30
TOO_MUCH = "the file could not be read: it takes more time or memory than there is for one notebook"
WIDE = frames.Bounds(json_bytes=256 << 20, payload_bytes=256 << 20)
LONGEST_ANSWER = 20_000  # characters of an answer that are kept for the comparison of answers


def take_in(chapter: Chapter, data: bytes) -> dict[str, Any]:
    """What a notebook comes to, as plain data; "problem" alone if it cannot be graded."""
    try:
        cells, tags = read_notebook(data)
    except SubmissionError as error:
        return {"problem": clean(error, 300)}
    repaired = repair(chapter, cells)
    plan = planned(chapter, repaired.cells)
    exercises = {exercise.id for exercise in chapter.exercises}
    return {
        "plan": [list(astuple(cell)) for cell in plan],
        "opened": same_opening(chapter, plan),
        "flags": find_flags(chapter, cells, tags),
        "report": [clean(line, 300) for line in repaired.report[:50]],
        "earlier": earlier_exercises(chapter, plan),
        "answers": {
            cell.id: cell.text[:LONGEST_ANSWER] for cell in repaired.cells if cell.id in exercises
        },
    }


def parse_release(chapter: Chapter) -> None:
    """Go through the release once, so that every fork remembers what its cells need."""
    planned(chapter, [RepairedCell(cell.id, cell.released) for cell in chapter.code])


def serve(chapter: Chapter, file: int) -> None:
    """Take in what comes over a socket, within limits; runs in a process of its own."""
    import resource  # not on Windows, where students' check imports this package

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    signal.alarm(3 * SECONDS)
    sock = socket.socket(fileno=file)
    _, data = frames.receive(sock, WIDE)
    frames.send(sock, take_in(chapter, bytes(data)))


class IntakeProcess:
    """A file on its way through ``take_in``, in a process forked from the check server of the
    chapter.
    """

    def __init__(self, server: "Parent", data: bytes) -> None:
        self._server, self._data = server, data
        self._sock, theirs = socket.socketpair()
        self._started = server.post("start", [theirs], about={"work": "intake"})
        theirs.close()

    def result(self) -> dict[str, Any]:
        """What ``take_in`` gave, with PlannedCells; "problem" also where it came to no end."""
        with self._sock as sock:
            try:
                sock.settimeout(4 * SECONDS)
                frames.send(sock, {}, [self._data])
                answer = frames.receive(sock, WIDE, time.monotonic() + 4 * SECONDS)[0]
            except (BridgeError, OSError):
                answer = {"problem": TOO_MUCH}
        self._server.post("stop", pid=self._started.answer()["pid"])
        return {**answer, "plan": [PlannedCell(*cell) for cell in answer.get("plan", ())]}
