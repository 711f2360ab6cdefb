"""What goes to whoever grades, and what comes back; and the simplest one who does: an engine in this process."""

from dataclasses import asdict, dataclass, field, is_dataclass, replace

from .result import Result


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
        return replace(outcome, result=replace(outcome.result, verdicts=tuple(
            made[check.grade_id] for exercise in chapter.exercises for check in exercise.checks)))


@dataclass(frozen=True)
class Outcome:
    """What came back. lost: why there is no result, in one line; such a submission is graded again next time."""

    result: Result | None
    answers: dict                        # {exercise: the student's text}, where it is known
    lost: str = ""


class Here:
    """Grades with an engine in this process: anything with ``grade(submission) -> Result``."""

    def __init__(self, engine):
        self.engine = engine

    @property
    def conditions(self):
        """What decides a verdict besides the submission and the source."""
        limits = getattr(self.engine, "limits", None)
        return {"sandbox": getattr(self.engine, "sealed", None), "limits": asdict(limits) if is_dataclass(limits) else None}

    def graded(self, chapter, jobs, most=None):
        """Yield (job, Outcome), one after the other."""
        for job in jobs:
            yield job, job.merged(Outcome(self.engine.grade(job.submission), {}), chapter)
