"""What is run, in order: a student's code cells, and the places of the checks between them."""

from dataclasses import dataclass

from autograder.grading.names import bound, needed, parsed


@dataclass(frozen=True)
class Step:
    """A code cell in its place, or the place of a check."""

    id: str  # of the chapter's cell, "" for one that the student added
    label: str  # what the student knows the cell by
    text: str
    is_check: bool = False


def opening(chapter):
    """The cells that every unspoilt notebook starts with: those above the first exercise."""
    steps = []
    for cell in chapter.code:
        if cell.role:
            break
        if not cell.show_only:
            steps.append(Step(cell.id, cell.id, cell.released))
    return steps


def placed(chapter, cells):
    """The mended cells of a submission as steps.

    Left out are cells that only show something, and cells that try out what the student wrote, as the release has them, if
    nothing below needs a name that they define.
    """
    known = {cell.id: cell for cell in chapter.cells}
    steps, wanted = (
        [],
        {name for exercise in chapter.exercises for name in exercise.names}
        | {name for cell in chapter.cells for name in cell.far},
    )
    for number, here in reversed(list(enumerate(cells, 1))):
        cell = known.get(here.id)
        if cell is not None and (cell.show_only or _only_tries(cell, here.text, wanted)):
            continue
        if cell is None or cell.role != "check":
            wanted |= needed(here.text)
        steps.append(
            Step(
                here.id,
                here.id or f"cell {number}",
                here.text,
                cell is not None and cell.role == "check",
            )
        )
    return steps[::-1]


def _only_tries(cell, text, wanted):
    """Whether a cell is as released, calls what the student wrote, and defines nothing that is wanted below."""
    if "uses-exercise" not in cell.tags or text.strip() != cell.released.strip():
        return False
    tree = parsed(text)
    return tree is not None and not bound(tree) & wanted


def shared_opening(chapter, steps):
    """How many of the first steps are those of the release, all of the opening or none."""
    wanted = opening(chapter)
    same = [step.text.strip() for step in steps[: len(wanted)]] == [
        step.text.strip() for step in wanted
    ]
    return len(wanted) if same else 0
