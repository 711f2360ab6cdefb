"""What goes to whoever grades, and what comes back; and the simplest one who does: an engine in this process."""

import json
from dataclasses import asdict, dataclass, field, is_dataclass, replace

from autograder.course.errors import AutograderError
from autograder.grading.fingerprint import grader_mark
from autograder.grading.result import Result

DIED = "the worker that graded it died every time; see whether the machine ran out of memory"


@dataclass(frozen=True)
class Job:
    """A submission to be graded: the named exercises, none for all. kept: {check: Verdict} that still hold."""

    submission: object
    exercises: tuple = ()
    kept: dict = field(default_factory=dict)

    def merged(self, outcome, chapter):
        """The Outcome with the verdicts that still hold in their places."""
        if outcome.result is None or not self.kept:
            return outcome
        made = {verdict.check: verdict for verdict in outcome.result.verdicts} | self.kept
        return replace(
            outcome,
            result=replace(
                outcome.result,
                verdicts=tuple(
                    made[check.grade_id]
                    for exercise in chapter.exercises
                    for check in exercise.checks
                ),
            ),
        )


@dataclass(frozen=True)
class Outcome:
    """What came back. lost: why there is no result, in one line; such a submission is graded again next time."""

    result: Result | None
    answers: dict  # {exercise: the student's text}, where it is known
    lost: str = ""

    @classmethod
    def from_answer(cls, text):
        """What a worker's answer says. Raises AutograderError where that machine cannot grade at all."""
        answer = json.loads(text)
        if answer["grader"] != grader_mark():
            raise AutograderError(
                "a worker has another version of this package than this machine; install the same on both."
            )
        if "error" in answer:
            raise AutograderError(answer["error"])
        if "lost" in answer:
            return cls(None, {}, lost=answer["lost"])
        return cls(Result.from_json(json.dumps(answer["result"])), answer["answers"])


def outcome_of(future):
    """The Outcome of a task that ended; None: it must be sent again. Raises AutograderError."""
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return Outcome(None, {}, lost=DIED)
        raise AutograderError(
            f"a worker could not take a submission ({type(error).__name__}: {first_line(error)}). "
            "Every worker needs this package installed, in this version."
        ) from error
    if future.status != "finished":
        return None
    try:
        answer = future.result(timeout=60)
    except Exception:  # the worker went away with the result
        return None
    return Outcome.from_answer(answer)


def first_line(error):
    return next(
        (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
    )


class Here:
    """Grades with an engine in this process: anything with ``grade(submission) -> Result``."""

    def __init__(self, engine):
        self.engine = engine

    @property
    def conditions(self):
        """What decides a verdict besides the submission and the source."""
        limits = getattr(self.engine, "limits", None)
        return {
            "sandbox": getattr(self.engine, "sealed", None),
            "limits": asdict(limits) if is_dataclass(limits) else None,
        }

    def begin(self, chapter, most=None):
        """Nothing: the engine starts when it is asked."""

    def settle(self):
        """Nothing has begun."""

    def graded(self, chapter, jobs, most=None):
        """Yield (job, Outcome), one after the other."""
        for job in jobs:
            yield job, job.merged(Outcome(self.engine.grade(job.submission), {}), chapter)
