"""A cluster on this machine: one worker process with a thread per submission, more of them where
there are many cores.

Scheduler and worker talk TLS with keys that are made for the run and never written down, on the
loopback interface: no other user of the machine can give them orders. Students' code has a
network of its own, in which nothing answers. Nothing is served over HTTP.
"""

import logging
import os
from math import ceil

import dask
import psutil
from distributed import LocalCluster

THREADS = 8  # of a process: they wait most of the time, and share what was imported
BYTES = 1 << 30  # memory that a submission is reckoned with
SETTINGS = {
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.admin.large-graph-warning-threshold": "1 GB",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # messages that are kept for a look back, notebooks and all
    "distributed.admin.low-level-log-length": 8,
    "distributed.admin.tick.interval": "500ms",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.preload": ["autograder.classroom.run.worker_start"],
}


def start(count: int) -> LocalCluster:
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


def cores() -> int:
    """How many submissions this machine carries at a time: one per core, and a gigabyte of memory
    for each.
    """
    usable = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, min(usable, int(psutil.virtual_memory().available // BYTES)))
