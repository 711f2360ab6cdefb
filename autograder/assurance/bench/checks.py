"""A benchmark of graders: the bank's answers, judged by another course's check of the same function
and by ours.

The other check stays where it is. An adapter, a Python file that is not part of this course, says
how to call it (``bank/README.md`` shows one):

    NAME = "the other course"
    CHECKS = {"ch01_softmax": check_softmax}   # {exercise: function of an Answered}
    LEFT_OUT = {"ch01_softmax": {"no_neginf": "its exercise does not ask for rows of -inf"}}

A function of ``CHECKS`` refuses an answer by raising, or by returning False. Ours is the real
grader; the other one runs in a fork of a process that holds the chapter's reference, with a limit
on time and memory, and without a sandbox: whoever runs an adapter trusts it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograder.assurance.quality import grade_answer
from autograder.classroom.tables import csv_text
from autograder.course.bank import Answer, read_answers
from autograder.course.chapter import find_chapter
from autograder.course.errors import AutograderError
from autograder.course.model import Exercise
from autograder.grading import Engine
from autograder.grading.result import Status

SECONDS = 60.0  # of processor time for one answer and the other check
COLUMNS = ("exercise", "answer", "kind", "ours", "theirs", "what theirs said")


@dataclass(frozen=True)
class Adapter:
    """Another course's checks, as an adapter file gives them."""

    path: Path
    name: str
    checks: Mapping[str, Callable[[Any], Any]]  # {exercise id: its check}
    left_out: Mapping[str, Mapping[str, str]]  # {exercise id: {answer: why it is not run}}


@dataclass(frozen=True)
class Judged:
    """What both graders made of one answer of the bank."""

    exercise: str
    answer: str
    right: bool
    ours: bool  # accepted by our checks
    theirs: bool  # accepted by the other check
    said: str = ""  # what the other check said, in one line


@dataclass(frozen=True)
class Tally:
    """Counts for one exercise."""

    exercise: str
    right: int
    wrong: int
    false_refusals: tuple[int, int]  # right answers refused: (ours, theirs)
    false_accepts: tuple[int, int]  # wrong answers accepted: (ours, theirs)
    left_out: int


