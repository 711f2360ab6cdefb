"""A process that has imported once what is slow to import, and forks for every piece of work.

It takes orders as frames on a socket: *branch* (fork a server of the same kind that first prepares
something and has a socket of its own), *start* (fork a worker), *stop* (kill a worker and say how
it ended). It ends when the socket is closed.
"""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..rpc import frames
from ..rpc.failures import Gone

GRACE = 0.2  # seconds that a worker which is ending is given to end


class ForkServer:
    """Subclasses say what to prepare in a branch, and what a worker does."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.workers: set[int] = set()
        self.orders: dict[str, Callable[..., dict[str, Any]]] = {
            "branch": self.branch,
            "start": self.start,
            "stop": self.stop,
        }

    def prepare(self, about: dict[str, Any]) -> None:
        """Runs once in a branch, before it takes orders."""

    def work(self, about: dict[str, Any], files: Sequence[int]) -> None:
        """Runs in a worker, which ends with it."""
        raise NotImplementedError

    def launch(self, about: dict[str, Any], files: Sequence[int]) -> int:
        """Fork a worker; returns its process id."""
        return self.fork(lambda: self.work(about, files), files)

    def fork(self, run: Callable[[], object], files: Iterable[int] = ()) -> int:
        """Fork a process that keeps only these files open, runs, and ends without looking back."""
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid:
            return pid
        code = 1
        try:
            close_all_but({0, 1, 2, *files})
            run()
            code = 0
        finally:
            os._exit(code)

    def serve(self) -> None:
        """Take orders until nobody can give any more."""
        while True:
            try:
                message, files = frames.receive_order(self.sock)
            except Gone:
                for pid in list(self.workers):
                    self.stop((), pid)
                return
            try:
                answer = self.orders[message.pop("order")](files, **message)
            except Exception as error:
                answer = {"error": f"{error}", "type": type(error).__name__}
            for file in files:
                os.close(file)
            frames.send(self.sock, answer)

    def branch(self, files: Sequence[int], about: dict[str, Any]) -> dict[str, Any]:
        """Fork a server of this kind; it says on its own socket when it is ready, or why it will
        not be.
        """

        def run() -> None:
            self.sock, self.workers = socket.socket(fileno=files[0]), set()
            try:
                self.prepare(about)
            except BaseException as error:
                frames.send(self.sock, {"error": f"{error}" or type(error).__name__})
                return
            frames.send(self.sock, {"ready": True})
            self.serve()

        pid = self.fork(run, files)
        self.workers.add(pid)
        return {"pid": pid}

    def start(self, files: Sequence[int], about: dict[str, Any]) -> dict[str, Any]:
        """Fork a worker."""
        pid = self.launch(about, files)
        self.workers.add(pid)
        return {"pid": pid}

    def stop(self, files: Sequence[int], pid: int, gently: bool = False) -> dict[str, Any]:
        """End a worker, gently: after a moment in which it may end by itself. The answer has its
        exit status.
        """
        if pid not in self.workers:
            return {"status": None}
        deadline = time.monotonic() + (GRACE if gently else 0)
        ended, status = os.waitpid(pid, os.WNOHANG)
        while not ended and time.monotonic() < deadline:
            time.sleep(0.005)
            ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended:
            self.kill(pid)
            _, status = os.waitpid(pid, 0)
        self.workers.discard(pid)
        return {"status": os.waitstatus_to_exitcode(status)}

    def kill(self, pid: int) -> None:
        """Kill a worker with all that it started."""
        os.kill(pid, signal.SIGKILL)


def close_all_but(kept: set[int]) -> None:
    """Close every file descriptor except these."""
    last = 2
    for file in [*sorted(kept - {0, 1, 2}), os.sysconf("SC_OPEN_MAX")]:
        os.closerange(last + 1, file)
        last = file
