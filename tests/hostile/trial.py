"""The small chapter that the engine's tests grade, and notebooks made from it."""

import shutil
from pathlib import Path

from autograder.course.chapter import find_chapter
from autograder.grading import Limits
from autograder.grading.result import Submission

from ..notebooks import as_bytes, student_notebook

NAME = "ch01_trial"
SOURCE = Path(__file__).with_name(f"{NAME}.py")
LIMITS = Limits(
    cell_seconds=4,
    check_seconds=6,
    notebook_seconds=40,
    memory_bytes=3 << 30,
    total_bytes=2 << 30,
    processes=16,
)


def make_course(root, source=SOURCE, name=NAME):
    """A course at ``root`` that holds the trial chapter alone."""
    target = Path(root, "source", name, f"{name}.py")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
    return Path(root)


def notebook(root, solved=True, answers=(), name=NAME):
    """The notebook of the trial chapter, or of another one in a course at ``root``."""
    return student_notebook(find_chapter(root, name), answers, solved)


def submission(data, student="student", name=NAME):
    """A Submission out of a notebook or out of bytes."""
    return Submission(
        student,
        name,
        data if isinstance(data, bytes) else as_bytes(data),
    )


def points(result):
    """{check: points earned}."""
    return {
        verdict.check.removeprefix("ch01_").replace("_check", ""): verdict.points
        for verdict in result.verdicts
    }


def statuses(result):
    """{check: status in words}."""
    return {
        verdict.check.removeprefix("ch01_").replace("_check", ""): verdict.status.value
        for verdict in result.verdicts
    }
