"""The fork server inside the sandbox: imports torch, numpy, matplotlib and IPython, then forks one process per submission.

It never reads a line that a student wrote; each fork has a socket of its own.
"""

import gc
import os
import resource
import signal
import socket
import sys

if __name__ == "__main__":
    gc.disable()  # until all is imported; see preload.py

from ..rpc import frames
from . import namespaces, tamper
from .fork_server import ForkServer
from .ipython_shell import make_shell, silence
from .preload import preload
from .student_process import CodeRunner


class StudentServer(ForkServer):
    """Workers are students' processes, each in namespaces of its own, or, not ``sealed``, with the rights of the caller."""

    def __init__(self, sock, sealed):
        super().__init__(sock)
        self.orders |= {"probe": self.probe, "measure": self.measure}
        self.sealed = sealed
        self._wait_for_orphans()
        preload()
        self.shell = make_shell()
        silence()
        tamper.remember(self.shell)

    def prepare(self, about):
        """Run cells of the release, which every submission starts with, once for all."""
        self._wait_for_orphans()
        for label, text in about.get("cells", ()):
            self.shell.run(label, text)

    def _wait_for_orphans(self):
        if self.sealed:
            namespaces.become_reaper()

    def launch(self, about, files):
        if self.sealed:
            return namespaces.launch(
                about["limits"], lambda: self.work(about, files), files, self.fork
            )
        return self.fork(lambda: self._unsealed(about, files), files)

    def work(self, about, files):
        CodeRunner(socket.socket(fileno=files[0]), self.shell).serve()

    def _unsealed(self, about, files):
        os.setsid()
        namespaces.limit(about["limits"])
        self.work(about, files)

    def kill(self, pid):
        if self.sealed:
            os.kill(pid, signal.SIGKILL)
        else:
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                os.kill(pid, signal.SIGKILL)

    def probe(self, files):
        """Whether a process can be shut in here at all: do it with one that does nothing."""
        pid = namespaces.launch({"scratch_bytes": 1 << 20}, lambda: None, [], self.fork)
        os.waitpid(pid, 0)
        return {}

    def measure(self, files):
        """Memory in use by students' processes, in bytes, and how many there are."""
        return dict(zip(("bytes", "processes"), namespaces.measure(os.getpid())))


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sock = socket.socket(fileno=int(sys.argv[1]))
    server = StudentServer(sock, sealed=sys.argv[2] == "sealed")
    frames.send(sock, {"ready": True})
    server.serve()
    os._exit(0)  # without taking the interpreter apart


if __name__ == "__main__":
    main()
