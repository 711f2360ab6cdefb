"""From how a check ended to what the student is told and the points that it earns."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import STUB
from autograder.grading.result import Result, Status, Verdict

if TYPE_CHECKING:
    from autograder.grading.host.student_process import Ending


NOT_ATTEMPTED = f"{STUB[-1]} is still there."
KINDS = {
    "wrong": Status.WRONG,
    "error": Status.ERROR,
    "untouched": Status.UNTOUCHED,
    "missing": Status.ERROR,
    "time": Status.TIMEOUT,
    "memory": Status.MEMORY,
    "died": Status.DIED,
}


def verdict(
    exercise: Exercise,
    check: Cell,
    outcome: dict[str, Any],
    text: str | None,
    ending: "Ending | None",
) -> Verdict:
    """The Verdict on one check.

    outcome: what ``run_check`` gave. text: the student's solution cell, None if it is nowhere.
    ending: how that cell ended.
    """
    if outcome["passed"]:
        return Verdict(check.grade_id, exercise.id, Status.PASSED, check.points, check.points)
    status, message = KINDS[outcome["kind"]], outcome["message"]
    if text is None:
        status, message = Status.MISSING, "The answer cell is not in the file."
    elif text.strip() == exercise.solution.released.strip():
        status, message = Status.UNTOUCHED, ""
    elif outcome["kind"] == "missing" and ending is not None and ending.kind != "fine":
        status, message = _of_the_cell(ending)
    elif status is Status.UNTOUCHED:
        message = NOT_ATTEMPTED
    told = status in (Status.WRONG, Status.ERROR, Status.MEMORY)
    return Verdict(
        check.grade_id,
        exercise.id,
        status,
        0.0,
        check.points,
        message,
        outcome.get("property", "") if told else "",
        bool(outcome.get("hidden")) and told,
    )


def _of_the_cell(ending):
    """The solution cell itself did not come to its end."""
    if ending.kind == "raised":
        if ending.error == "NotImplementedError" and ": " not in ending.message:
            return Status.UNTOUCHED, NOT_ATTEMPTED
        return (
            Status.MEMORY if ending.error == "MemoryError" else Status.ERROR
        ), f"The answer cell raised {ending.message}"
    return KINDS[ending.kind], ending.message


def gave_up(exercise: Exercise, check: Cell, reason: str) -> Verdict:
    """The Verdict where the notebook's time was over before the check's turn came."""
    return Verdict(check.grade_id, exercise.id, Status.TIMEOUT, 0.0, check.points, reason)


def excused(exercise: Exercise, check: Cell, earlier: Sequence[str]) -> Verdict:
    """The Verdict where a check passes with the reference in place of earlier exercises, which
    failed.
    """
    return Verdict(
        check.grade_id,
        exercise.id,
        Status.PASSED,
        check.points,
        check.points,
        instead_of_earlier=tuple(earlier),
    )


def unproven(exercise: Exercise, check: Cell, earlier: Sequence[str]) -> Verdict:
    """The Verdict where a check passes with the student's own earlier answers, which failed, but
    not with right ones.
    """
    message = f"This passes only together with {', '.join(earlier)}, which did not pass."
    return Verdict(check.grade_id, exercise.id, Status.WRONG, 0.0, check.points, message)


def refused(
    chapter: Chapter, student: str, reason: str, wanted: Collection[str] | None = None
) -> Result:
    """The Result for a file that cannot be graded at all: no points, and the reason. wanted: ids of
    exercises, None for all.
    """
    verdicts = tuple(
        Verdict(check.grade_id, exercise.id, Status.MISSING, 0.0, check.points)
        for exercise in chapter.exercises
        for check in exercise.checks
        if wanted is None or exercise.id in wanted
    )
    return Result(student, chapter.name, verdicts, problem=reason)
