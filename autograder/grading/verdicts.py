"""From how a check ended to what the student is told and the points that it earns."""

from collections.abc import Collection
from dataclasses import replace

from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import STUB
from autograder.grading.result import Ending, Outcome, Result, Status, Verdict

NOT_ATTEMPTED = f"{STUB[-1]} is still there."


def verdict(
    exercise: Exercise, check: Cell, outcome: Outcome, text: str | None, ending: Ending | None
) -> Verdict:
    """The Verdict on one check.

    outcome: what ``run_check`` gave. text: of the student's answer, None if it is nowhere.
    ending: of a cell of it that did not come to its end.
    """
    status, message = outcome.status, outcome.message
    if status is Status.PASSED:
        return Verdict.on(exercise, check, status)
    if text is None:
        status, message = Status.MISSING, "The answer cell is not in the file."
    elif text.strip() == exercise.solution.released.strip():
        status, message = Status.UNTOUCHED, ""
    elif outcome.undefined and ending:
        status, message = _of_the_cell(ending)
    elif status is Status.UNTOUCHED:
        message = NOT_ATTEMPTED
    made = Verdict.on(exercise, check, status, message)
    if status not in (Status.WRONG, Status.ERROR, Status.MEMORY):
        return made
    return replace(made, failed_property=outcome.failed_property, hidden=outcome.hidden)


def _of_the_cell(ending: Ending) -> tuple[Status, str]:
    """The solution cell itself did not come to its end."""
    if ending.fatal:
        return ending.status, ending.message
    if ending.error == "NotImplementedError" and ": " not in ending.message:
        return Status.UNTOUCHED, NOT_ATTEMPTED
    status = Status.MEMORY if ending.error == "MemoryError" else Status.ERROR
    return status, f"The answer cell raised {ending.message}"


def refused(
    chapter: Chapter,
    student: str,
    reason: str,
    wanted: Collection[str] | None = None,
    status: Status = Status.MISSING,
) -> Result:
    """The Result for a file that cannot be graded at all: no points, and the reason. wanted: ids of
    exercises, None for all; status: of all its checks.
    """
    verdicts = tuple(
        Verdict.on(exercise, check, status)
        for exercise in chapter.exercises
        for check in exercise.checks
        if wanted is None or exercise.id in wanted
    )
    return Result(student, chapter.name, verdicts, problem=reason)
