"""Several threads grade at a time, each with an engine of its own, and share what was imported."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from types import SimpleNamespace

import pytest

from autograder.course.environment import grading_environment
from autograder.course.errors import SandboxError
from autograder.grading import Engine, Limits, ParentPool
from autograder.grading.host import bubblewrap
from autograder.grading.host.fork_servers import Broken, Parent
from autograder.grading.parents import CHECKS, PACKAGE, UNSEALED, Parents
from tests.hostile import trial

FULL = {"double": 2, "weights": 1, "weights_values": 2, "layer": 3, "is_linear": 2}


@pytest.fixture(scope="module")
def pool(course):
    with closing(ParentPool(course, sandbox=False)) as pool:
        yield pool


def grade(pool, course, answers):
    """The points of one notebook after the other, in a thread's engine."""
    with Engine.sharing(pool, Limits(cell_seconds=20, check_seconds=20)) as engine:
        return [
            trial.points(engine.grade(trial.submission(trial.notebook(course, answers=answer))))
            for answer in answers
        ]


@pytest.mark.parametrize("command", [CHECKS, UNSEALED], ids=["checks", "students"])
def test_a_fork_server_builds_no_grammar_of_web_addresses(command):
    """jsonschema's optional package takes seconds to import, in every process that starts."""
    python, *rest = command
    told = subprocess.run(  # it ends at its socket, which 0 is not
        [python, "-X", "importtime", *rest, "0", "unsealed"],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        cwd=PACKAGE,
    ).stderr
    imported = {line.rsplit("|", 1)[-1].strip() for line in told.splitlines() if "|" in line}
    assert {"autograder.sandboxed.rpc.frames", "torch"} & imported
    assert "lark" not in imported


FORKS = """
import socket, sys
from autograder.grading.check_server import CheckServer
server = CheckServer(socket.socketpair()[0])
server.prepare({"root": sys.argv[1], "chapter": sys.argv[2]})
loaded = set(sys.modules)
(student, _), (report, asks) = socket.socketpair(), socket.socketpair()
asks.close()  # nothing is asked
server.work({"work": "checks"}, [student.detach(), report.detach()])
open(sys.argv[3], "w").write(f"{sorted(set(sys.modules) - loaded)}")
"""


def test_a_process_for_checks_imports_nothing_more(course, tmp_path):
    """It is forked for every submission."""
    told = tmp_path / "told"
    subprocess.run([sys.executable, "-c", FORKS, course, "ch01_trial", told], check=True)
    assert told.read_text() == "[]"


@pytest.mark.parametrize("command", [CHECKS, UNSEALED], ids=["checks", "students"])
def test_a_fork_server_that_cannot_start_says_why(command, tmp_path):
    (tmp_path / "torch.py").write_text("raise ImportError('this interpreter is too old')")
    environment = grading_environment(str(tmp_path), PACKAGE)
    environment["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{PACKAGE}"
    parent = Parent.start(lambda number: [*command, str(number), "unsealed"], environment)
    with pytest.raises(Broken, match="ImportError: this interpreter is too old"):
        parent.wait()


def test_a_sandbox_that_does_not_start_is_said_every_time(course, monkeypatch):
    def refuse():
        raise SandboxError("no sandbox here")

    checks = SimpleNamespace(close=lambda: None)
    monkeypatch.setattr(Parent, "start", lambda *command: checks)
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: "bwrap")
    monkeypatch.setattr(bubblewrap, "start_student_server", refuse)
    parents = Parents(course)
    for _ in range(2):
        with pytest.raises(SandboxError, match="no sandbox here"):
            parents.student_server()
    parents.close()


def test_threads_grade_side_by_side_and_get_their_own_results(pool, course):
    right, wrong = {}, {"ch01_weights": "def weights(scores):\n    return scores"}
    with ThreadPoolExecutor(3) as threads:
        results = list(
            threads.map(
                lambda answers: grade(pool, course, answers),
                [[right, wrong], [wrong, right], [right, right]],
            )
        )
    part = {**FULL, "weights": 0, "weights_values": 0}
    assert results == [[FULL, part], [part, FULL], [FULL, FULL]]


def test_what_was_imported_is_imported_once(pool, course):
    grade(pool, course, [{}])
    before = [parent.process.pid for parent in pool.parents.processes]
    grade(pool, course, [{}])
    assert [parent.process.pid for parent in pool.parents.processes] == before


def test_a_pool_whose_parents_were_killed_gets_new_ones(pool, course):
    grade(pool, course, [{}])
    _, students = pool.parents.processes
    os.kill(students.process.pid, signal.SIGKILL)
    students.process.wait()
    assert grade(pool, course, [{}]) == [FULL]


def test_a_thread_whose_own_parent_was_killed_gets_a_new_one(pool, course):
    with Engine.sharing(pool) as engine:
        engine.grade(trial.submission(trial.notebook(course)))
        os.kill(engine.parents.opened(trial.NAME).pid, signal.SIGKILL)
        assert engine.grade(trial.submission(trial.notebook(course))).points == 10
