"""The trusted process that runs the checks of one submission, as seen from the worker."""

import socket
from typing import TYPE_CHECKING, Any

from autograder.grading.host.patience import Patience
from autograder.sandboxed.process.usage import waited
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError

if TYPE_CHECKING:
    from autograder.grading.host.fork_servers import Parent
    from autograder.grading.host.student_process import StudentProcess


class CheckProcess:
    """Forked from the check server of the chapter; talks to the student's process over ``student``,
    a socket.
    """

    def __init__(self, server: "Parent", student: socket.socket) -> None:
        self.server = server
        self.sock, theirs = socket.socketpair()
        self._started = server.post("start", [student, theirs], about={"work": "checks"})
        theirs.close()

    def run(
        self, asked: dict[str, Any], seconds: float, student: "StudentProcess"
    ) -> dict[str, Any] | None:
        """The outcome of a check, or None when it is not over in time.

        asked: what ``check_server`` takes; student: the StudentProcess, which may outgrow its
        limits meanwhile.
        """
        try:
            frames.send(self.sock, asked)
            patience = Patience(student, seconds, self._started.answer()["pid"])
            if not patience.readable(self.sock):
                student.starved |= patience.starved
                return None
            return frames.receive_order(self.sock)[0]
        except (BridgeError, OSError):
            return {
                "passed": False,
                "kind": "memory",
                "message": "The answer could not be compared: it was too large.",
            }

    @property
    def waited(self) -> float:
        """Seconds in which it wanted to run and another process ran instead."""
        return waited(self._started.answer()["pid"])

    def close(self) -> None:
        """Kill the process; nobody waits for that."""
        self.sock.close()
        self.server.post("stop", pid=self._started.answer()["pid"])
