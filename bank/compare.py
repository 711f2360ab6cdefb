"""The bank's answers, judged by another course's check of the same function. README.md says how to
write an adapter.

    .venv/bin/python bank/compare.py ~/adapter.py [answers.csv]

Each answer runs in a fork of a process that holds the chapter's reference, with a limit on time and
memory, and without a sandbox: whoever runs an adapter trusts it.
"""

import csv
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any

from autograder.assurance.in_process import InProcessGrader
from autograder.course.bank import Answer, read_answers
from autograder.course.chapter import find_chapter
from autograder.course.errors import AutograderError

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 60.0  # of processor time for one answer
Adapter = dict[str, Any]  # the names that its file defines
Judged = tuple[Answer, str | None]  # an answer, and what refused it: None where it was accepted


def read_adapter(path: Path) -> Adapter:
    """Run an adapter file. Raises AutograderError with what is missing or raised."""
    if not path.is_file():
        raise AutograderError(f"{path}: expected an adapter, a Python file; there is none.")
    try:
        adapter = run_path(str(path))
    except Exception as error:
        raise AutograderError(
            f"{path}: the adapter raised {type(error).__name__}: {error}. Are the other course's "
            "files where it looks for them?"
        ) from error
    checks = adapter.get("CHECKS")
    if not isinstance(checks, dict) or not checks or not all(map(callable, checks.values())):
        raise AutograderError(
            f"{path}: expected CHECKS, a dictionary of exercise ids and functions, as "
            f'{{"ch01_softmax": check_softmax}}; got {checks!r}.'
        )
    return {"LEFT_OUT": {}, **adapter}


def compare(root: Path, path: Path) -> Iterator[tuple[str, list[Judged]]]:
    """(exercise, its answers as they were judged) for each check of an adapter. Raises
    AutograderError for an exercise or a left-out answer that the bank does not have.
    """
    adapter = read_adapter(path)
    for exercise_id in adapter["CHECKS"]:
        chapter = find_chapter(root, exercise_id.partition("_")[0])
        known = [exercise.id for exercise in chapter.exercises]
        if exercise_id not in known:
            raise AutograderError(
                f"{path}: {chapter.name} has no exercise {exercise_id!r}; it has "
                f"{', '.join(known)}."
            )
        answers = read_answers(root, chapter.name, exercise_id)
        left_out = adapter["LEFT_OUT"].get(exercise_id, {})
        if unknown := sorted({*left_out} - {answer.name for answer in answers}):
            raise AutograderError(
                f"{path}: LEFT_OUT names {', '.join(unknown)}, which the bank's answers to "
                f"{exercise_id} do not hold."
            )
        answers = [answer for answer in answers if answer.name not in left_out]
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
            judged = apart.submit(_judged, root, chapter.name, path, exercise_id, answers)
            yield exercise_id, judged.result()


def _judged(
    root: Path, chapter: str, path: Path, exercise_id: str, answers: list[Answer]
) -> list[Judged]:
    """What the adapter's check makes of each answer. Needs a process of its own."""
    check = read_adapter(path)["CHECKS"][exercise_id]
    grader = InProcessGrader(root, chapter)
    exercise = next(one for one in grader.chapter.exercises if one.id == exercise_id)
    judged: list[Judged] = []
    for answer in answers:
        trial = grader.try_with(exercise, answer.text, _refusing(check), SECONDS)
        said = " ".join(trial.message.split()) or "?"
        judged.append((answer, said if trial.refused else None))
    return judged


def _refusing(check: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    """A function of a namespace that raises where the check refuses what is defined there."""

    def judge(namespace: dict[str, Any]) -> None:
        if check(SimpleNamespace(**namespace)) is False:
            raise AssertionError("the check returned False")

    return judge


def main(path: str, table: str = "") -> None:
    """Print how many answers were judged wrongly and which, and write a line for each."""
    lines = []
    left_out = read_adapter(Path(path))["LEFT_OUT"]
    for exercise, judged in compare(ROOT, Path(path)):
        counts = {True: [0, 0], False: [0, 0]}  # {right: [answers, judged wrongly]}
        for answer, said in judged:
            accepted, kind = said is None, "right" if answer.right else "wrong"
            counts[answer.right][0] += 1
            if accepted != answer.right:
                counts[answer.right][1] += 1
                verb = "accepts" if accepted else "refuses"
                print(f"{verb} the {kind} answer {exercise}/{answer.name} {(said or '')[:150]}")
            lines.append([exercise, answer.name, kind, ("refused", "accepted")[accepted], said])
        (right, lost), (wrong, gained) = counts[True], counts[False]
        print(
            f"{exercise}: {lost} of {right} right ones refused, "
            f"{gained} of {wrong} wrong ones accepted"
        )
        for name, why in left_out.get(exercise, {}).items():
            print(f"left out: {exercise}/{name}: {why}")
    if table:
        with open(table, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["exercise", "answer", "kind", "verdict", "said"], *lines])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except AutograderError as error:
        sys.exit(f"error: {error}")