def read_adapter(path: Path) -> Adapter:
    """Load an adapter file. Raises AutograderError with what is missing or raised."""
    spec = spec_from_file_location("adapter", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise AutograderError(f"{path}: expected an adapter, a Python file; there is none.")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise AutograderError(
            f"{path}: the adapter raised {type(error).__name__}: {error}. Are the other course's "
            "files where it looks for them?"
        ) from error
    checks = getattr(module, "CHECKS", None)
    if not isinstance(checks, dict) or not checks or not all(map(callable, checks.values())):
        raise AutograderError(
            f"{path}: expected CHECKS, a dictionary of exercise ids and functions, as "
            f'{{"ch01_softmax": check_softmax}}; got {checks!r}.'
        )
    left_out = getattr(module, "LEFT_OUT", {})
    return Adapter(path, str(getattr(module, "NAME", path.stem)), checks, left_out)


def compare(
    root: Path, adapter: Adapter, on_answer: Callable[[], None] = lambda: None
) -> list[Judged]:
    """Judge the bank's answers to an adapter's exercises with both graders, in the bank's order.

    Raises AutograderError for an exercise or a left-out answer that the bank does not have, and
    for an adapter that refuses or accepts nothing because it cannot be called.
    """
    judged: list[Judged] = []
    with Engine(root) as engine:
        for exercise_id in adapter.checks:
            chapter = _chapter_of(root, adapter, exercise_id)
            answers = _answers(root, chapter, adapter, exercise_id)
            theirs = _apart(_their_verdicts, root, chapter, adapter.path, exercise_id)
            for answer in answers:
                verdicts = grade_answer(engine, chapter, exercise_id, answer.text)
                ours = all(verdict.status is Status.PASSED for verdict in verdicts)
                said = theirs[answer.name]
                accepted = ours, said is None
                judged.append(Judged(exercise_id, answer.name, answer.right, *accepted, said or ""))
                on_answer()
    return judged


def tallies(adapter: Adapter, judged: Iterable[Judged]) -> list[Tally]:
    """The counts of each exercise of an adapter, and of all together where there are several."""
    judged = list(judged)
    counted = [
        _tally(name, [j for j in judged if j.exercise == name], adapter.left_out.get(name, ()))
        for name in adapter.checks
    ]
    left_out = [name for names in adapter.left_out.values() for name in names]
    return counted + ([_tally("all", judged, left_out)] if len(counted) > 1 else [])


def as_csv(judged: Iterable[Judged]) -> str:
    """One line for each answer, for whoever wants to look at them."""
    words = {True: "accepted", False: "refused"}
    kinds = {True: "right", False: "wrong"}
    rows = (
        (one.exercise, one.answer, kinds[one.right], words[one.ours], words[one.theirs], one.said)
        for one in judged
    )
    return csv_text(COLUMNS, rows)


def _tally(name: str, judged: list[Judged], left_out: Collection[str]) -> Tally:
    right = [one for one in judged if one.right]
    wrong = [one for one in judged if not one.right]
    refused = sum(not one.ours for one in right), sum(not one.theirs for one in right)
    accepted = sum(one.ours for one in wrong), sum(one.theirs for one in wrong)
    return Tally(name, len(right), len(wrong), refused, accepted, len(left_out))


def _chapter_of(root: Path, adapter: Adapter, exercise_id: str) -> str:
    """The name of the chapter that has an exercise."""
    chapter = find_chapter(root, exercise_id.partition("_")[0])
    if exercise_id not in {exercise.id for exercise in chapter.exercises}:
        raise AutograderError(
            f"{adapter.path}: {chapter.name} has no exercise {exercise_id!r}; it has "
            f"{', '.join(exercise.id for exercise in chapter.exercises)}."
        )
    return chapter.name


def _answers(root: Path, chapter: str, adapter: Adapter, exercise_id: str) -> list[Answer]:
    """The answers to an exercise that both graders judge."""
    answers = read_answers(root, chapter, exercise_id)
    left_out = adapter.left_out.get(exercise_id, {})
    unknown = sorted(set(left_out) - {answer.name for answer in answers})
    if unknown:
        raise AutograderError(
            f"{adapter.path}: LEFT_OUT names {', '.join(unknown)}, which the bank's answers to "
            f"{exercise_id} do not hold."
        )
    return [answer for answer in answers if answer.name not in left_out]


def _their_verdicts(
    root: Path, chapter: str, path: Path, exercise_id: str
) -> dict[str, str | None]:
    """{answer: None where the other check accepts it, else what it said}. Needs a process of its
    own.
    """
    from autograder.assurance.in_process import InProcessGrader

    adapter = read_adapter(path)
    grader = InProcessGrader(root, chapter)
    exercise = next(one for one in grader.chapter.exercises if one.id == exercise_id)
    check = adapter.checks[exercise_id]
    said: dict[str, str | None] = {}
    for answer in _answers(root, chapter, adapter, exercise_id):
        trial = grader.try_with(exercise, answer.text, _checked_by(check, exercise), SECONDS)
        said[answer.name] = " ".join(trial.message.split()) or "?" if trial.refused else None
    return said


def _checked_by(
    check: Callable[[Any], Any], exercise: Exercise
) -> Callable[[dict[str, Any]], None]:
    """A function of a namespace that lets a check of an adapter judge what is defined there."""

    def judge(namespace: dict[str, Any]) -> None:
        names = {name: namespace[name] for name in exercise.names if name in namespace}
        if check(SimpleNamespace(**{**namespace, **names})) is False:
            raise AssertionError("the check returned False")

    return judge


def _apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """function(*arguments), worked out in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
