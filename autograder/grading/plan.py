"""What is run, in order: a student's code cells, and the places of the checks between them.

A mistake costs its own exercise only: where earlier, failed exercises are leant on, a check is run
once more with the reference in their place. The student's process gets stand-ins that call back
into the trusted one; no line of a solution goes there.
"""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from autograder.course.model import Cell, Chapter, Exercise
from autograder.grading.names import bound, given, loaded, needed, parsed, same_code
from autograder.grading.repair import RepairedCell


@dataclass(frozen=True)
class PlannedCell:
    """A code cell in its place, or the place of a check."""

    id: str  # of the chapter's cell, "" for one that the student added
    label: str  # what the student knows the cell by
    text: str
    is_check: bool = False
    released: str = ""  # of a cell of the chapter that was edited: what the release has there
    is_trial: bool = False  # the student's own, and defines nothing that is wanted below


@dataclass(frozen=True)
class CheckRequest:
    """A check to run against a student's process as it stands."""

    check: str  # grade_id
    borrowed: tuple[str, ...] = ()  # names of earlier exercises, for which it gets the reference's
    # labels and texts of the cells to run once more with them
    again: tuple[tuple[str, str], ...] = ()


def opening(chapter: Chapter) -> list[PlannedCell]:
    """The cells that every unspoilt notebook starts with: those above the first exercise."""
    cells = []
    for cell in chapter.code:
        if cell.role:
            break
        if not cell.show_only:
            cells.append(PlannedCell(cell.id, cell.id, cell.released))
    return cells


def planned(chapter: Chapter, cells: list[RepairedCell]) -> list[PlannedCell]:
    """The repaired cells of a submission as PlannedCells.

    Left out are cells that only show something, and cells that try out what the student wrote, as
    the release has them, if nothing below needs a name that they define. What the student's own
    code takes from a cell that shows something, or from the text of a check, it has, as in a
    kernel.

    >>> planned(chapter, [RepairedCell("ch01_double", "double = abs")])[0].text
    'double = abs'
    """
    known = {cell.id: cell for cell in chapter.cells}
    plan = []
    wanted = {name for exercise in chapter.exercises for name in exercise.names}
    wanted |= {name for cell in chapter.cells for name in cell.far}
    taken: set[str] = set()  # names that the student's code takes from cells above it
    for number, repaired in reversed(list(enumerate(cells, 1))):
        cell, text, label = known.get(repaired.id), repaired.text, repaired.id or f"cell {number}"
        is_check = cell is not None and cell.role == "check"
        binds = set(given(text)) if parsed(text) else set()
        if is_check or cell is not None and cell.show_only:
            theirs = bool(binds & taken)
            if theirs:
                plan.append(PlannedCell("", label, text))
        elif cell is not None and _only_tries(cell, text, wanted):
            continue
        else:
            is_trial = cell is None and _is_trial(text, wanted)
            released = _release_of(cell, text)
            theirs = not is_trial and (cell is None or bool(cell.role or released))
            plan.append(PlannedCell(repaired.id, label, text, False, released, is_trial))
            wanted |= needed(text)
        if is_check:
            plan.append(PlannedCell(repaired.id, label, "", True))
        taken = taken - binds | (needed(text) if theirs and binds else set())
    return plan[::-1]


def _release_of(cell: Cell | None, text: str) -> str:
    """The release's text of a teaching cell that was edited, or ""."""
    if cell is None or cell.role or "raises-exception" in cell.tags:
        return ""
    return "" if same_code(text, cell.released) else cell.released


def _is_trial(text: str, wanted: set[str]) -> bool:
    tree = parsed(text)
    return tree is not None and not bound(tree) & wanted


def _only_tries(cell: Cell, text: str, wanted: set[str]) -> bool:
    """Whether a cell is as released, calls what the student wrote, and defines nothing that is
    wanted below.
    """
    as_released = "uses-exercise" in cell.tags and same_code(text, cell.released)
    return as_released and _is_trial(text, wanted)


def same_opening(chapter: Chapter, plan: list[PlannedCell]) -> int:
    """How many of the first cells are those of the release, all of the opening or none."""
    wanted = [cell.text.strip() for cell in opening(chapter)]
    same = [cell.text.strip() for cell in plan[: len(wanted)]] == wanted
    return len(wanted) if same else 0


def earlier_exercises(chapter: Chapter, plan: list[PlannedCell]) -> dict[str, list[str]]:
    """exercise -> ids of the earlier exercises whose names its answer or its checks use, directly
    or through what they call.
    """
    uses = _uses(plan)
    return {exercise.id: _reached(chapter, plan, exercise, uses) for exercise in chapter.exercises}


def names_of(chapter: Chapter, ids: Collection[str]) -> tuple[str, ...]:
    """Names that these exercises define."""
    return tuple(name for one in chapter.exercises if one.id in ids for name in one.names)


def _reached(
    chapter: Chapter, plan: list[PlannedCell], exercise: Exercise, uses: dict[str, set[str]]
) -> list[str]:
    reached: set[str] = set()
    texts = [cell.text for cell in plan if cell.id == exercise.id]
    texts += [check.source for check in exercise.checks]
    waiting = [name for text in texts for node in _body(text) for name in loaded(node)]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += uses.get(name, ())
    earlier = chapter.exercises[: chapter.exercises.index(exercise)]
    return [other.id for other in earlier if reached & set(other.names)]


def _uses(plan: list[PlannedCell]) -> dict[str, set[str]]:
    """name -> names that the code which defines it loads, over all top-level definitions of the
    notebook.
    """
    uses: dict[str, set[str]] = {}
    for cell in plan:
        for node in [] if cell.is_check else _body(cell.text):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                uses.setdefault(node.name, set()).update(loaded(node))
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for leaf in ast.walk(target):
                        if isinstance(leaf, ast.Name):
                            uses.setdefault(leaf.id, set()).update(loaded(node))
    return uses


def _body(text: str) -> list[ast.stmt]:
    tree = parsed(text)
    return tree.body if tree else []
