"""What a verdict depends on, as one hash per exercise; and what changed in the marks, as a table.

An exercise is graded again when its checks, the reference code above them, or the grader itself are not what they were.
"""

import csv
import hashlib
import io
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .carry import filled
from .chapter import strip_markers
from .marks import defuse

GRADER = ("engine/**/*.py", "repair.py", "chapter.py", "carry.py", "result.py", "handin.py", "interactive.py")


@dataclass(frozen=True)
class Change:
    """A mark for an exercise that is not what it was."""

    student: str
    exercise: str
    before: float
    after: float
    of: float
    reason: str                  # "handed in again" or "graded again"


@cache
def grader_mark():
    """A hash of the code that decides verdicts, so that results of another version are not taken for this one's."""
    folder, digest = Path(__file__).parent, hashlib.sha256()
    for path in sorted({path for pattern in GRADER for path in folder.glob(pattern)}):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def fingerprints(root, chapter, conditions):
    """{exercise: hash of all that its verdicts depend on, but for the submission}.

    conditions: anything else that decides, as JSON can hold it: limits, sandbox or not.
    """
    above, checks_above, made = [], [], {}
    last = {exercise.checks[-1].grade_id: exercise for exercise in chapter.exercises}
    for cell in chapter.code:
        if cell.role == "check":
            checks_above.append(cell)
        elif not cell.show_only:
            above.append((cell.id, filled(root, cell, chapter.path)))
        if cell.grade_id in last:
            exercise = last[cell.grade_id]
            own = [(check.grade_id, check.source, check.points, check.far) for check in exercise.checks]
            borrowed = [check.source for check in _borrowed(exercise, checks_above)]
            text = json.dumps([grader_mark(), conditions, above, own, borrowed], ensure_ascii=False, sort_keys=True)
            made[exercise.id] = hashlib.sha256(text.encode()).hexdigest()[:32]
    return made


def _borrowed(exercise, checks):
    """Checks of other exercises that define a name which this exercise's checks use."""
    from .engine.needs import bound, needed, parsed
    wanted = {name for check in exercise.checks for name in needed(strip_markers(check.source))}
    trees = [(check, parsed(strip_markers(check.source))) for check in checks if check not in exercise.checks]
    return [check for check, tree in trees if tree is not None and bound(tree) & wanted]


def points_of(chapter, result):
    """{exercise: points} of a Result."""
    return {exercise.id: sum(v.points for v in result.verdicts if v.exercise == exercise.id) for exercise in chapter.exercises}


def compare(chapter, result, before, reason):
    """The Changes of one student. before: {exercise: points} as they were."""
    return [Change(result.student, exercise.id, before[exercise.id], after, exercise.points, reason)
            for exercise, after in zip(chapter.exercises, points_of(chapter, result).values())
            if exercise.id in before and before[exercise.id] != after]


def changes_csv(changes):
    """The changes as CSV text, one row per student and exercise."""
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["student", "exercise", "before", "after", "of", "reason"])
    table.writerows([defuse(c.student), c.exercise, f"{c.before:g}", f"{c.after:g}", f"{c.of:g}", c.reason] for c in changes)
    return out.getvalue()
