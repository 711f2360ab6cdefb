"""What a verdict depends on, as one hash per exercise.

An exercise is graded again when its checks, the reference code above them, or the grader itself are
not what they were.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from autograder.course.carry import filled
from autograder.course.model import Cell, Chapter, Exercise
from autograder.course.regions import strip_markers
from autograder.grading.names import bound, needed, parsed

ROOMS = ("course", "grading", "sandboxed")  # the code that decides verdicts, and nothing else
PACKAGE = Path(__file__).parents[1]


@cache
def grader_mark(package: Path = PACKAGE) -> str:
    """A hash of the code that decides verdicts, so that results of another version are not taken
    for this one's.
    """
    digest = hashlib.sha256()
    cases = package.parent / "attention_built"
    files = [path for room in ROOMS for path in (package / room).rglob("*.py")]
    modules = ("*.py", "chip/*.py", "tables/*.json", "shipped/*.py")
    files += [path for pattern in modules for path in cases.glob(pattern)]
    for path in sorted(files):
        name = path.relative_to(package.parent).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def fingerprints(root: Path | str, chapter: Chapter, conditions: Any) -> dict[str, str]:
    """{exercise: hash of all that its verdicts depend on, but for the submission}.

    conditions: anything else that decides, as JSON can hold it: limits, sandbox or not.

    >>> list(fingerprints(root, chapter, {"sandbox": True}))[:2]
    ['ch01_double', 'ch01_weights']
    """
    above: list[tuple[str, str]] = []
    checks_above: list[Cell] = []
    made = {}
    last = {exercise.checks[-1].grade_id: exercise for exercise in chapter.exercises}
    for cell in chapter.code:
        if cell.role == "check":
            checks_above.append(cell)
        elif not cell.show_only:
            above.append((cell.id, filled(root, cell, chapter.path)))
        if cell.grade_id in last:
            exercise = last[cell.grade_id]
            own = [
                (check.grade_id, filled(root, check, chapter.path), check.points, check.far)
                for check in exercise.checks
            ]
            borrowed = [check.source for check in _borrowed(exercise, checks_above)]
            text = json.dumps(
                [grader_mark(), conditions, above, own, borrowed],
                ensure_ascii=False,
                sort_keys=True,
            )
            made[exercise.id] = hashlib.sha256(text.encode()).hexdigest()[:32]
    return made


def _borrowed(exercise: Exercise, checks: list[Cell]) -> list[Cell]:
    """Checks of other exercises that define a name which this exercise's checks use."""
    wanted = {name for check in exercise.checks for name in needed(strip_markers(check.source))}
    trees = [
        (check, parsed(strip_markers(check.source)))
        for check in checks
        if check not in exercise.checks
    ]
    return [check for check, tree in trees if tree is not None and bound(tree) & wanted]
