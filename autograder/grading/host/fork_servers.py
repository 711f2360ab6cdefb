"""The fork servers as seen from the worker: start them, give them orders, end them."""

import collections
import socket
import subprocess
from collections.abc import Callable, Iterable
from typing import Any, Self

from autograder.course.errors import AutograderError, SandboxError
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import BridgeError

SLOWEST_START = 180.0


class Broken(AutograderError):
    """A parent process ended or does not answer."""


class Parent:
    """A fork server's process and the socket on which it takes orders."""

    def __init__(
        self,
        sock: socket.socket,
        process: subprocess.Popen[bytes] | None = None,
        pid: int | None = None,
        refused: Callable[[str], Exception] = Broken,
    ) -> None:
        self.sock, self.process, self.pid = sock, process, pid
        self.sealed = False  # whether its workers are in the sandbox
        self._refused, self._waited = refused, process is None
        self._pending: collections.deque[Pending] = collections.deque()

    @classmethod
    def start(
        cls,
        command: Callable[[int], list[str]],
        environment: dict[str, str],
        refused: Callable[[str], Exception] = Broken,
        **how: Any,
    ) -> Self:
        """Start a process that finds its socket at the file number that ``command(number)`` is
        told; does not wait for it.

        refused: the error to raise, with the last line that the process said, if it ends instead of
        getting ready; how: further words for Popen.
        """
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            command(theirs.fileno()),
            env=environment,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            **how,
        )
        theirs.close()
        ours.settimeout(SLOWEST_START)
        return cls(ours, process, refused=refused)

    def wait(self) -> None:
        """Wait until the process has imported all that it needs."""
        if self._waited:
            return
        self._waited = True
        try:
            frames.receive_order(self.sock)
        except (BridgeError, OSError) as broken:
            said = ""
            if self.process and self.process.stderr:
                self.process.kill()
                said = self.process.stderr.read().decode("utf-8", "replace").strip()
            self.close()
            raise self._refused(said.split("\n")[-1] or "the process did not start") from broken

    def order(
        self, name: str, files: Iterable[socket.socket | int] = (), **details: Any
    ) -> dict[str, Any]:
        """Give an order and wait for the answer."""
        return self.post(name, files, **details).answer()

    def post(
        self, name: str, files: Iterable[socket.socket | int] = (), **details: Any
    ) -> "Pending":
        """Give an order without waiting; the Pending that is returned has the answer when it is
        asked.
        """
        self.wait()
        try:
            frames.send(self.sock, {"order": name, **details}, files=files)
        except (BridgeError, OSError) as broken:
            raise Broken("a parent process is gone") from broken
        pending = Pending(self)
        self._pending.append(pending)
        return pending

    def take(self) -> None:
        """Read one answer, the one to the oldest order that waits for it."""
        try:
            self._pending.popleft().told, _ = frames.receive_order(self.sock)
        except (BridgeError, OSError) as broken:
            raise Broken("a parent process is gone") from broken

    def branch(self, **about: Any) -> "Parent":
        """A parent of the same kind that has prepared something."""
        ours, theirs = socket.socketpair()
        pid = self.order("branch", [theirs], about=about)["pid"]
        theirs.close()
        ours.settimeout(SLOWEST_START)
        try:
            answer, _ = frames.receive_order(ours)
        except (BridgeError, OSError) as broken:
            raise Broken("a parent process ended while it prepared") from broken
        if "error" in answer:
            ours.close()
            raise Broken(answer["error"])
        made = Parent(ours, pid=pid)
        made.sealed = self.sealed
        return made

    def close(self) -> None:
        """End the process with all that were forked from it."""
        self.sock.close()
        if self.process:
            if self.process.stderr:
                self.process.stderr.close()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Pending:
    """The answer to an order, sooner or later."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self.told: dict[str, Any] | None = None  # until it came

    def answer(self) -> dict[str, Any]:
        """Wait for it. Raises SandboxError where a process could not be shut in, else Broken."""
        while self.told is None:
            self._parent.take()
        if self.told.get("type") == "NotIsolated":
            raise SandboxError(f"the sandbox cannot be set up: {self.told['error']}.")
        if "error" in self.told:
            raise Broken(self.told["error"])
        return self.told
