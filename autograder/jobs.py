"""What goes to whoever grades, and what comes back; and the simplest one who does: an engine in this process."""

from dataclasses import asdict, dataclass, is_dataclass, replace

from .result import Result


@dataclass(frozen=True)
class Job:
    """A submission to be graded. kept: a Result with the verdicts that still hold, or None."""

    submission: object
    kept: Result | None = None


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
            result = self.engine.grade(job.submission)
            kept = {verdict.check: verdict for verdict in job.kept.verdicts} if job.kept else {}
            yield job, Outcome(replace(result, verdicts=tuple(kept.get(v.check, v) for v in result.verdicts)), {})
