"""Do the marks depend on luck? Run every check against the reference, or against the right answers
of the bank, again and again, with other seeds.

``python -m autograder stability ch02 --times 200`` moves every seed of the hidden tests, and the
state in which a check begins, by another amount each time, with 1 and with 2 threads. Number types
are not moved: the hidden tests themselves try float32 and float64 wherever an exercise computes
with either.
"""

from collections.abc import Callable, Sequence
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
    answers: bool = False,
) -> list[str]:
    """Try a chapter's checks on right code; lines that say which exercise, or answer, failed with
    which seeds.

    times: how many seeds, each with every number of ``threads``. only: exercises whose id contains
    this. on_failure: told of each line at once. answers: the right answers of the bank in place of
    the reference. Needs a process of its own.
    """
    lines: list[str] = []
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
