"""What goes to whoever grades, and what comes back."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from autograder.course.errors import AutograderError, first_line
from autograder.course.model import Chapter
from autograder.grading.fingerprint import grader_mark
from autograder.grading.result import Result, Submission, Verdict

if TYPE_CHECKING:
    from distributed import Future as DaskFuture

DIED = "the worker that graded it died every time; see whether the machine ran out of memory"


@dataclass(frozen=True)
class Reply:
    """What came back for a job. lost: why there is no result, in one line; such a submission is
    graded again next time.
    """

    result: Result | None
    answers: dict[str, str]  # {exercise: the student's text}, where it is known
    lost: str = ""

    @classmethod
    def from_json(cls, text: str) -> "Reply":
        """What a worker wrote. Raises AutograderError where that machine cannot grade at all."""
        said = json.loads(text)
        if said["grader"] != grader_mark():
            raise AutograderError(
                "a worker has another version of this package than this machine; install the "
                "same on both."
            )
        if "error" in said:
            raise AutograderError(said["error"])
        if "lost" in said:
            return cls(None, {}, lost=said["lost"])
        return cls(Result.from_dict(said["result"]), said["answers"])


@dataclass(frozen=True)
class Job:
    """A submission to be graded: the named exercises, none for all. kept: {check: Verdict} that
    still hold.
    """

    submission: Submission
    exercises: tuple[str, ...] = ()
    kept: dict[str, Verdict] = field(default_factory=dict)

    def merged(self, reply: Reply, chapter: Chapter) -> Reply:
        """The Reply with the verdicts that still hold in their places."""
        if reply.result is None or not self.kept:
            return reply
        made = {verdict.check: verdict for verdict in reply.result.verdicts} | self.kept
        checks = [check for exercise in chapter.exercises for check in exercise.checks]
        verdicts = tuple(made[check.grade_id] for check in checks)
        return replace(reply, result=replace(reply.result, verdicts=verdicts))


def reply_of(future: "DaskFuture") -> Reply | None:
    """The Reply of a Dask task that ended; None: it must be sent again. Raises AutograderError."""
    if future.status == "error":
        error = future.exception()
        if type(error).__name__ == "KilledWorker":
            return Reply(None, {}, lost=DIED)
        raise AutograderError(
            f"a worker could not take a submission ({type(error).__name__}: {first_line(error)}). "
            "Every worker needs this package installed, in this version."
        ) from error
    if future.status != "finished":
        return None
    try:
        text = future.result(timeout=60)
    except Exception:  # the worker went away with the result
        return None
    return Reply.from_json(text)


class Graders(Protocol):
    """Whoever grades a class: Workers, or a stand-in of a test."""

    @property
    def conditions(self) -> dict[str, Any]:
        """What decides a verdict besides the submission and the source."""

    def begin(self, chapter: Chapter, most: int | None = None) -> None:
        """Get ready, in the background. most: how many submissions there may be."""

    def replies(
        self, chapter: Chapter, jobs: Iterable[Job], most: int | None = None
    ) -> Iterator[tuple[Job, Reply]]:
        """Yield (job, Reply) as they come. jobs is read only as fast as it is worked off."""
