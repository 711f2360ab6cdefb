"""Time-outs on a busy machine: code that was kept from the processor is waited for, and gets no
verdict where that takes too long. Processes that are stopped stand for those that get no turn.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from threading import Timer

import pytest

from autograder.grading import Engine
from autograder.grading.host.patience import Clock, Starved, answered
from autograder.grading.host.processes import CheckProcess
from autograder.grading.result import Status
from autograder.grading.session import LATE
from autograder.sandboxed.process import usage
from tests.hostile import trial

BUSY, ASLEEP = "while True: pass", "import time; time.sleep(60)"


class Student:
    """The processes of a submission, as many as there are ids."""

    def __init__(self, *pids, spare=60.0):
        self.pids, self.clock = pids, Clock(60.0, spare)
        self.outgrown()

    def outgrown(self):
        found = [usage.of_process(pid) for pid in self.pids]
        self.used = usage.Usage(
            seconds=sum(one.seconds for one in found),
            wants=any(one.wants for one in found),
            waited=sum(one.waited for one in found),
        )
        return False


@contextmanager
def running(code, stopped=False):
    """A process that runs Python code; yields its id."""
    with subprocess.Popen([sys.executable, "-c", f"print(flush=True)\n{code}"], stdout=-1) as one:
        try:
            one.stdout.readline()
            if stopped:
                os.kill(one.pid, signal.SIGSTOP)
            yield one.pid
        finally:
            one.kill()


def waited(student, seconds, check=0):
    """Seconds until nobody waited any more, by the clock."""
    here, there = socket.socketpair()
    with here, there:
        began = time.monotonic()
        assert not answered(here, student, seconds, check)
        return time.monotonic() - began


def test_code_that_had_its_time_or_slept_it_away_is_too_late():
    with running(BUSY) as busy, running(ASLEEP) as asleep:
        student = Student(busy)
        assert 0.5 <= waited(student, 0.5)
        assert 59.3 < student.clock.left < 59.51
        assert 0.5 <= waited(Student(asleep), 0.5) < 3


def test_code_that_is_kept_from_the_processor_gets_no_verdict():
    with running(BUSY, stopped=True) as stopped, pytest.raises(Starved):
        waited(Student(stopped, spare=1), 0.2)


@pytest.mark.parametrize("as_check", [False, True])
def test_its_time_does_not_run_while_it_is_stopped(as_check):
    with running(BUSY, stopped=True) as stopped, running(ASLEEP) as asleep:
        Timer(2, os.kill, (stopped, signal.SIGCONT)).start()
        student = Student(asleep if as_check else stopped)
        assert waited(student, 0.4, stopped if as_check else 0) > 2.2
        assert student.clock.left > 59 and student.clock.spare < 58.5


def test_an_answer_that_comes_late_by_the_clock_counts():
    with running(BUSY, stopped=True) as stopped:
        here, there = socket.socketpair()
        with here, there:
            Timer(1.5, there.send, (b"x",)).start()
            assert answered(here, Student(stopped), 0.2)


def test_two_that_take_turns_on_a_processor_that_others_have_are_waited_for():
    """Each look may find both asleep; the kernel counted how long they waited."""

    class Turns(Student):
        def outgrown(self):
            last = getattr(self, "used", usage.Usage())
            self.used = replace(last, seconds=last.seconds + 0.001, waited=last.waited + 10)
            return False

    with pytest.raises(Starved):
        waited(Turns(spare=0.6), 0.3)


def test_the_kernel_says_how_long_a_process_waited_for_the_processor():
    core = {min(os.sched_getaffinity(0))}
    with running(BUSY) as one, running(BUSY) as other, running(ASLEEP) as idle:
        for pid in (one, other, idle):
            os.sched_setaffinity(pid, core)
        time.sleep(1.5)
        found = [usage.of_process(pid) for pid in (one, other)]
        assert sum(each.waited for each in found) > 0.5 and all(each.wants for each in found)
        assert usage.of_process(idle).waited < 0.5 and not usage.of_process(idle).wants
    assert usage.of_process(one) == usage.Usage()  # it is gone


@pytest.fixture
def course(tmp_path):
    return trial.make_course(tmp_path)


def stop_the_checks_of(monkeypatch, name):
    """From now on, the process of a check is stopped before the check runs."""

    def run(self, request, seconds, student):
        if name in request.check:
            os.kill(self._started.answer()["pid"], signal.SIGSTOP)
        return plain(self, request, seconds, student)

    plain = CheckProcess.run
    monkeypatch.setattr(CheckProcess, "run", run)


def test_a_check_that_the_machine_stopped_is_not_graded_and_the_ones_above_it_are(
    course, monkeypatch
):
    limits = replace(trial.LIMITS, spare_seconds=1)
    with Engine(course, sandbox=False, limits=limits) as engine, monkeypatch.context() as patch:
        submission = trial.submission(trial.notebook(course))
        stop_the_checks_of(patch, "weights")
        found = engine.grade(submission)
        assert found.busy and not found.problem and found.shown.answers
        assert trial.statuses(found)["double"] == "passed"
        assert {trial.statuses(found)[name] for name in ("weights", "layer")} == {Status.BUSY}
        patch.undo()
        assert engine.grade(submission).points == 10


def test_where_a_notebook_has_had_its_time_the_verdict_says_so(course):
    limits = replace(trial.LIMITS, notebook_seconds=2)
    endless = {"ch01_double": "def double(x):\n    while True:\n        pass\n"}
    with Engine(course, sandbox=False, limits=limits) as engine:
        found = engine.grade(trial.submission(trial.notebook(course, answers=endless)))
    assert not found.busy and {one.message for one in found.verdicts} == {LATE}
