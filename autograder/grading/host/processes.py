"""The processes of one submission as seen from the worker: the one in the sandbox that runs the
student's code, and the trusted one that runs the checks. Start them, ask them, find out how they
ended.
"""

import signal
import socket
import time
from dataclasses import asdict
from typing import Any

from autograder.grading.host import control_group
from autograder.grading.host.fork_servers import Broken, Parent
from autograder.grading.host.patience import Clock, Starved, answered
from autograder.grading.limits import Limits
from autograder.grading.plan import CheckRequest
from autograder.grading.result import Ending, Outcome, Status
from autograder.sandboxed.process.usage import Usage
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError, clean

SIGNALS = {one.value: one.name for one in signal.Signals}  # those with a name
ANSWER = frames.Bounds(json_bytes=1 << 20, payload_bytes=0)


class StudentProcess:
    """Forked from a student server; the sandbox's side of its socket is ``CodeRunner`` in
    ``sandboxed.process.student_server``. What waits for it raises Starved on a busy machine.
    """

    def __init__(self, server: Parent, limits: Limits, clock: Clock) -> None:
        self.server, self.limits, self.clock = server, limits, clock
        self.sock, theirs = socket.socketpair()
        self.group = (
            control_group.make(limits.total_bytes, limits.processes) if server.sealed else None
        )
        files: list[socket.socket | int] = [theirs, self.group.procs] if self.group else [theirs]
        self._started = server.post("start", files, about={"limits": limits.for_process()})
        theirs.close()
        self.used = Usage()
        self.too_large = False

    def discard(self) -> None:
        """Kill the process with all it started; nobody waits for that."""
        self.sock.close()
        self.server.post("stop", pid=self._started.answer()["pid"])
        self._ungroup()

    def _ungroup(self) -> None:
        """End the control group, if there is one; what was too large for it is remembered."""
        if self.group:
            self.too_large |= self.group.ran_out
            self.group.remove()
            self.group = None

    def run(self, label: str, text: str, seconds: float) -> Ending:
        """Run one cell; unless it came to its end or raised, the process is gone."""
        try:
            answer = self._ask({"do": "cell", "label": label, "text": text}, seconds)
        except TimeoutError:
            return self.end(f"The cell ran longer than {seconds:.0f} s.")
        except (BridgeError, OSError):
            return self.end()
        raised = answer.get("ran")
        if not isinstance(raised, dict):
            return Ending(Status.PASSED)
        kind, message = clean(raised.get("type"), 80), clean(raised.get("message"))
        if kind == "MemoryError" or "allocate memory" in message:
            return Ending(Status.ERROR, f"{kind}: {message}", "MemoryError")
        where: Any = raised.get("where")
        has_line = isinstance(where, list) and len(where) == 2 and type(where[1]) is int
        said = f"{kind} in line {where[1]}" if has_line else kind
        return Ending(Status.ERROR, f"{said}: {message}" if message else said, kind)

    def evidence(self) -> list[str]:
        """What the process says was tampered with."""
        try:
            found = self._ask({"do": "evidence"}, 2.0).get("evidence")
        except (BridgeError, OSError, Starved):
            return []
        return [clean(line, 200) for line in found[:20]] if isinstance(found, list) else []

    def _ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a message; the process may neither refuse to read it nor answer drop by
        drop.
        """
        self._started.answer()
        try:
            self.sock.settimeout(self.limits.cell_seconds)
            frames.send(self.sock, message)
            if not answered(self.sock, self, seconds):
                raise TimeoutError
            return frames.receive(self.sock, ANSWER, time.monotonic() + self.limits.cell_seconds)[0]
        finally:  # the trusted process that uses this socket next waits without end
            self.sock.settimeout(None)

    def outgrown(self) -> bool:
        """Whether all processes of the student together use more memory than they may."""
        self.used = Usage(**self.server.order("measure"))
        room = self.limits.total_bytes - self.limits.scratch_bytes  # files count as if full
        self.too_large = self.server.sealed and self.used.bytes > room
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
            said = "The code used more memory than there is for one notebook."
            return Ending(Status.MEMORY, said)
        if late or status == -signal.SIGXCPU:
            said = "The code used more processor time than there is for one notebook."
            return Ending(Status.TIMEOUT, late or said)
        return Ending(Status.DIED, f"The process that ran the code ended{_how(status)}.")


def _how(status: int | None) -> str:
    if status is None or status >= 0:
        return "" if status is None else f" with exit code {status}"
    return f" by signal {SIGNALS.get(-status, -status)}"


class CheckProcess:
    """The trusted process that runs the checks of one submission: forked from the check server of
    the chapter, it talks to the student's process over ``student``, a socket.
    """

    def __init__(self, server: Parent, student: socket.socket) -> None:
        self.server = server
        self.sock, theirs = socket.socketpair()
        self._started = server.post("start", [student, theirs], about={"work": "checks"})
        theirs.close()

    def run(self, request: CheckRequest, seconds: float, student: StudentProcess) -> Outcome | None:
        """The Outcome of a check, or None when it is not over in time. student: its processes may
        outgrow their limits meanwhile.
        """
        try:
            frames.send(self.sock, asdict(request))
            if not answered(self.sock, student, seconds, self._started.answer()["pid"]):
                return None
            return Outcome.from_data(frames.receive_order(self.sock)[0])
        except (BridgeError, OSError):
            said = "The answer could not be compared: it was too large."
            return Outcome(Status.MEMORY, said)

    def close(self) -> None:
        """Kill the process; nobody waits for that."""
        self.sock.close()
        self.server.post("stop", pid=self._started.answer()["pid"])
