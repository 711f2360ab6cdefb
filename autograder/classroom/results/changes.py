"""What changed in the marks of a class, as a table."""

import csv
import io
from dataclasses import dataclass

from autograder.classroom.results.marks import defuse


@dataclass(frozen=True)
class Change:
    """A mark for an exercise that is not what it was."""

    student: str
    exercise: str
    before: float
    after: float
    of: float
    reason: str  # "handed in again" or "graded again"


def points_of(chapter, result):
    """{exercise: points} of a Result."""
    return {
        exercise.id: sum(v.points for v in result.verdicts if v.exercise == exercise.id)
        for exercise in chapter.exercises
    }


def compare(chapter, result, before, reason):
    """The Changes of one student. before: {exercise: points} as they were."""
    return [
        Change(result.student, exercise.id, before[exercise.id], after, exercise.points, reason)
        for exercise, after in zip(chapter.exercises, points_of(chapter, result).values())
        if exercise.id in before and before[exercise.id] != after
    ]


def changes_csv(changes):
    """The changes as CSV text, one row per student and exercise."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["student", "exercise", "before", "after", "of", "reason"])
    table.writerows(
        [defuse(c.student), c.exercise, f"{c.before:g}", f"{c.after:g}", f"{c.of:g}", c.reason]
        for c in changes
    )
    return out.getvalue()
