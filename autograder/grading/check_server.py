"""The trusted parent: holds the reference of each chapter, and forks a process for the checks of each submission.

No student's code ever runs below it; what students' processes send is read here, as data.
"""

import os
import random
import resource
import socket
import sys

from autograder.sandboxed.process import orders as control
from autograder.sandboxed.process.fork_server import Zygote
from autograder.sandboxed.process.ipython_shell import silence
from autograder.sandboxed.process.preload import warm_up
from autograder.sandboxed.rpc.frames import Bounds

MEMORY = 8 << 30


class Trusted(Zygote):
    """A branch is a chapter; a worker runs the checks of one submission."""

    def __init__(self, orders):
        super().__init__(orders)
        warm_up()
        self.reference = None  # of the chapter, in a branch

    def prepare(self, about):
        """Run a chapter's reference; without a chapter, go on with the one that the parent has."""
        if not about:
            return
        from autograder.grading.host.intake_process import rehearse
        from autograder.grading.reference import Reference

        self.reference = Reference(about["root"], about["chapter"])
        rehearse(self.reference.chapter)

    def work(self, about, files):
        """Put a file in order, or run the checks of one submission one after the other as they are asked for."""
        if about.get("mend"):
            from autograder.grading.host.intake_process import serve

            serve(self.reference.chapter, files[0])
            return
        from autograder.grading.check_run import run_check

        far, report = (socket.socket(fileno=file) for file in files)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        bounds = Bounds(**about["bounds"]) if about.get("bounds") else None
        while True:
            try:
                asked, _ = control.receive(report)
            except EOFError:
                return
            settle(asked.get("seed", 0))
            control.send(
                report,
                run_check(
                    self.reference, asked["check"], far, bounds, asked["borrowed"], asked["again"]
                ),
            )


def settle(seed):
    """Every check begins in the same state, whatever ran before it."""
    import numpy
    import torch

    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed % (1 << 32))
    torch.set_default_dtype(torch.float32)
    torch.set_grad_enabled(True)


def main():
    orders = socket.socket(fileno=int(sys.argv[1]))
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    silence()
    parent = Trusted(orders)
    control.send(orders, {"ready": True})
    parent.serve()
    os._exit(0)  # without taking the interpreter apart


if __name__ == "__main__":
    main()
