"""Two ends of a pipe: a student's code, in a process of its own, and a function to reach it."""

import os
import socket

import pytest
import torch

from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.proxies import StandIn
from tests.sandboxed.changes import CODE


class Pipe:
    """The trusted end; an attribute of it is the student's variable of that name."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def __getattr__(self, name):
        value = self.endpoint.ask("lookup", name)
        if isinstance(value, StandIn):
            value.looked_up = True
        return value


@pytest.fixture
def student():
    """``student(code)`` runs code in another process and gives a Pipe to what it defines."""
    opened = []

    def start(code, **bounds):
        torch.set_num_threads(1)
        here, there = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            here.close()
            namespace = {"__name__": "__main__"}
            try:
                exec(compile(code, "<student>", "exec"), namespace)
                Endpoint(
                    there, strict=False, namespace=namespace, cells={"<student>": "student"}
                ).serve()
            finally:
                os._exit(0)
        there.close()
        opened.append((here, pid))
        return Pipe(Endpoint(here, strict=True, **bounds))

    yield start
    for sock, pid in opened:
        sock.close()
        os.waitpid(pid, 0)


@pytest.fixture
def here():
    """The names of the code whose module is changed, run in this process."""
    names = {"__name__": "__main__"}
    exec(CODE, names)
    return names
