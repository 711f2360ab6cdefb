"""A parent process that has imported once what is slow to import, and forks for every piece of work.

It takes orders over a socket: *branch* (fork a parent of the same kind that first prepares something, with a socket of its
own), *start* (fork a worker), *stop* (kill a worker and say how it ended). It ends when the socket is closed.
"""

import os
import signal
import socket
import sys
import time

from . import orders as control

GRACE = 0.2  # seconds that a worker which is ending is given to end


class Zygote:
    """Subclasses say what to prepare in a branch, and what a worker does."""

    def __init__(self, orders):
        self.orders = orders
        self.workers = set()

    def prepare(self, about):
        """Runs once in a branch, before it takes orders; what it returns goes with the answer."""

    def work(self, about, files):
        """Runs in a worker, which ends with it."""
        raise NotImplementedError

    def launch(self, about, files):
        """Fork a worker; returns its process id."""
        return self.fork(lambda: self.work(about, files), files)

    def fork(self, run, files=()):
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

    def serve(self):
        """Take orders until nobody can give any more."""
        while True:
            try:
                message, files = control.receive(self.orders)
            except (EOFError, ConnectionError):
                self.end()
                return
            try:
                answer = getattr(self, f"_{message.pop('order')}")(files=files, **message)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            for file in files:
                os.close(file)
            control.send(self.orders, answer)

    def end(self):
        for pid in list(self.workers):
            self._stop(pid)

    def _branch(self, files, about):
        def run():
            self.orders, self.workers = socket.socket(fileno=files[0]), set()
            try:
                answer = {"ready": self.prepare(about)}
            except BaseException as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            control.send(self.orders, answer)
            if "ready" in answer:
                self.serve()

        pid = self.fork(run, files)
        self.workers.add(pid)
        return {"pid": pid}

    def _start(self, files, about):
        pid = self.launch(about, files)
        self.workers.add(pid)
        return {"pid": pid}

    def _stop(self, pid, files=(), gently=False):
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

    def kill(self, pid):
        os.kill(pid, signal.SIGKILL)


def close_all_but(kept):
    """Close every file descriptor except these."""
    last = 2
    for file in [*sorted(kept - {0, 1, 2}), os.sysconf("SC_OPEN_MAX")]:
        os.closerange(last + 1, file)
        last = file
