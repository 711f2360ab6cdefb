"""The fork server inside the sandbox: imports torch, numpy, matplotlib and IPython, then forks one
process per submission.

It never reads a line that a student wrote; each fork has a socket of its own.
"""

import gc
import json
import os
import resource
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

if __name__ == "__main__":
    gc.disable()  # until all is imported; see preload.py

from ..rpc import frames
from . import namespaces, probe, tamper, usage
from .fork_server import ForkServer
from .ipython_shell import make_shell, silence
from .preload import preload
from .student_process import CodeRunner


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

    def _wait_for_orphans(self):
        if self.sealed:
            namespaces.become_reaper()

    def launch(self, about: dict[str, Any], files: Sequence[int]) -> int:
        if self.sealed:
            return namespaces.launch(
                about["limits"], lambda: self.work(about, files), files[:1], self.fork, files[1:]
            )
        return self.fork(lambda: self._unsealed(about, files), files)

    def work(self, about: dict[str, Any], files: Sequence[int]) -> None:
        sys.path.insert(
            0, ""
        )  # what a student writes with %%writefile can be imported, as in a notebook
        CodeRunner(socket.socket(fileno=files[0]), self.shell).serve()

    def _unsealed(self, about, files):
        os.setsid()
        namespaces.limit(about["limits"])
        self.work(about, files)

    def kill(self, pid: int) -> None:
        if self.sealed:
            os.kill(pid, signal.SIGKILL)
        else:
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
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
        """What students' processes use: bytes of memory, number of processes and sockets, seconds
        of processor time, and whether they run.
        """
        return usage.measure(os.getpid())


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sock = socket.socket(fileno=int(sys.argv[1]))
    server = StudentServer(sock, sealed=sys.argv[2] == "sealed")
    frames.send(sock, {"ready": True})
    server.serve()
    os._exit(0)  # without taking the interpreter apart


if __name__ == "__main__":
    main()
