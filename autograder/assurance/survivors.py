"""Do the checks see every small change? Grade mutants of the reference solutions, or of the right
answers of the bank, and know the ones that survive.

``python -m autograder survivors ch02`` lists the mutants that pass and that no sentence in
survivors.toml explains; with ``--answers`` the mutants of the bank's right answers, which are named
by exercise and answer, as ``ch01_softmax/logsumexp``.
"""

import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.assurance.mutants import Mutant, mutants
from autograder.course.bank import bank_folder, right_answers
from autograder.course.errors import SourceError
from autograder.course.model import Exercise

if TYPE_CHECKING:
    from autograder.assurance.in_process import InProcessGrader, Trial

LEAST = 3.0  # seconds of processor time that a mutant gets at least
ENOUGH = 0.98  # of the mutants that compute something else must be refused

# {(exercise, or exercise/answer, change): (why, equivalent)}
Explanations = dict[tuple[str, str], tuple[str, bool]]


@dataclass
class Hunt:
    """Counts for one chapter. Mutants are named by ``exercise: change``."""

    chapter: str
    tried: int = 0
    equivalent: int = 0  # passed, and explained as computing the same
    known: int = 0  # passed, explained, yet other than the reference
    found: list[tuple[str, str, str]] = field(default_factory=list)  # (exercise, change, text)
    dead: list[str] = field(default_factory=list)  # explained as survivors, but refused

    @property
    def rate(self) -> float:
        """Share of the mutants that compute something else which were refused."""
        different = self.tried - self.equivalent
        return 1 - (self.known + len(self.found)) / different if different else 1.0


def explanation_files(root: Path) -> list[Path]:
    """The files that explain survivors: one for each chapter, or one for several."""
    folder = bank_folder(root)
    return sorted([*folder.glob("survivors.toml"), *folder.glob("*/survivors.toml")])


def explanations(root: Path) -> Explanations:
    """What the bank's survivors.toml say. Raises SourceError for an entry without a sentence."""
    known: Explanations = {}
    for path in explanation_files(root):
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []):
            if not str(entry.get("why", "")).endswith(".") or not entry.get("changes"):
                raise SourceError(
                    f"{path}: every survivor has exercise, changes and why, a sentence with a full "
                    f"stop; got {entry}."
                )
            said = entry["why"], entry.get("equivalent", True)
            for name in _named(entry):
                known.update({(name, change): said for change in entry["changes"]})
    return known


def _named(entry: dict[str, Any]) -> list[str]:
    """What an entry of survivors.toml is about: the reference, or the answers that it lists."""
    answers = entry.get("answers", [])
    return [f"{entry['exercise']}/{answer}" for answer in answers] or [entry["exercise"]]


def hunt(
    root: Path,
    name: str,
    sample: int | None = None,
    only: str = "",
    on_found: Callable[[str, str], None] = lambda exercise_id, change: None,
    answers: bool = False,
) -> Hunt:
    """Grade the mutants of a chapter's reference, or a sample of so many. Needs a process of its
    own.

    answers: the mutants of the right answers of the bank instead.
    """
    from autograder.assurance.in_process import InProcessGrader

    grader, known = InProcessGrader(root, name), explanations(root)
    result = Hunt(grader.chapter.name)
    every = [
        (exercise, subject, text, mutant)
        for exercise in grader.chapter.exercises
        if only in exercise.id
        for subject, text in _subjects(root, grader.chapter.name, exercise, answers)
        for mutant in mutants(text)
    ]
    if sample and sample < len(every):
        every = random.Random(name).sample(every, sample)
    limits: dict[str, float] = {}
    for exercise, subject, text, mutant in every:
        if subject not in limits:
            limits[subject] = _time_for_a_mutant(grader, exercise, subject, text)
        trial = grader.try_answer(exercise, mutant.text, limits[subject])
        _count(result, subject, mutant, trial, known, on_found)
    return result


def _subjects(root: Path, chapter: str, exercise: Exercise, answers: bool) -> list[tuple[str, str]]:
    """(name, text) of what is changed: the reference, or the right answers of the bank."""
    if not answers:
        return [(exercise.id, exercise.solution.text)]
    return [
        (f"{exercise.id}/{one.name}", one.text) for one in right_answers(root, chapter, exercise.id)
    ]


def _time_for_a_mutant(
    grader: "InProcessGrader", exercise: Exercise, subject: str, text: str
) -> float:
    """Seconds of processor time: a multiple of what the unchanged answer takes."""
    trial = grader.try_answer(exercise, text)
    if trial.refused:
        raise SourceError(
            f"{grader.chapter.path}: the unchanged answer {subject} does not pass the checks: "
            f"{trial.message[:300]}"
        )
    return max(LEAST, 4 * trial.seconds)


def _count(
    result: Hunt,
    subject: str,
    mutant: Mutant,
    trial: "Trial",
    known: Explanations,
    on_found: Callable[[str, str], None],
) -> None:
    result.tried += 1
    explained = known.get((subject, mutant.change))
    if trial.refused and not (explained and trial.stopped):
        if explained:
            result.dead.append(f"{subject}: {mutant.change}")
    elif explained:
        _, equivalent = explained
        result.equivalent += equivalent
        result.known += not equivalent
    else:
        result.found.append((subject, mutant.change, mutant.text))
        on_found(subject, mutant.change)
