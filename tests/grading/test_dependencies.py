"""A mistake costs its own exercise only: each exercise wrong in turn, all others right, in the real
engine. Without AUTOGRADER_ALL=1 the exercises that a later one may use, or the first.
"""

import re

import pytest

from autograder.course.bank import read_answers
from autograder.grading import Engine
from autograder.grading.result import Submission
from tests.conftest import EVERYTHING, ROOT, real_chapters
from tests.notebooks import as_bytes, student_notebook


@pytest.fixture(scope="module")
def loose():
    """The real grader without a sandbox: what is graded here is our own."""
    with Engine(ROOT, sandbox=False) as engine:
        yield engine


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", real_chapters())
def test_each_exercise_wrong_in_turn_costs_its_own_points_only(name, loose):
    chapter = loose.chapter(name)
    used = [wrong for wrong in chapter.exercises if _is_used_below(chapter, wrong)]
    for wrong in chapter.exercises if EVERYTHING else used or chapter.exercises[:1]:
        answer = next(answer for answer in read_answers(ROOT, name, wrong.id) if not answer.right)
        result = loose.grade(
            Submission(
                "student", name, as_bytes(student_notebook(chapter, {wrong.id: answer.text}))
            )
        )
        lost = {
            verdict.exercise: verdict.message
            for verdict in result.verdicts
            if verdict.points < verdict.max_points
        }
        assert list(lost) == [wrong.id], f"{wrong.id} answered with {answer.name}: {lost}"


def _is_used_below(chapter, exercise):
    """Whether a later exercise, or code that may serve one, names what the exercise defines."""
    last = chapter.cells.index(exercise.checks[-1])
    below = "\n".join(
        cell.source
        for cell in chapter.cells[last + 1 :]
        if cell.kind == "code" and not {"show", "uses-exercise"} & set(cell.tags)
    )
    return any(re.search(rf"\b{name}\b", below) for name in exercise.names)
