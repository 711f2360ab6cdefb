"""Put workers to work, through Dask: processes on this machine, or whatever a scheduler elsewhere
has. One path for both.

A worker that dies is replaced and its submission is graded again; a scheduler that dies is
waited for. On this machine there is one worker process with a thread per submission, more of them
where there are many cores. Scheduler and worker talk TLS with keys that are made for the run and
never written down, on the loopback interface: no other user of the machine can give them orders.
Students' code has a network of its own, in which nothing answers. Nothing is served over HTTP.
"""

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from math import ceil
from pathlib import Path
from typing import Any

import dask
import psutil
from distributed import Client, LocalCluster, fire_and_forget
from distributed import Future as DaskFuture

from autograder.classroom.run.dispatch import Dispatch, Job, Reply
from autograder.classroom.run.worker import Terms, get_ready
from autograder.course.bundle import Course, bundle
from autograder.course.errors import AutograderError, first_line
from autograder.course.model import Chapter
from autograder.grading.limits import Limits

LIMITS = Limits()
THREADS = 8  # of a process: they wait most of the time, and share what was imported
BYTES = 1 << 30  # memory that a submission is reckoned with
SETTINGS = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.admin.large-graph-warning-threshold": "1 GB",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.admin.low-level-log-length": 8,  # of messages, notebooks and all
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.preload": ["autograder.classroom.run.worker_start"],
}


class Workers:
    """Workers for one or more chapters; started when first needed, ended with the ``with`` block.

    scheduler: address of a running one, as "tcp://head:8786"; "": the one that Dask's settings
    name, else processes here. count: of submissions at a time here, default one per core.
    first_patience, patience: seconds to wait for a scheduler, at the start and when it is gone.
    notice: called with a line when there is something to wait for.
    """

    def __init__(
        self,
        root: Path,
        scheduler: str = "",
        sandbox: bool = True,
        count: int | None = None,
        limits: Limits = LIMITS,
        first_patience: float = 30.0,
        patience: float = 600.0,
        notice: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.root, self.sandbox, self.count, self.limits = root, sandbox, count, limits
        self.scheduler = scheduler or dask.config.get("scheduler-address", None) or ""
        self.first_patience, self.patience, self.notice = first_patience, patience, notice
        self.cluster: LocalCluster | None = None
        self.client: Client | None = None
        self.identity = ""  # of the scheduler that has our submissions
        self._begun: Future | None = None
        self._sent = 0

    @property
    def conditions(self) -> dict[str, Any]:
        """What decides a verdict besides the submission and the source."""
        return {"sandbox": self.sandbox, "limits": asdict(self.limits)}

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._begun is not None:
            wait([self._begun])
        self._disconnect()
        if self.cluster is not None:
            self.cluster.close(timeout=20)
            self.cluster = None

    def begin(self, chapter: Chapter, most: int | None = None) -> None:
        """Start local workers and have them get ready, in the background. most: how many
        submissions there may be.
        """
        if not self.scheduler and self.client is None and self._begun is None:
            course, background = bundle(self.root, chapter), ThreadPoolExecutor(1)
            self._begun = background.submit(self._get_ready, course, chapter, most)
            background.shutdown(wait=False)

    def replies(
        self, chapter: Chapter, jobs: Iterable[Job], most: int | None = None
    ) -> Iterator[tuple[Job, Reply]]:
        """Yield (job, Reply) as they come. jobs is read only as fast as workers take them; most:
        how many there may be.
        """
        return Dispatch(self, chapter, jobs, most).replies()

    def connect(self, most: int | None = None) -> None:
        """Wait for the workers that were begun; start or connect to some where there are none."""
        begun, self._begun = self._begun, None
        if begun is not None:
            begun.result()
        if self.client is None:
            self._connect_first(most)

    def submit(
        self, most: int | None, function: Callable[..., Any], course: Course, *arguments: Any
    ) -> DaskFuture:
        """A Dask future for ``function(course as plain data, *arguments)`` on a worker. Starts or
        connects where that was not done.
        """
        self.connect(most)
        self._sent += 1
        key = f"grade-{self.identity}-{id(self)}-{self._sent}"
        with dask.config.set(SETTINGS):  # a large notebook is no mistake
            return self._send(function, course, *arguments, key=key)

    def threads(self) -> int | None:
        """Threads of all workers; None: this is not the scheduler that has our submissions."""
        try:
            client = self.client if self.client and self.client.status == "running" else None
            if client is None or self._ask()["id"] != self.identity:
                return None
            threads = sum(client.nthreads().values())
        except (OSError, TimeoutError, RuntimeError, ValueError):
            return None
        if not threads:
            self.notice("no worker has come to the scheduler yet; waiting")
        return threads

    def reconnect(self) -> None:
        """Wait for a scheduler that went away. Raises AutograderError where it does not come back
        in time.
        """
        self.notice(
            f"the scheduler at {self.scheduler} is gone; waiting up to {self.patience:.0f} s for "
            "it to come back"
        )
        self._disconnect()
        self._connect(self.patience)
        self.notice("the scheduler is back; what it had is sent again")

    def _get_ready(self, course: Course, chapter: Chapter, most: int | None) -> None:
        self._connect_first(most)
        fire_and_forget(self._send(get_ready, course, chapter.name))

    def _send(
        self, function: Callable[..., Any], course: Course, *arguments: Any, key: str | None = None
    ) -> DaskFuture:
        assert self.client is not None
        terms: Terms = (course.digest, course.archive, self.sandbox, asdict(self.limits))
        return self.client.submit(function, terms, *arguments, key=key, pure=False)

    def _connect_first(self, most: int | None) -> None:
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if not self.scheduler:
            count = min(self.count or _cores(), most or 1_000_000)
            try:
                self.cluster = _local_cluster(count)
            except (OSError, RuntimeError, TimeoutError) as error:
                raise AutograderError(
                    f"the workers of this machine did not start: {first_line(error)}. Run the "
                    "same command again; what is graded is kept."
                ) from error
        self._connect(self.first_patience)

    def _connect(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while True:
            try:
                where = self.cluster or self.scheduler
                with dask.config.set(SETTINGS):
                    self.client = Client(where, timeout=10, set_as_default=False)
                self.identity = self._ask()["id"]
                return
            except (OSError, ValueError, TimeoutError, RuntimeError) as error:
                self._disconnect()
                if time.monotonic() > deadline:
                    raise AutograderError(
                        f"no Dask scheduler answers at {self.scheduler or 'this machine'}: "
                        f"{first_line(error)}. Check the address; results so far are kept, the "
                        "same command goes on from there."
                    ) from error
                time.sleep(1)

    def _disconnect(self) -> None:
        client, self.client = self.client, None
        if client is not None:
            client.close(timeout=5)

    def _ask(self) -> dict[str, Any]:
        assert self.client is not None
        return self.client.sync(self.client.scheduler.identity, n_workers=0, callback_timeout=20)


def _local_cluster(count: int) -> LocalCluster:
    """A LocalCluster that grades ``count`` submissions at a time."""
    processes = ceil(count / THREADS)
    with dask.config.set(SETTINGS):
        return LocalCluster(
            n_workers=processes,
            threads_per_worker=ceil(count / processes),
            processes=True,
            memory_limit=0,
            host="127.0.0.1",
            security=True,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )


def _cores() -> int:
    """How many submissions this machine carries at a time: one per core, and a gigabyte of memory
    for each.
    """
    usable = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, min(usable, int(psutil.virtual_memory().available // BYTES)))
