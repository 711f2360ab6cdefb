"""The process that runs one student's code as seen from the worker: start it, have it run cells,
find out how it ended.
"""

import signal
import socket
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.grading.host import control_group
from autograder.grading.host.fork_servers import Broken
from autograder.grading.host.patience import Patience
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError, clean

if TYPE_CHECKING:
    from autograder.grading.host.fork_servers import Parent
    from autograder.grading.limits import Limits


ANSWER = frames.Bounds(json_bytes=1 << 20, payload_bytes=0)


@dataclass(frozen=True)
class Ending:
    """How a cell, or a process, ended: "fine", "raised", "time", "memory" or "died"."""

    kind: str
    message: str = ""
    error: str = ""  # type of the exception, when it raised

    @property
    def fatal(self) -> bool:
        """Whether the process is gone."""
        return self.kind not in ("fine", "raised")


class StudentProcess:
    """Forked from a student server; the sandbox's side of its socket is
    ``sandboxed.process.student_process``.
    """

    def __init__(self, server: "Parent", limits: "Limits") -> None:
        self.server, self.limits = server, limits
        self.sock, theirs = socket.socketpair()
        self.group = (
            control_group.make(limits.total_bytes, limits.processes) if server.sealed else None
        )
        files: list[socket.socket | int] = [theirs, self.group.procs] if self.group else [theirs]
        self._started = server.post("start", files, about={"limits": limits.for_process()})
        theirs.close()
        self.used = {"bytes": 0, "seconds": 0.0, "running": False}
        self.too_large = self.starved = False

    def discard(self) -> None:
        """Kill the process with all it started; nobody waits for that."""
        self.sock.close()
        self.server.post("stop", pid=self._started.answer()["pid"])
        self._ungroup()

    def _ungroup(self):
        """End the control group, if there is one; what was too large for it is remembered."""
        if self.group:
            self.too_large |= self.group.ran_out
            self.group.remove()
            self.group = None

    def run(self, label: str, text: str, seconds: float) -> Ending:
        """Run one cell; anything but "fine" and "raised" means that the process is gone."""
        try:
            answer = self._ask({"do": "cell", "label": label, "text": text}, seconds)
        except TimeoutError:
            return self.end(f"The cell ran longer than {seconds:.0f} s.")
        except (BridgeError, OSError):
            return self.end()
        raised = answer.get("ran")
        if not isinstance(raised, dict):
            return Ending("fine")
        kind, message = clean(raised.get("type"), 80), clean(raised.get("message"))
        if kind == "MemoryError" or "allocate memory" in message:
            return Ending("raised", f"{kind}: {message}", "MemoryError")
        where = raised.get("where")
        line = (
            f" in line {where[1]}"
            if isinstance(where, list) and len(where) == 2 and type(where[1]) is int
            else ""
        )
        return Ending("raised", f"{kind}{line}: {message}" if message else f"{kind}{line}", kind)

    def evidence(self) -> list[str]:
        """What the process says was tampered with."""
        try:
            found = self._ask({"do": "evidence"}, 2.0).get("evidence")
        except (BridgeError, OSError):
            return []
        return [clean(line, 200) for line in found[:20]] if isinstance(found, list) else []

    def _ask(self, message, seconds):
        """The answer to a message; the process may neither refuse to read it nor answer drop by
        drop.
        """
        self._started.answer()
        try:
            self.sock.settimeout(seconds)
            frames.send(self.sock, message)
            patience = Patience(self, seconds)
            if not patience.readable(self.sock):
                self.starved |= patience.starved
                raise TimeoutError
            return frames.receive(self.sock, ANSWER, time.monotonic() + seconds)[0]
        finally:
            self.sock.settimeout(
                None
            )  # the trusted process that uses this socket next waits without end

    def outgrown(self) -> bool:
        """Whether all processes of the student together use more memory than they may."""
        if self.server.sealed:
            self.used = self.server.order("measure")
        room = self.limits.total_bytes - self.limits.scratch_bytes  # files count as if full
        self.too_large = self.used["bytes"] > room
        return self.too_large

    def end(self, late: str = "") -> Ending:
        """Kill the process with all it started; says how it ended. ``late``: what to say if it was
        still running.
        """
        self.sock.close()
        try:
            status = self.server.order(
                "stop", pid=self._started.answer()["pid"], gently=not late and not self.too_large
            )["status"]
        except Broken:
            status = None
        self._ungroup()
        if self.too_large:
            return Ending("memory", "The code used more memory than there is for one notebook.")
        if late or status == -signal.SIGXCPU:
            return Ending(
                "time", late or "The code used more processor time than there is for one notebook."
            )
        return Ending("died", "The process that ran the code ended" + _how(status))


def _how(status):
    if status is None:
        return "."
    return (
        f" with exit code {status}."
        if status >= 0
        else f" by signal {signal.Signals(-status).name}."
    )
