"""The trusted fork server: holds the reference of each chapter, and forks a process for the checks
of each submission.

No student's code ever runs below it; what students' processes send is read here, as data.
"""

import os
import random
import resource
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from autograder.grading.plan import CheckRequest
from autograder.sandboxed.process.fork_server import ForkServer
from autograder.sandboxed.process.ipython_shell import silence
from autograder.sandboxed.process.preload import preload
from autograder.sandboxed.rpc import frames
from autograder.sandboxed.rpc.failures import Gone

if TYPE_CHECKING:
    from autograder.grading.reference import Reference

MEMORY = 4 << 30  # address space of the process that runs checks


class CheckServer(ForkServer):
    """A branch is a chapter; a worker takes in one file, or runs the checks of one submission."""

    def __init__(self, sock: socket.socket) -> None:
        super().__init__(sock)
        preload()
        # before any fork, and not above: preload() switches the collector off first
        import autograder.grading.check_run
        import autograder.grading.host.intake_process
        import autograder.grading.reference  # noqa: F401

        silence()  # only now: what stops the imports is to be read
        self._reference: Reference | None = None  # of the chapter, in a branch

    @property
    def reference(self) -> "Reference":
        assert self._reference, "a worker is forked from the branch of a chapter"
        return self._reference

    def prepare(self, about: dict[str, Any]) -> None:
        """Run a chapter's reference; without a chapter, go on with the one that the parent has."""
        if not about:
            return
        from autograder.grading.host.intake_process import parse_release
        from autograder.grading.reference import Reference

        self._reference = Reference(about["root"], about["chapter"])
        parse_release(self.reference.chapter)

    def work(self, about: dict[str, Any], files: Sequence[int]) -> None:
        {"intake": self._intake, "checks": self._checks}[about["work"]](files)

    def _intake(self, files: Sequence[int]) -> None:
        """Take in the file that comes over a socket."""
        from autograder.grading.host.intake_process import serve

        serve(self.reference.chapter, files[0])

    def _checks(self, files: Sequence[int]) -> None:
        """Run the checks of one submission, one after the other as they are asked for."""
        from autograder.grading.check_run import run_check

        student, report = (socket.socket(fileno=file) for file in files)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        while True:
            try:
                asked, _ = frames.receive_order(report)
            except Gone:
                return
            reset_state()
            outcome = run_check(self.reference, CheckRequest(**asked), student)
            frames.send(report, asdict(outcome))


def reset_state(seed: int = 0) -> None:
    """Every check begins in the same state, whatever ran before it."""
    import numpy
    import torch

    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed % (1 << 32))
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)


def main() -> None:
    sock = socket.socket(fileno=int(sys.argv[1]))
    server = CheckServer(sock)
    frames.send(sock, {"ready": True})
    server.serve()
    os._exit(0)  # without taking the interpreter apart
