"""Do the checks see every small change? Grade mutants of the reference solutions, and know the ones that survive.

``python -m autograder survivors ch02`` lists the mutants that pass and that no sentence in survivors.toml explains.
"""

import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assurance.mutants import mutants
from autograder.course.errors import SourceError

LEAST = 3.0  # seconds of processor time that a mutant gets at least
ENOUGH = 0.98  # of the mutants that compute something else must be refused


@dataclass
class Hunt:
    """Counts for one chapter. Mutants are named by ``exercise: change``."""

    chapter: str
    tried: int = 0
    equivalent: int = 0  # passed, and explained as computing the same
    known: int = 0  # passed, explained, yet other than the reference
    found: list[tuple[str, str, str]] = field(
        default_factory=list
    )  # (exercise, change, text) of those that passed unexplained
    dead: list[str] = field(default_factory=list)  # explained as survivors, but refused

    @property
    def rate(self):
        """Share of the mutants that compute something else which were refused."""
        different = self.tried - self.equivalent
        return 1 - (self.known + len(self.found)) / different if different else 1.0


def explanations(root):
    """{(exercise, change): (why, equivalent)} from survivors.toml. Raises SourceError for an entry without a sentence."""
    path = Path(root, "bank", "survivors.toml")
    known = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []):
        if not str(entry.get("why", "")).endswith(".") or not entry.get("changes"):
            raise SourceError(
                f"{path}: every survivor has exercise, changes and why, a sentence with a full stop; got {entry}."
            )
        known.update(
            {
                (entry["exercise"], change): (entry["why"], entry.get("equivalent", True))
                for change in entry["changes"]
            }
        )
    return known


def hunt(root, name, sample=None, only="", on_found=lambda exercise_id, change: None):
    """Grade the mutants of a chapter's reference, or a sample of so many. Needs a process of its own. Returns Hunt."""
    from autograder.assurance.in_process import Rehearsal

    rehearsal, known = Rehearsal(root, name), explanations(root)
    result = Hunt(rehearsal.chapter.name)
    every = [
        (exercise, mutant)
        for exercise in rehearsal.chapter.exercises
        if only in exercise.id
        for mutant in mutants(exercise.solution.text)
    ]
    if sample and sample < len(every):
        every = random.Random(name).sample(every, sample)
    usual = {}
    for exercise, mutant in every:
        if exercise.id not in usual:
            usual[exercise.id] = _reference_seconds(rehearsal, exercise)
        _count(
            result,
            exercise.id,
            mutant,
            rehearsal.answer(exercise, mutant.text, usual[exercise.id]),
            known,
            on_found,
        )
    return result


def _reference_seconds(rehearsal, exercise):
    """Processor time that a mutant may take: a multiple of the reference's."""
    outcome = rehearsal.answer(exercise, exercise.solution.text)
    if outcome.refused:
        raise SourceError(
            f"{rehearsal.chapter.path}: the reference for {exercise.id} does not pass its own checks: {outcome.message[:300]}"
        )
    return max(LEAST, 4 * outcome.seconds)


def _count(result, exercise_id, mutant, outcome, known, on_found):
    result.tried += 1
    explained = known.get((exercise_id, mutant.change))
    if outcome.refused and not (explained and outcome.stopped):
        if explained:
            result.dead.append(f"{exercise_id}: {mutant.change}")
    elif explained:
        result.equivalent += explained[1]
        result.known += not explained[1]
    else:
        result.found.append((exercise_id, mutant.change, mutant.text))
        on_found(exercise_id, mutant.change)
