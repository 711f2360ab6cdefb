"""What changed in the marks of a class, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.classroom.results.marks import csv_text
from autograder.course.model import Chapter
from autograder.grading.result import Result


@dataclass(frozen=True)
class Change:
    """A mark for an exercise that is not what it was."""

    student: str
    exercise: str
    before: float
    after: float
    of: float
    reason: str  # "handed in again" or "graded again"


def compare(
    chapter: Chapter, result: Result, before: dict[str, float], reason: str
) -> list[Change]:
    """The Changes of one student. before: {exercise: points} as they were."""
    return [
        Change(result.student, exercise.id, before[exercise.id], after, exercise.points, reason)
        for exercise, after in zip(
            chapter.exercises, result.points_by_exercise(chapter).values(), strict=True
        )
        if exercise.id in before and before[exercise.id] != after
    ]


def changes_csv(changes: Sequence[Change]) -> str:
    """The changes as CSV text, one row per student and exercise."""
    header = ("student", "exercise", "before", "after", "of", "reason")
    rows = ((c.student, c.exercise, c.before, c.after, c.of, c.reason) for c in changes)
    return csv_text(header, rows)
