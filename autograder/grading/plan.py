"""What is run, in order: a student's code cells, and the places of the checks between them."""

from dataclasses import dataclass

from autograder.course.model import Chapter
from autograder.grading.loose import RepairedCell
from autograder.grading.names import bound, needed, parsed


@dataclass(frozen=True)
class PlannedCell:
    """A code cell in its place, or the place of a check."""

    id: str  # of the chapter's cell, "" for one that the student added
    label: str  # what the student knows the cell by
    text: str
    is_check: bool = False
    released: str = ""  # of a cell of the chapter that was edited: what the release has there
    is_trial: bool = False  # the student's own, and defines nothing that is wanted below


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
    the release has them, if nothing below needs a name that they define.
    """
    known = {cell.id: cell for cell in chapter.cells}
    plan = []
    wanted = {name for exercise in chapter.exercises for name in exercise.names}
    wanted |= {name for cell in chapter.cells for name in cell.far}
    for number, repaired in reversed(list(enumerate(cells, 1))):
        cell = known.get(repaired.id)
        if cell is not None and (cell.show_only or _only_tries(cell, repaired.text, wanted)):
            continue
        is_check = cell is not None and cell.role == "check"
        plan.append(
            PlannedCell(
                repaired.id,
                repaired.id or f"cell {number}",
                repaired.text,
                is_check,
                _release_of(cell, repaired.text),
                cell is None and _is_trial(repaired.text, wanted),
            )
        )
        if not is_check:
            wanted |= needed(repaired.text)
    return plan[::-1]


def _release_of(cell, text):
    """The release's text of a teaching cell that was edited, or ""."""
    if cell is None or cell.role or "raises-exception" in cell.tags:
        return ""
    return "" if text.strip() == cell.released.strip() else cell.released


def _is_trial(text, wanted):
    tree = parsed(text)
    return tree is not None and not bound(tree) & wanted


def _only_tries(cell, text, wanted):
    """Whether a cell is as released, calls what the student wrote, and defines nothing that is
    wanted below.
    """
    if "uses-exercise" not in cell.tags or text.strip() != cell.released.strip():
        return False
    tree = parsed(text)
    return tree is not None and not bound(tree) & wanted


def same_opening(chapter: Chapter, plan: list[PlannedCell]) -> int:
    """How many of the first cells are those of the release, all of the opening or none."""
    wanted = opening(chapter)
    same = [cell.text.strip() for cell in plan[: len(wanted)]] == [
        cell.text.strip() for cell in wanted
    ]
    return len(wanted) if same else 0
