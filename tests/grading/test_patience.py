"""Time-outs on a loaded machine: code that got no processor is waited for, then tried again."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from types import SimpleNamespace

from autograder.grading import engine as engines
from autograder.grading.engine import Engine
from autograder.grading.host.patience import LONGEST, Patience
from autograder.grading.result import Result, Submission


class Student:
    """Says of a submission's processes what it is told to say."""

    def __init__(self, seconds=0.0, running=True):
        self.used = {"seconds": seconds, "running": running}

    def outgrown(self):
        return False


def waited(student, seconds, check=0):
    """(seconds until it was given up, whether it was starved)."""
    here, there = socket.socketpair()
    with here, there:
        patience, began = Patience(student, seconds, check), time.monotonic()
        assert not patience.readable(here)
        return time.monotonic() - began, patience.starved


def test_code_that_wants_to_run_and_cannot_is_waited_for_and_called_starved():
    took, starved = waited(Student(), 0.4)
    assert starved and took >= LONGEST * 0.4


def test_code_that_sleeps_or_had_its_time_is_not_waited_for():
    assert waited(Student(running=False), 0.2)[1] is False
    student = Student()
    student.outgrown = lambda: student.used.update(seconds=student.used["seconds"] + 1) and False
    took, starved = waited(student, 0.2)
    assert not starved and took < LONGEST * 0.2


def test_two_that_take_turns_are_waited_for_though_each_look_finds_them_asleep():
    student = Student(running=False)
    student.outgrown = lambda: (
        student.used.update(seconds=student.used["seconds"] + 0.001) and False
    )
    took, starved = waited(student, 0.4)
    assert starved and took >= LONGEST * 0.4


def test_the_work_of_the_check_itself_counts_too():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        os.kill(busy.pid, 19)  # stopped: it gets no time, and does not ask for any
        time.sleep(0.1)
        assert waited(Student(running=False), 0.2, busy.pid)[1] is False
        os.kill(busy.pid, 18)
        took, starved = waited(Student(running=False), 0.1, busy.pid)
        assert took >= 0.1 and (starved or took < LONGEST * 0.1 + 2)
    finally:
        busy.kill()
        busy.wait()


def test_a_time_out_of_starved_code_is_tried_once_more_alone(monkeypatch):
    told = []

    @contextmanager
    def noted(name):
        told.append(name)
        yield

    parents = SimpleNamespace(
        chapter=lambda name: SimpleNamespace(name=name, exercises=()),
        beside_others=lambda: noted("beside others"),
        alone=lambda: noted("alone"),
        close=lambda: None,
    )
    outcomes = [(Result("s", "ch", (), problem="late"), True), (Result("s", "ch", ()), True)]
    monkeypatch.setattr(engines.Engine, "_through", lambda *about: outcomes.pop(0))
    result = Engine(parents=parents).grade(Submission("s", "ch", b"", "ch.ipynb"))
    assert told == ["beside others", "alone"] and not result.problem and not outcomes
