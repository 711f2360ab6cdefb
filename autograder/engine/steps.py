"""What is run, in order: a student's code cells, and the places of the checks between them."""

from dataclasses import dataclass

from ..repair import student_text


@dataclass(frozen=True)
class Step:
    """A code cell in its place, or the place of a check."""

    id: str                          # of the chapter's cell, "" for one that the student added
    label: str                       # what the student knows the cell by
    text: str
    is_check: bool = False


def opening(chapter):
    """The cells that every unspoilt notebook starts with: those above the first exercise."""
    steps = []
    for cell in chapter.code:
        if cell.role:
            break
        if not cell.show_only:
            steps.append(Step(cell.id, cell.id, student_text(cell)))
    return steps


def placed(chapter, cells):
    """The mended cells of a submission as steps; cells that only show something are left out."""
    known = {cell.id: cell for cell in chapter.cells}
    steps = []
    for number, here in enumerate(cells, 1):
        cell = known.get(here.id)
        if cell is None or not cell.show_only:
            steps.append(Step(here.id, here.id or f"cell {number}", here.text, cell is not None and cell.role == "check"))
    return steps


def shared_opening(chapter, steps):
    """How many of the first steps are those of the release, all of the opening or none."""
    wanted = opening(chapter)
    same = [step.text.strip() for step in steps[:len(wanted)]] == [step.text.strip() for step in wanted]
    return len(wanted) if same else 0
