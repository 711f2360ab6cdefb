"""Two ends of a pipe: code on the far side, in a process of its own, and a function to reach it."""

import os
import socket

import pytest
import torch

from autograder.grading import Engine, Limits
from autograder.sandboxed.rpc.endpoint import Endpoint
from autograder.sandboxed.rpc.proxies import StandIn
from tests.hostile import trial


class Pipe:
    """The trusted end; an attribute of it is the far variable of that name."""

    def __init__(self, endpoint):
        self.endpoint = endpoint

    def __getattr__(self, name):
        value = self.endpoint.ask("lookup", name)
        if isinstance(value, StandIn):
            value.looked_up = True
        return value


@pytest.fixture
def far():
    """``far(code)`` runs code in another process and gives a Pipe to what it defines."""
    opened = []

    def start(code, **bounds):
        torch.set_num_threads(1)
        here, there = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            here.close()
            namespace = {"__name__": "__main__"}
            try:
                exec(compile(code, "<far>", "exec"), namespace)
                Endpoint(there, strict=False, namespace=namespace, cells={"<far>": "far"}).serve()
            finally:
                os._exit(0)
        there.close()
        opened.append((here, pid))
        return Pipe(Endpoint(here, strict=True, **bounds))

    yield start
    for sock, pid in opened:
        sock.close()
        os.waitpid(pid, 0)


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    return trial.make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def loose(course):
    """An engine without a sandbox on the trial chapter."""
    with Engine(
        course, sandbox=False, limits=Limits(cell_seconds=8, check_seconds=10, notebook_seconds=60)
    ) as engine:
        yield engine
