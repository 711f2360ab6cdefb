"""Do the checks see every small change? Grade mutants of the reference solutions, and know the ones
that survive.

``python -m autograder survivors ch02`` lists the mutants that pass and that no sentence in
survivors.toml explains.
"""

import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assurance.bank import bank_folder
from autograder.assurance.mutants import Mutant, mutants
from autograder.course.errors import SourceError
from autograder.course.model import Exercise

if TYPE_CHECKING:
    from autograder.assurance.in_process import InProcessGrader, Trial

LEAST = 3.0  # seconds of processor time that a mutant gets at least
ENOUGH = 0.98  # of the mutants that compute something else must be refused

Explanations = dict[tuple[str, str], tuple[str, bool]]  # {(exercise, change): (why, equivalent)}


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
            for change in entry["changes"]:
                known[entry["exercise"], change] = entry["why"], entry.get("equivalent", True)
    return known


def hunt(
    root: Path,
    name: str,
    sample: int | None = None,
    only: str = "",
    on_found: Callable[[str, str], None] = lambda exercise_id, change: None,
) -> Hunt:
    """Grade the mutants of a chapter's reference, or a sample of so many. Needs a process of its
    own.
    """
    from autograder.assurance.in_process import InProcessGrader

    grader, known = InProcessGrader(root, name), explanations(root)
    result = Hunt(grader.chapter.name)
    every = [
        (exercise, mutant)
        for exercise in grader.chapter.exercises
        if only in exercise.id
        for mutant in mutants(exercise.solution.text)
    ]
    if sample and sample < len(every):
        every = random.Random(name).sample(every, sample)
    limits: dict[str, float] = {}
    for exercise, mutant in every:
        if exercise.id not in limits:
            limits[exercise.id] = _time_for_a_mutant(grader, exercise)
        trial = grader.try_answer(exercise, mutant.text, limits[exercise.id])
        _count(result, exercise.id, mutant, trial, known, on_found)
    return result


def _time_for_a_mutant(grader: "InProcessGrader", exercise: Exercise) -> float:
    """Seconds of processor time: a multiple of the reference's."""
    trial = grader.try_answer(exercise, exercise.solution.text)
    if trial.refused:
        raise SourceError(
            f"{grader.chapter.path}: the reference for {exercise.id} does not pass its own checks: "
            f"{trial.message[:300]}"
        )
    return max(LEAST, 4 * trial.seconds)


def _count(
    result: Hunt,
    exercise_id: str,
    mutant: Mutant,
    trial: "Trial",
    known: Explanations,
    on_found: Callable[[str, str], None],
) -> None:
    result.tried += 1
    explained = known.get((exercise_id, mutant.change))
    if trial.refused and not (explained and trial.stopped):
        if explained:
            result.dead.append(f"{exercise_id}: {mutant.change}")
    elif explained:
        _, equivalent = explained
        result.equivalent += equivalent
        result.known += not equivalent
    else:
        result.found.append((exercise_id, mutant.change, mutant.text))
        on_found(exercise_id, mutant.change)
