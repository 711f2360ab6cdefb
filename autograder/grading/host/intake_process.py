"""From the bytes of a file to the steps that are run: intake, repair, flags, and which answer leans on which exercise.

All this reads text that a stranger wrote, some of it with Python's own parser, so it happens in a process of its own with limits:
a file that is made to break it breaks that process alone.
"""

import resource
import signal
import socket
import time

from autograder.course.errors import SubmissionError
from autograder.grading.dependencies import leaning
from autograder.grading.flags import find_flags
from autograder.grading.intake import read_notebook, tags_of
from autograder.grading.plan import Step, placed, shared_opening
from autograder.grading.repair import Placed, repair
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError, clean

SECONDS = 8  # of processor time; a damaged notebook takes well under one
MEMORY = 4 << 30
TOO_MUCH = "the file could not be read: it takes more time or memory than there is for one notebook"
WIDE = frames.Bounds(json_bytes=256 << 20, payload_bytes=256 << 20)


def mend(chapter, data):
    """What a notebook comes to, as plain data; "problem" alone if it cannot be graded."""
    try:
        loose = read_notebook(data)
    except SubmissionError as error:
        return {"problem": clean(error, 300)}
    mended = repair(chapter, loose)
    steps = placed(chapter, mended.cells)
    return {
        "steps": [[step.id, step.label, step.text, step.is_check] for step in steps],
        "ready": shared_opening(chapter, steps),
        "flags": find_flags(chapter, loose, tags_of(data)),
        "report": [clean(line, 300) for line in mended.report[:50]],
        "leans": leaning(chapter, steps),
    }


def rehearse(chapter):
    """Go through the release once, so that every fork remembers what its cells need."""
    placed(chapter, [Placed(cell.id, cell.released) for cell in chapter.code])


def serve(chapter, file):
    """Mend what comes over a socket, within limits; runs in a process of its own."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    signal.alarm(3 * SECONDS)
    sock = socket.socket(fileno=file)
    _, data = frames.receive(sock, WIDE)
    frames.send(sock, mend(chapter, bytes(data)))


class Mending:
    """A file on its way through ``mend``, in a process forked from the parent that holds the chapter."""

    def __init__(self, parent, data):
        self._parent, self._data = parent, data
        self._sock, there = socket.socketpair()
        self._started = parent.post("start", [there], about={"mend": True})
        there.close()

    def result(self):
        """What ``mend`` gave, steps as Steps; "problem" also where it came to no end."""
        with self._sock as sock:
            try:
                sock.settimeout(4 * SECONDS)
                frames.send(sock, {}, [self._data])
                answer = frames.receive(sock, WIDE, time.monotonic() + 4 * SECONDS)[0]
            except (BridgeError, OSError):
                answer = {"problem": TOO_MUCH}
        self._parent.post("stop", pid=self._started.answer()["pid"])
        return {**answer, "steps": [Step(*step) for step in answer.get("steps", ())]}
