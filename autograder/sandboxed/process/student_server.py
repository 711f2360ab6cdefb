"""The parent inside the sandbox: imports torch, numpy, matplotlib and IPython, then forks one process per submission.

It never reads a line that a student wrote; each fork has a socket of its own.
"""

import gc
import os
import resource
import signal
import socket
import sys

if __name__ == "__main__":
    gc.disable()  # until all is imported; see warm.py

from . import namespaces as confine
from . import orders as control
from . import tamper as watch
from .fork_server import Zygote
from .ipython_shell import make_shell, silence
from .preload import warm_up
from .student_process import Agent


class Keeper(Zygote):
    """Workers are students' processes, confined each in namespaces of its own unless told otherwise."""

    def __init__(self, orders, sealed):
        super().__init__(orders)
        self.sealed = sealed
        self._reap()
        warm_up()
        self.shell = make_shell()
        silence()
        watch.remember(self.shell)

    def prepare(self, about):
        """Run cells of the release, which every submission starts with, once for all."""
        self._reap()
        for label, text in about.get("cells", ()):
            self.shell.run(label, text)

    def _reap(self):
        if self.sealed:
            confine.become_reaper()

    def launch(self, about, files):
        if self.sealed:
            return confine.launch(
                about["limits"], lambda: self.work(about, files), files, self.fork
            )
        return self.fork(lambda: self._loose(about, files), files)

    def work(self, about, files):
        Agent(socket.socket(fileno=files[0]), self.shell).serve()

    def _loose(self, about, files):
        os.setsid()
        confine.limit(about["limits"])
        self.work(about, files)

    def kill(self, pid):
        if self.sealed:
            os.kill(pid, signal.SIGKILL)
        else:
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                os.kill(pid, signal.SIGKILL)

    def _probe(self, files=()):
        """Whether a process can be confined here at all: confine one that does nothing."""
        pid = confine.launch({"scratch_bytes": 1 << 20}, lambda: None, [], self.fork)
        os.waitpid(pid, 0)
        return {}

    def _measure(self, files=()):
        """Memory in use by students' processes, in bytes, and how many there are."""
        return dict(zip(("bytes", "processes"), confine.measure(os.getpid())))


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    orders = socket.socket(fileno=int(sys.argv[1]))
    keeper = Keeper(orders, sealed=sys.argv[2] == "sealed")
    control.send(orders, {"ready": True})
    keeper.serve()
    os._exit(0)  # without taking the interpreter apart


if __name__ == "__main__":
    main()
