"""The marks of a class as data: of one student, given by hand, changed by a run; and as tables."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from datetime import datetime

from autograder.classroom.late import DAY
from autograder.classroom.tables import csv_text
from autograder.course.model import Chapter
from autograder.grading.result import Result, Status

Parts = tuple[tuple[str, float, float], ...]  # (check, points with manual marks, of)
Comments = tuple[tuple[str, str], ...]  # (solution or check, a person's words)


@dataclass(frozen=True)
class Mark:
    """One student's mark on a chapter, manual marks counted, lateness applied."""

    student: str
    points: float
    before_late: float
    max_points: float
    seconds_late: float
    parts: Parts  # before lateness
    excused: bool = False
    comments: Comments = ()


@dataclass(frozen=True)
class ByHand:
    """What a person gave a submission in formgrader."""

    points: dict[str, float] = field(default_factory=dict)  # {check: points, extra credit counted}
    comments: dict[str, str] = field(default_factory=dict)  # {solution or check: words}


@dataclass(frozen=True)
class Overruled:
    """What a person gave, and should look at again."""

    student: str
    cell: str
    given: str
    why: str


@dataclass(frozen=True)
class Recorded:
    """One submission as the gradebook knows it."""

    student: str
    received: datetime | None
    due: datetime | None  # the student's own, with nbgrader's extension
    max_score: float
    parts: Parts
    comments: Comments = ()
    is_open: bool = False  # the machine was too busy for some of it


@dataclass(frozen=True)
class Change:
    """A mark for an exercise that is not what it was."""

    student: str
    exercise: str
    before: float
    after: float
    of: float
    reason: str  # "handed in again" or "graded again"


def marked_by_hand(result: Result, by_hand: ByHand) -> Result:
    """The Result with the points that a person gave instead of the automatic ones."""
    given = by_hand.points
    verdicts = (replace(one, points=given.get(one.check, one.points)) for one in result.verdicts)
    return replace(result, verdicts=tuple(verdicts))


def compare(
    chapter: Chapter, result: Result, before: dict[str, float], reason: str
) -> list[Change]:
    """The Changes of one student. before: {exercise: points} as they were."""
    after = result.points_by_exercise(chapter)
    return [
        Change(result.student, one.id, before[one.id], after[one.id], one.points, reason)
        for one in chapter.exercises
        if one.id in before and before[one.id] != after[one.id]
    ]


def marks_csv(chapter: Chapter, results: Iterable[Result]) -> str:
    """What a run found, as CSV text: student, points, maximum, a column per exercise, problem."""
    header = ["student", "points", "of", *(one.id for one in chapter.exercises), "problem"]
    rows = (
        [r.student, r.points, chapter.points, *r.points_by_exercise(chapter).values()]
        + [r.problem or Status.BUSY.value * r.busy]
        for r in sorted(results, key=lambda result: result.student)
    )
    return csv_text(header, rows)


def changes_csv(changes: Sequence[Change]) -> str:
    """The changes as CSV text, one row per student and exercise."""
    return csv_text([one.name for one in fields(Change)], map(astuple, changes))


def plain_csv(chapter: Chapter, marks: Sequence[Mark]) -> str:
    """What export writes for no platform: points after lateness, points before, maximum, days
    late, and a column per check.
    """
    checks = [check.grade_id for check in chapter.checks]
    header = ["student", "points", "before lateness", "of", "days late", *checks, "comments"]
    rows = []
    for mark in marks:
        parts = {name: points for name, points, _ in mark.parts}
        points = "EX" if mark.excused else mark.points
        days = f"{mark.seconds_late / DAY:.2f}"
        said = "\n".join(words for _, words in mark.comments)
        points_of = (parts.get(check, 0) for check in checks)
        rows.append(
            [mark.student, points, mark.before_late, mark.max_points, days, *points_of, said]
        )
    return csv_text(header, rows)
