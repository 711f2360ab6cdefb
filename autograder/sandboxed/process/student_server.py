"""The fork server inside the sandbox: imports torch, numpy, matplotlib and IPython, then forks one
process per submission, in which a CodeRunner runs its cells and answers for its functions.

The server never reads a line that a student wrote; each fork has a socket of its own.
"""

import contextlib
import gc
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

if __name__ == "__main__":
    gc.disable()  # until all is imported; see preload.py

from ..rpc import failures, frames
from ..rpc.endpoint import Endpoint
from . import namespaces, probe, tamper, usage
from .fork_server import ForkServer
from .ipython_shell import Shell, make_shell, silence
from .preload import preload


class StudentServer(ForkServer):
    """Workers are students' processes, each in namespaces of its own, or, not ``sealed``, with the
    rights of the caller.
    """

    def __init__(self, sock: socket.socket, sealed: bool) -> None:
        super().__init__(sock)
        self.orders |= {"probe": self.probe, "measure": self.measure}
        self.sealed = sealed
        self._wait_for_orphans()
        preload()
        self.shell = make_shell()
        silence()
        tamper.remember(self.shell)

    def prepare(self, about: dict[str, Any]) -> None:
        """Run cells of the release, which every submission starts with, once for all."""
        self._wait_for_orphans()
        for label, text in about.get("cells", ()):
            self.shell.run(label, text)

    def _wait_for_orphans(self) -> None:
        if self.sealed:
            namespaces.become_reaper()

    def launch(self, about: dict[str, Any], files: Sequence[int]) -> int:
        if self.sealed:
            return namespaces.launch(
                about["limits"], lambda: self.work(about, files), files[:1], self.fork, files[1:]
            )
        return self.fork(lambda: self._unsealed(about, files), files)

    def work(self, about: dict[str, Any], files: Sequence[int]) -> None:
        # what %%writefile writes can be imported, as in a notebook; folders of who grades, which
        # are not there, are not named either
        sys.path[:] = ["", *filter(os.path.isdir, sys.path)]
        CodeRunner(socket.socket(fileno=files[0]), self.shell).serve()

    def _unsealed(self, about: dict[str, Any], files: Sequence[int]) -> None:
        os.setsid()
        namespaces.limit(about["limits"])
        self.work(about, files)

    def kill(self, pid: int) -> None:
        if not self.sealed:
            with contextlib.suppress(ProcessLookupError):  # it has no group of its own yet
                os.killpg(pid, signal.SIGKILL)
                return
        os.kill(pid, signal.SIGKILL)

    def probe(self, files: Sequence[int]) -> dict[str, Any]:
        """Which promises of the sandbox do not hold here: shut a process in, and have it try each
        of them.
        """
        result, tell = os.pipe()
        found = partial(os.write, tell)
        pid = namespaces.launch(
            probe.LIMITS,
            lambda: found(json.dumps(probe.broken_promises()).encode()),
            [tell],
            self.fork,
        )
        os.close(tell)
        with os.fdopen(result, "rb") as file:
            told = file.read()
        os.waitpid(pid, 0)
        return {"broken": json.loads(told) if told else ["the process that tries it out died"]}

    def measure(self, files: Sequence[int]) -> dict[str, Any]:
        """What students' processes use, as the fields of a ``Usage``."""
        return asdict(usage.measure(os.getpid()))


class CodeRunner:
    """Serves one socket: runs the cells that the worker sends, and answers in the conversations of
    the checks.
    """

    def __init__(self, sock: socket.socket, shell: Shell) -> None:
        self.sock, self.shell = sock, shell
        self.cells: dict[str, str] = {}
        self.endpoint = self._conversation()

    def serve(self) -> None:
        """Do what is asked until nobody can ask any more."""
        orders: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "cell": self._cell,
            "begin": self._begin,
            "evidence": lambda message: {"evidence": tamper.differences(self.shell)},
        }
        while True:
            try:
                message, payload = frames.receive(self.sock, frames.WIDE)
                if message.get("do") in orders:
                    frames.send(self.sock, orders[message["do"]](message))
                else:
                    self.endpoint.perform(message, payload)
            except failures.Gone:
                return

    def _conversation(self) -> Endpoint:
        return Endpoint(
            self.sock,
            strict=False,
            namespace=self.shell.user_ns,
            cells=self.cells,
            run_cell=self.run_cell,
        )

    def _begin(self, message: dict[str, Any]) -> dict[str, Any]:
        """A check begins: nothing that was handed over in an earlier one is valid any more."""
        self.endpoint.open = False
        self.endpoint = self._conversation()
        return {"begun": True}

    def _cell(self, message: dict[str, Any]) -> dict[str, Any]:
        error = self.run_cell(message["label"], message["text"])
        return {"ran": None if error is None else failures.describe(error, self.cells)}

    def run_cell(self, label: str, text: str) -> BaseException | None:
        """Run a cell; returns the exception that ended it, or None."""
        self.cells[f"<{label}>"] = label
        try:
            return self.shell.run(label, text)
        except BaseException as escaped:
            return escaped


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sock = socket.socket(fileno=int(sys.argv[1]))
    server = StudentServer(sock, sealed=sys.argv[2] == "sealed")
    frames.send(sock, {"ready": True})
    server.serve()
    os._exit(0)  # without taking the interpreter apart


if __name__ == "__main__":
    main()
