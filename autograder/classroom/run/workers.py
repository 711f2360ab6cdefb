"""Put workers to work, through Dask: processes on this machine, or whatever a scheduler elsewhere has. One path for both.

Only so many submissions are under way at a time, so memory here does not grow with the class. A worker that dies is replaced and its
submission is graded again; a scheduler that dies is waited for, and what it had is sent again.
"""

import json
import logging
import queue
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict

import dask
from distributed import Client, fire_and_forget

from autograder.classroom.run import local_cluster as machine
from autograder.classroom.run.jobs import first_line, outcome_of
from autograder.classroom.run.worker import get_ready, grade_bytes
from autograder.course.bundle import pack
from autograder.course.errors import AutograderError
from autograder.grading.limits import Limits

MOST_BYTES = 128 << 20  # of submissions under way
AHEAD = 2  # submissions under way for each thread of a worker
FEWEST = 8  # submissions under way, so that a cluster that grows by demand sees some
PULSE = 2.0  # seconds between looks at whether the scheduler is still there


class Workers:
    """Workers for one or more chapters; started when first needed, ended with the ``with`` block.

    scheduler: address of a running one, as "tcp://head:8786"; "": the one that Dask's settings name, else processes here.
    count: of submissions at a time here, default one per core.
    first_patience, patience: seconds to wait for a scheduler, at the start and when it is gone.
    notice: called with a line when there is something to wait for.
    """

    def __init__(
        self,
        root,
        scheduler="",
        sandbox=True,
        count=None,
        limits=Limits(),
        first_patience=30.0,
        patience=600.0,
        notice=lambda text: None,
    ):
        self.root, self.sandbox, self.count, self.limits = root, sandbox, count, limits
        self.scheduler = scheduler or dask.config.get("scheduler-address", None) or ""
        self.first_patience, self.patience, self.notice = first_patience, patience, notice
        self.cluster = self.client = self.identity = self._begun = None
        self.number = 0

    @property
    def conditions(self):
        """What decides a verdict besides the submission and the source."""
        return {"sandbox": self.sandbox, "limits": asdict(self.limits)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.settle()
        self._disconnect()
        if self.cluster is not None:
            self.cluster.close(timeout=20)
            self.cluster = None

    def begin(self, chapter, most=None):
        """Start local workers and have them get ready, in the background. most: how many submissions there may be."""
        if not self.scheduler and self.client is None and self._begun is None:
            course, background = pack(self.root, chapter), ThreadPoolExecutor(1)
            self._begun = background.submit(self._get_ready, course, chapter, most)
            background.shutdown(wait=False)

    def settle(self):
        """Wait until the processes that ``begin`` starts are there: they take over the folder that this process stands in."""
        if self._begun is not None:
            wait([self._begun])

    def _get_ready(self, course, chapter, most):
        self._connect_first(most)
        fire_and_forget(
            self.client.submit(
                get_ready,
                course.digest,
                course.archive,
                self.sandbox,
                self._limits(),
                chapter.name,
                pure=False,
            )
        )

    def _limits(self):
        return json.dumps(asdict(self.limits))

    def graded(self, chapter, jobs, most=None):
        """Yield (job, Outcome) as they come. jobs is read only as fast as workers take them; most: how many there may be."""
        course, jobs = pack(self.root, chapter), iter(jobs)
        again, alone, running, done = deque(), deque(), {}, queue.SimpleQueue()
        weight, suspected, room, looked, exhausted = 0, set(), FEWEST, 0.0, False

        def send(job):
            nonlocal weight
            self.number += 1
            submission = job.submission
            future = self.client.submit(
                grade_bytes,
                course.digest,
                course.archive,
                self.sandbox,
                self._limits(),
                submission.student,
                chapter.name,
                submission.name,
                submission.notebook,
                job.exercises,
                key=f"grade-{self.identity}-{id(self)}-{self.number}",
                pure=False,
            )
            running[future.key] = job, future
            weight += len(submission.notebook)
            future.add_done_callback(lambda one: done.put(one.key))

        def resend():
            nonlocal weight
            again.extend(job for job, _ in running.values())
            running.clear()
            weight = 0

        while True:
            while len(running) < room and weight < MOST_BYTES and not (exhausted and not again):
                job = again.popleft() if again else next(jobs, None)
                if job is None:
                    exhausted = True
                    break
                self._start(most)
                send(job)
            if not running:
                if not alone:
                    return
                send(alone.popleft())
            if time.monotonic() - looked > PULSE:
                looked, threads = time.monotonic(), self._threads()
                if threads is None:
                    self._reconnect()
                    resend()
                    continue
                room = max(FEWEST, AHEAD * threads)
            try:
                key = done.get(timeout=PULSE)
            except queue.Empty:
                continue
            if key not in running:
                continue
            job, future = running.pop(key)
            weight -= len(job.submission.notebook)
            outcome = outcome_of(future)
            if outcome is None:
                again.append(job)
                looked = 0.0
            elif outcome.lost and job.submission.student not in suspected:
                suspected.add(
                    job.submission.student
                )  # its neighbour may have been to blame: once more, with nothing beside it
                alone.append(job)
            else:
                yield job, job.merged(outcome, chapter)

    def _start(self, most):
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.result()
        if self.client is None:
            self._connect_first(most)

    def _connect_first(self, most):
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if not self.scheduler:
            try:
                self.cluster = machine.start(min(self.count or machine.cores(), most or 1_000_000))
            except (OSError, RuntimeError, TimeoutError) as error:
                raise AutograderError(
                    f"the workers of this machine did not start: {first_line(error)}. Run the same command again; "
                    "what is graded is kept."
                ) from error
        self._connect(self.first_patience)

    def _connect(self, patience):
        deadline = time.monotonic() + patience
        while True:
            try:
                with dask.config.set(machine.SETTINGS):
                    self.client = Client(
                        self.cluster or self.scheduler, timeout=10, set_as_default=False
                    )
                self.identity = self._ask()["id"]
                return
            except (OSError, ValueError, TimeoutError, RuntimeError) as error:
                self._disconnect()
                if time.monotonic() > deadline:
                    raise AutograderError(
                        f"no Dask scheduler answers at {self.scheduler or 'this machine'}: {first_line(error)}. "
                        "Check the address; results so far are kept, the same command goes on from there."
                    ) from error
                time.sleep(1)

    def _reconnect(self):
        self.notice(
            f"the scheduler at {self.scheduler} is gone; waiting up to {self.patience:.0f} s for it to come back"
        )
        self._disconnect()
        self._connect(self.patience)
        self.notice("the scheduler is back; what it had is sent again")

    def _disconnect(self):
        client, self.client = self.client, None
        if client is not None:
            client.close(timeout=5)

    def _threads(self):
        """Threads of all workers; None: this is not the scheduler that has our submissions."""
        try:
            if self.client.status != "running" or self._ask()["id"] != self.identity:
                return None
            threads = sum(self.client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError, ValueError):
            return None
        if not threads:
            self.notice("no worker has come to the scheduler yet; waiting")
        return threads

    def _ask(self):
        return self.client.sync(self.client.scheduler.identity, n_workers=0, callback_timeout=20)
