"""Time-outs on a loaded machine: code that got no processor is waited for, then tried again."""

import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

from autograder.grading.engine import Engine
from autograder.grading.host.patience import LONGEST, Clock, Patience
from autograder.grading.result import Result, Submission
from autograder.grading.session import LATE, Session
from autograder.sandboxed.process import usage


class Student:
    """Says of a submission's processes what it is told to say. works: seconds at every look."""

    def __init__(self, running=True, works=0.0):
        self.used, self.works = usage.Usage(running=running), works

    def outgrown(self):
        self.used = replace(self.used, seconds=self.used.seconds + self.works)
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
    took, starved = waited(Student(works=1), 0.2)
    assert not starved and took < LONGEST * 0.2


def test_two_that_take_turns_are_waited_for_though_each_look_finds_them_asleep():
    took, starved = waited(Student(running=False, works=0.001), 0.4)
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
    monkeypatch.setattr(Engine, "attempt", lambda *about: outcomes.pop(0))
    result = Engine(parents=parents).grade(Submission("s", "ch", b"", "ch.ipynb"))
    assert told == ["beside others", "alone"] and not result.problem and not outcomes


def test_the_time_of_a_notebook_does_not_run_while_others_have_the_processor():
    waited = [0.0]
    clock = Clock(0.3, lambda: waited[0])
    time.sleep(0.2)
    assert clock.left(10) < 0.15  # sleeping is the code's own doing
    waited[0] = 0.2
    assert 0.15 < clock.left(10) < 0.35 and not clock.over
    assert clock.left(10) < 0.35  # given back once
    waited[0] = 100.0
    assert clock.starved and clock.left(10) < LONGEST * 0.3
    time.sleep(LONGEST * 0.3 - 0.2)
    assert clock.over
    slept = Clock(0.1)
    time.sleep(0.1)
    assert slept.over and not slept.starved


def test_the_kernel_says_how_long_a_process_waited_for_the_processor():
    def on_one_core():
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=on_one_core)
        for _ in range(3)
    ]
    idle = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        time.sleep(1.5)
        assert sum(usage.waited(one.pid) for one in busy) > 1.5  # two of three wait at any time
        assert usage.waited(idle.pid) < 0.5
    finally:
        for one in (*busy, idle):
            one.kill()
            one.wait()
    assert usage.waited(busy[0].pid) == 0.0  # it is gone


def test_right_code_is_tried_again_where_the_machine_used_up_the_notebooks_time(monkeypatch):
    monkeypatch.setattr(Session, "run_to", lambda self, place: False)
    session = Session.__new__(Session)
    session.starved, session.plan = False, [SimpleNamespace(id="one_check")]
    exercise = SimpleNamespace(id="one", title="One", names=("one",))
    check = SimpleNamespace(grade_id="one_check", points=1)
    for waited, starved in [(0.0, False), (100.0, True)]:
        session.clock = Clock(0.0, lambda waited=waited: waited)
        assert session.verdict_on(exercise, check).message == LATE
        assert session.starved is starved
