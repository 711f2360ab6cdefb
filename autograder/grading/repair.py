"""Put a damaged notebook back in order: a student's right code is never lost to an editor's habit.

The order, the checks and everything graded come from the release; only what a student wrote comes
from the file. Each repair is a sentence in the report; the original stays untouched.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from autograder.course.errors import first_line
from autograder.course.model import Chapter
from autograder.grading.answers import Answers
from autograder.grading.loose import LooseCell, RepairedCell, squeezed
from autograder.grading.matching import anchors, match_cells, with_checks_apart, with_code_again


@dataclass
class Repaired:
    """A file put back in order."""

    cells: list[RepairedCell] = field(default_factory=list)  # code cells in the chapter's order
    report: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # exercises whose answer is nowhere


def repair(chapter: Chapter, submitted: Iterable[LooseCell]) -> Repaired:
    """Match the ``submitted`` cells (LooseCells) with the chapter; returns Repaired."""
    done = Repaired()
    released = {cell.id: cell.released.strip() for cell in chapter.cells}
    submitted = with_code_again(chapter, submitted, done.report)
    submitted = list(with_checks_apart(chapter, released, submitted, done.report))
    match = match_cells(chapter, released, submitted, done.report)
    answers = Answers(chapter, released, submitted, match, done.report)
    _note_order(chapter, match, done)
    anchored = anchors(match, answers.own)
    _place_own(anchored.get("", ()), submitted, done)
    for cell in chapter.cells:
        places = [submitted[index] for index in match.get(cell.id, ())]
        if cell.role == "solution":
            _place_answer(cell, answers.texts[cell.id], done)
        elif cell.role == "check":
            _place_check(cell, places, released, done)
        elif cell.kind == "code":
            _place_teaching(cell, places, released, done)
        _place_own(anchored.get(cell.id, ()), submitted, done)
    return done


def _place_answer(cell, answer, done):
    if answer is None:
        done.missing.append(cell.id)
        done.report.append(f"cell {cell.id} is not in the file")
    else:
        done.cells.append(RepairedCell(cell.id, answer))


def _place_check(cell, places, released, done):
    """The release's check, whatever the file holds in its place."""
    if not places:
        done.report.append(f"check {cell.id} was missing; the release's was used")
    elif len(places) > 1:
        done.report.append(f"check {cell.id} stands {len(places)} times; the release's was used")
    elif squeezed(places[0].text) != squeezed(released[cell.id]):
        done.report.append(f"check {cell.id} had been changed; the release's was used")
    done.cells.append(RepairedCell(cell.id, ""))


def _place_teaching(cell, places, released, done):
    """A cell of the chapter as the student had it."""
    kept = places and places[-1].kind == "code"
    if not places and not cell.show_only:
        done.report.append(
            "a cell of the chapter was missing and was put back:"
            f" {first_line(released[cell.id])[:60]!r}"
        )
    done.cells.append(RepairedCell(cell.id, places[-1].text if kept else released[cell.id]))


def _place_own(indices, submitted, done):
    """Cells that the student added, behind the cell of the release that they stand below."""
    for index in indices:
        if submitted[index].text.strip():
            done.cells.append(RepairedCell("", submitted[index].text))


def _note_order(chapter, match, done):
    order = [match[cell.id][0] for cell in chapter.cells if cell.role and match.get(cell.id)]
    if order != sorted(order):
        done.report.append("cells stood in another order; they are in the chapter's order again")
