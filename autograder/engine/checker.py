"""The trusted process that runs the checks of one submission, as seen from the worker."""

import socket

from .bridge import control
from .parents import Broken, wait_readable


class Checker:
    """Forked from the parent that holds the chapter's reference; talks to the student's process over ``far``."""

    def __init__(self, parent, far):
        self.parent = parent
        self.sock, there = socket.socketpair()
        self.pid = parent.order("start", [far, there], about={})["pid"]
        there.close()
        self._idle = True

    def run(self, asked, seconds, meanwhile):
        """The outcome of a check, or None when it is not over in time."""
        self._idle = False
        try:
            control.send(self.sock, asked)
            if not wait_readable(self.sock, seconds, meanwhile):
                return None
            outcome = control.receive(self.sock)[0]
        except (EOFError, OSError):
            return {"passed": False, "kind": "memory", "message": "The answer could not be compared: it was too large."}
        self._idle = True
        return outcome

    def close(self):
        self.sock.close()
        try:
            self.parent.order("stop", pid=self.pid, gently=self._idle)
        except Broken:
            pass
