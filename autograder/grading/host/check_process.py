"""The trusted process that runs the checks of one submission, as seen from the worker."""

import socket

from autograder.grading.host.parents import wait_readable
from autograder.sandboxed.process import orders as control


class Checker:
    """Forked from the parent that holds the chapter's reference; talks to the student's process over ``far``."""

    def __init__(self, parent, far):
        self.parent = parent
        self.sock, there = socket.socketpair()
        self._started = parent.post("start", [far, there], about={})
        there.close()

    def run(self, asked, seconds, meanwhile):
        """The outcome of a check, or None when it is not over in time."""
        try:
            control.send(self.sock, asked)
            if not wait_readable(self.sock, seconds, meanwhile):
                return None
            return control.receive(self.sock)[0]
        except (EOFError, OSError):
            return {
                "passed": False,
                "kind": "memory",
                "message": "The answer could not be compared: it was too large.",
            }

    def close(self):
        """Kill the process; nobody waits for that."""
        self.sock.close()
        self.parent.post("stop", pid=self._started.answer()["pid"])
