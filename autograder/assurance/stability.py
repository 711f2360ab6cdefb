"""Do the marks depend on luck? Run every check against the reference, or against the right answers
of the bank, again and again, with other seeds.

``python -m autograder stability ch02 --times 200`` moves every seed of the hidden tests, and the
state in which a check begins, by another amount each time, with 1 and with 2 threads. Number types
are not moved: the hidden tests themselves try float32 and float64 wherever an exercise computes
with either.
"""

import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

from autograder.assurance.in_process import SECONDS, InProcessGrader, subjects

STEP = 7919  # apart from one time to the next; a prime larger than the seeds that checks use


def unstable(
    root: Path,
    name: str,
    times: int,
    threads: Sequence[int] = (1, 2),
    only: str = "",
    on_failure: Callable[[str], None] = lambda line: None,
    under_load: bool = False,
    answers: bool = False,
) -> list[str]:
    """Try a chapter's checks on right code; lines that say which exercise, or answer, failed with
    which seeds.

    times: how many seeds, each with every number of ``threads``. only: exercises whose id contains
    this. on_failure: told of each line at once. under_load: while every core of the machine is kept
    busy by a process of its own. answers: the right answers of the bank in place of the reference.
    Needs a process of its own.
    """
    lines: list[str] = []
    with busy_cores() if under_load else contextlib.nullcontext():
        grader = InProcessGrader(root, name)
        every = list(subjects(root, grader.chapter, only, answers))
        for offset, tried, count in product(range(STEP, (times + 1) * STEP, STEP), every, threads):
            exercise, subject, text = tried
            own = text if answers else None
            trial = grader.try_answer(exercise, own, 10 * SECONDS, offset, count)
            if trial.refused:
                lines.append(f"{subject}: seeds + {offset}, {count} thread(s): {trial.message}")
                on_failure(lines[-1])
    return lines


@contextlib.contextmanager
def busy_cores() -> Iterator[list[int]]:
    """Processes, one for each core, that compute as long as the ``with`` lasts; their ids."""
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_compute, daemon=True) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    try:
        yield [worker.pid for worker in workers if worker.pid]
    finally:
        for worker in workers:
            worker.kill()
            worker.join()


def _compute() -> None:
    """Until the process that started it is gone, however it ended."""
    parent = multiprocessing.parent_process()
    while parent and parent.is_alive():
        sum(number * number for number in range(10_000))
