"""What a worker is sent and what it answers."""

import json

import pytest

from autograder.classroom.run import worker
from autograder.course.bundle import bundle
from autograder.course.chapter import find_chapter
from autograder.course.errors import SandboxError
from autograder.grading.result import Result
from tests.small_class import Classroom


class Failing:
    """An engine whose grading raises what we say; lender and thread's own in one."""

    error, closed = None, 0

    def __init__(self, root, sandbox):
        self.root = root

    def chapter(self, name):
        return find_chapter(self.root, name)

    def grade(self, submission, exercises=()):
        if Failing.error:
            raise Failing.error
        return Result(submission.student, submission.chapter, (), answers={"ch01_double": "…"})

    def close(self):
        Failing.closed += 1


@pytest.fixture
def answer(course, monkeypatch):
    """A function that grades with an engine which raises ``error``, and gives its answer."""
    monkeypatch.setattr(worker, "ParentPool", Failing)
    monkeypatch.setattr(worker.Engine, "sharing", lambda pool, limits: pool)
    worker.close_engine()
    monkeypatch.setattr(Failing, "closed", 0)
    room = Classroom(course)
    room.hand_in("ada")
    notebook = (course / "submitted/ada/ch01_small/ch01_small.ipynb").read_bytes()
    sent = bundle(course, room.chapter)
    terms = (sent.digest, sent.archive, False, {})

    def give(error=None, content=notebook):
        monkeypatch.setattr(Failing, "error", error)
        return json.loads(worker.grade_bytes(terms, "ada", "ch01_small", "a.ipynb", content, ()))

    yield give
    worker.close_engine()


def test_a_course_holds_the_chapter_and_what_it_carries_and_nothing_else(course, tmp_path):
    bundle(course, find_chapter(course, "ch02")).unpack(tmp_path / "there")
    assert sorted(path.name for path in (tmp_path / "there").rglob("*.py")) == [
        "ch01_small.py",
        "ch02_carries.py",
    ]
    bundle(course, find_chapter(course, "ch01")).unpack(tmp_path / "alone")
    assert [path.name for path in (tmp_path / "alone").rglob("*.*")] == ["ch01_small.py"]


def test_a_submission_that_breaks_the_grader_ends_neither_the_run_nor_the_worker(answer):
    assert (
        "RuntimeError: parents gone" in answer(RuntimeError("parents gone"))["lost"]
        and Failing.closed == 2
    )
    assert "result" in answer()


def test_a_machine_that_cannot_grade_at_all_says_so(answer):
    assert answer(SandboxError("bubblewrap is needed"))["error"] == "bubblewrap is needed"


def test_answers_come_back_for_the_comparison_of_answers(answer):
    assert answer()["answers"] == {"ch01_double": "…"} and "answers" not in answer()["result"]
