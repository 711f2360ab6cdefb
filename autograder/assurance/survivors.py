"""Do the checks see every small change? Grade mutants of the reference solutions, or of the right
answers of the bank, and know the ones that survive.

``python -m autograder survivors ch02`` lists the mutants that pass and that no sentence in
survivors.toml explains; with ``--answers`` the mutants of the bank's right answers, which are named
by exercise and answer, as ``ch01_softmax/logsumexp``.
"""

import random
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assurance.mutants import Mutant, mutants
from autograder.course.bank import bank_folder, right_answers
from autograder.course.errors import SourceError
from autograder.course.model import Exercise

if TYPE_CHECKING:
    from autograder.assurance.in_process import InProcessGrader, Trial

LEAST = 3.0  # seconds of processor time that a mutant gets at least
ENOUGH = 0.98  # of the mutants that compute something else must be refused


@dataclass(frozen=True)
class Pattern:
    """Changes that share a reason: those of some answers of an exercise that an expression matches
    as a whole. ``answers`` may be ``["*"]``, all right answers of the exercise.
    """

    exercise: str
    answers: tuple[str, ...]
    expression: re.Pattern[str]
    equivalent: bool

    def matches(self, subject: str, change: str) -> bool:
        """Whether it explains a change. subject: exercise/answer."""
        exercise, _, answer = subject.partition("/")
        return (
            exercise == self.exercise
            and (answer in self.answers or (bool(answer) and self.answers == ("*",)))
            and self.expression.fullmatch(change) is not None
        )


@dataclass
class Explanations:
    """What the bank's survivors.toml say.

    changes: {(exercise, or exercise/answer, change): whether it computes the same}.
    by_chance: those of them that are refused in some runs and pass in others, as where the order
    of a set decides.
    """

    changes: dict[tuple[str, str], bool] = field(default_factory=dict)
    by_chance: set[tuple[str, str]] = field(default_factory=set)
    patterns: list[Pattern] = field(default_factory=list)

    def equivalent(self, subject: str, change: str) -> bool | None:
        """Whether an explained change computes the same; None where nothing explains it."""
        if (subject, change) in self.changes:
            return self.changes[subject, change]
        for pattern in self.patterns:
            if pattern.matches(subject, change):
                return pattern.equivalent
        return None


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
    known = Explanations()
    for path in explanation_files(root):
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("survivor", []):
            changes, patterns = entry.get("changes", []), entry.get("patterns", [])
            answers, same = entry.get("answers", []), entry.get("equivalent", True)
            if not str(entry.get("why", "")).endswith(".") or not (changes or patterns):
                raise SourceError(
                    f"{path}: every survivor has exercise, changes or patterns, and why, a "
                    f"sentence with a full stop; got {entry}."
                )
            if patterns and not answers:
                raise SourceError(f"{path}: patterns are for answers of the bank; got {entry}.")
            for name in [f"{entry['exercise']}/{one}" for one in answers] or [entry["exercise"]]:
                known.changes.update({(name, change): same for change in changes})
                known.by_chance |= {(name, c) for c in changes if entry.get("by_chance")}
            for text in patterns:
                try:
                    expression = re.compile(text)
                except re.error as error:
                    raise SourceError(f"{path}: {text!r} is no pattern: {error}.") from error
                known.patterns.append(Pattern(entry["exercise"], tuple(answers), expression, same))
    return known


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
    equivalent = known.equivalent(subject, mutant.change)
    if trial.refused and not (equivalent is not None and trial.stopped):
        change = (subject, mutant.change)
        if change in known.changes and change not in known.by_chance:
            result.dead.append(f"{subject}: {mutant.change}")
    elif equivalent is not None:
        result.equivalent += equivalent
        result.known += not equivalent
    else:
        result.found.append((subject, mutant.change, mutant.text))
        on_found(subject, mutant.change)
