"""The submissions of one chapter on their way to the workers and back: jobs go, replies come.

Only so many are under way at a time, so memory here does not grow with the class. What a lost
worker or a lost scheduler had is sent again; what a worker died of goes once more, alone.
"""

import json
import queue
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.classroom.run.worker import grade_bytes
from autograder.course.bundle import bundle
from autograder.course.errors import AutograderError, first_line
from autograder.course.model import Chapter
from autograder.grading.fingerprint import grader_mark
from autograder.grading.result import Result, Submission, Verdict

if TYPE_CHECKING:
    from distributed import Future as DaskFuture

    from autograder.classroom.run.workers import Workers

MOST_BYTES = 128 << 20  # of submissions under way
AHEAD = 2  # submissions under way for each thread of a worker
FEWEST = 8  # submissions under way, so that a cluster that grows by demand sees some
PULSE = 2.0  # seconds between looks at whether the scheduler is still there
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
        return cls(Result.from_data(said["result"]), said["answers"])


@dataclass(frozen=True)
class Job:
    """A submission to be graded: the named exercises, none for all. valid: {check: Verdict} that
    need not be found again.
    """

    submission: Submission
    exercises: tuple[str, ...] = ()
    valid: dict[str, Verdict] = field(default_factory=dict)

    def merged(self, reply: Reply, chapter: Chapter) -> Reply:
        """The Reply with the verdicts that are valid already in their places."""
        if reply.result is None or not self.valid:
            return reply
        made = {verdict.check: verdict for verdict in reply.result.verdicts} | self.valid
        verdicts = tuple(made[check.grade_id] for check in chapter.checks)
        return replace(reply, result=replace(reply.result, verdicts=verdicts))


def _reply_of(future: "DaskFuture") -> Reply | None:
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


class Dispatch:
    """Sends jobs to Workers and yields what comes back."""

    def __init__(
        self, workers: "Workers", chapter: Chapter, jobs: Iterable[Job], most: int | None
    ) -> None:
        self.workers, self.chapter, self.jobs, self.most = workers, chapter, iter(jobs), most
        self.course = bundle(workers.root, chapter)
        self.again: deque[Job] = deque()  # a worker or the scheduler was lost with these
        self.alone: deque[Job] = deque()  # these go when nothing else is under way
        self.suspected: set[str] = set()  # students whose submission has had its try alone
        self.running: dict[str, tuple[Job, DaskFuture]] = {}  # {key: (job, future)}
        self.ended: queue.SimpleQueue[str] = queue.SimpleQueue()  # keys, as tasks end
        self.bytes = 0  # of all that is under way
        self.room = FEWEST  # submissions that may be under way
        self.looked = 0.0  # when the scheduler was last asked

    def replies(self) -> Iterator[tuple[Job, Reply]]:
        """Yield (job, Reply) as they come; end when every job has one."""
        while self._fill():
            if not self._scheduler_is_there():
                continue
            ended = self._next()
            if ended is None:
                continue
            job, reply = ended
            if reply is None:
                self.again.append(job)
                self.looked = 0.0
            elif reply.lost and job.submission.student not in self.suspected:
                # what was graded beside it may have been to blame
                self.suspected.add(job.submission.student)
                self.alone.append(job)
            else:
                yield job, job.merged(reply, self.chapter)

    def _fill(self) -> bool:
        """Send as many jobs as there is room for. Returns whether any is under way."""
        while len(self.running) < self.room and self.bytes < MOST_BYTES:
            job = self.again.popleft() if self.again else next(self.jobs, None)
            if job is None:
                break
            self._send(job)
        if not self.running and self.alone:
            self._send(self.alone.popleft())
        return bool(self.running)

    def _send(self, job: Job) -> None:
        submission = job.submission
        about = (submission.student, self.chapter.name, submission.name)
        future = self.workers.submit(
            self.most, grade_bytes, self.course, *about, submission.notebook, job.exercises
        )
        self.running[str(future.key)] = job, future
        self.bytes += len(submission.notebook)
        future.add_done_callback(lambda one: self.ended.put(str(one.key)))

    def _scheduler_is_there(self) -> bool:
        """Look now and then; where it is gone, wait for it and have all that it had sent again."""
        if time.monotonic() - self.looked <= PULSE:
            return True
        self.looked = time.monotonic()
        threads = self.workers.threads()
        if threads is None:
            self.workers.reconnect()
            self.again.extend(job for job, _ in self.running.values())
            self.running.clear()
            self.bytes = 0
            return False
        self.room = max(FEWEST, AHEAD * threads)
        return True

    def _next(self) -> tuple[Job, Reply | None] | None:
        """(job, Reply or None: to be sent again) of the next task that ended; None where none did
        for a while.
        """
        try:
            key = self.ended.get(timeout=PULSE)
        except queue.Empty:
            return None
        if key not in self.running:
            return None
        job, future = self.running.pop(key)
        self.bytes -= len(job.submission.notebook)
        return job, _reply_of(future)
