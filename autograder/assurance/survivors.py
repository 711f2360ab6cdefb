"""Do the checks see every small change? Grade mutants of the reference solutions, and know the ones
that survive.

``python -m autograder survivors ch02`` lists the mutants that pass and that no sentence in the
chapter's survivors.toml explains. With ``--answers`` it lists those of the bank's right answers,
named by exercise and answer, as ``ch01_softmax/logsumexp``; nothing explains these, and most
compute the same.
"""

import random
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest
from pathlib import Path

from autograder.assurance.in_process import InProcessGrader, subjects
from autograder.assurance.mutants import Mutant, mutants
from autograder.course.bank import bank_folder
from autograder.course.errors import SourceError
from autograder.course.model import Exercise

Change = tuple[Exercise, str, str, Mutant]  # exercise, name and text of an answer, its mutant

LEAST = 3.0  # seconds of processor time that a mutant gets at least
ENOUGH = 0.98  # of the mutants that compute something else must be refused


@dataclass
class Hunt:
    """Counts for one chapter."""

    chapter: str
    tried: int = 0
    equivalent: int = 0  # passed, and explained as computing the same
    known: int = 0  # passed, explained, yet other than the reference
    found: list[tuple[str, str, str]] = field(default_factory=list)  # (subject, change, text)
    dead: list[str] = field(default_factory=list)  # explained as computing the same, but refused

    @property
    def rate(self) -> float:
        """Share of the mutants that compute something else which were refused."""
        different = self.tried - self.equivalent
        return 1 - (self.known + len(self.found)) / different if different else 1.0


def explanations(root: Path, chapter: str) -> dict[tuple[str, str], bool]:
    """What a chapter's survivors.toml says: {(exercise, change): whether it computes the same}.

    Raises SourceError for an entry without a sentence.
    """
    path = bank_folder(root) / chapter / "survivors.toml"
    known: dict[tuple[str, str], bool] = {}
    entries = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for entry in entries.get("survivor", []):
        changes = entry.get("changes", [])
        if not str(entry.get("why", "")).endswith(".") or not changes or "exercise" not in entry:
            raise SourceError(
                f"{path}: every survivor has exercise, changes, and why, a sentence with a full "
                f"stop; got {entry}."
            )
        for change in changes:
            known[entry["exercise"], change] = entry.get("equivalent", True)
    return known


def hunt(
    root: Path,
    name: str,
    sample: int | None = None,
    only: str = "",
    on_found: Callable[[str, str], None] = lambda subject, change: None,
    answers: bool = False,
) -> Hunt:
    """Grade the mutants of a chapter's reference, or a sample of so many, and count.

    only: exercises whose id contains this. on_found: told of each survivor that nothing explains,
    (subject, change). answers: the mutants of the right answers of the bank instead. Needs a
    process of its own. Raises SourceError where the unchanged answer does not pass.
    """
    grader = InProcessGrader(root, name)
    known = explanations(root, grader.chapter.name)
    result = Hunt(grader.chapter.name)
    every: list[list[Change]] = [
        [(exercise, subject, text, mutant) for mutant in mutants(text)]
        for exercise, subject, text in subjects(root, grader.chapter, only, answers)
    ]
    limits: dict[str, float] = {}
    for exercise, subject, text, mutant in sampled(every, sample) if sample else chain(*every):
        if subject not in limits:
            limits[subject] = _time_for_a_mutant(grader, exercise, subject, text)
        trial = grader.try_answer(exercise, mutant.text, limits[subject])
        equivalent = known.get((subject, mutant.change))
        result.tried += 1
        if trial.refused and (equivalent is None or not trial.stopped):
            if equivalent:
                result.dead.append(f"{subject}: {mutant.change}")
        elif equivalent is None:
            result.found.append((subject, mutant.change, mutant.text))
            on_found(subject, mutant.change)
        else:
            result.equivalent += equivalent
            result.known += not equivalent
    return result


def sampled(groups: Sequence[Sequence[Change]], size: int) -> list[Change]:
    """So many changes, the same ones every time, one from each group in turn: the mutants of every
    answer have their share.
    """
    shuffled = [random.Random(len(group)).sample(group, len(group)) for group in groups]
    return [one for turn in zip_longest(*shuffled) for one in turn if one][:size]


def _time_for_a_mutant(
    grader: InProcessGrader, exercise: Exercise, subject: str, text: str
) -> float:
    """Seconds of processor time: a multiple of what the unchanged answer takes."""
    trial = grader.try_answer(exercise, text)
    if trial.refused:
        raise SourceError(
            f"{grader.chapter.path}: the unchanged answer {subject} does not pass the checks: "
            f"{trial.message[:300]}"
        )
    return max(LEAST, 4 * trial.seconds)
