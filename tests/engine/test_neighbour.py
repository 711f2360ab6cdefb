"""Several threads grade at a time, each with an engine of its own, and share what was imported."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.grading import Lender, Limits, Neighbour
from tests.hostile import trial

FULL = {"double": 2, "weights": 1, "weights_values": 2, "layer": 3, "is_linear": 2}


@pytest.fixture(scope="module")
def lender(course):
    with Lender(course, sandbox=False, limits=Limits(cell_seconds=20, check_seconds=20)) as lender:
        yield lender


def grade(lender, course, answers):
    """The points of one notebook after the other, in a thread's engine."""
    with Neighbour(lender) as engine:
        return [
            trial.points(engine.grade(trial.submission(trial.notebook(course, answers=answer))))
            for answer in answers
        ]


def test_threads_grade_side_by_side_and_get_their_own_results(lender, course):
    right, wrong = {}, {"ch01_weights": "def weights(scores):\n    return scores"}
    with ThreadPoolExecutor(3) as threads:
        results = list(
            threads.map(
                lambda answers: grade(lender, course, answers),
                [[right, wrong], [wrong, right], [right, right]],
            )
        )
    part = {**FULL, "weights": 0, "weights_values": 0}
    assert results == [[FULL, part], [part, FULL], [FULL, FULL]]


def test_what_was_imported_is_imported_once(lender, course):
    grade(lender, course, [{}])
    trusted, keeper = lender._trusted.process.pid, lender._keeper.process.pid
    grade(lender, course, [{}])
    assert (lender._trusted.process.pid, lender._keeper.process.pid) == (trusted, keeper)


def test_a_lender_whose_parents_were_killed_gets_new_ones(lender, course):
    grade(lender, course, [{}])
    os.kill(lender._keeper.process.pid, signal.SIGKILL)
    lender._keeper.process.wait()
    assert grade(lender, course, [{}]) == [FULL]


def test_a_thread_whose_own_parent_was_killed_gets_a_new_one(lender, course):
    with Neighbour(lender) as engine:
        engine.grade(trial.submission(trial.notebook(course)))
        os.kill(engine.opened(trial.NAME).pid, signal.SIGKILL)
        assert engine.grade(trial.submission(trial.notebook(course))).points == 10
