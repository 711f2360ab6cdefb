"""The registry of the cells that the build adds to a chapter's notebook.

A kind of such cells is a function: from settings, chapter, and whether the notebook is the
students', to cells with their places. Other packages add kinds by the entry point
``autograder.cells``, as coursesite does for narration and interactive pages. The search for leaks
asks for the same cells again, and compares.
"""

import builtins
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points

from nbformat import NotebookNode

from attention_built.notebook.names import global_names
from autograder.build.exercise_cells import handin_cells, progress_cells
from autograder.build.house_rules import rules_cells
from autograder.course.added_cells import is_untouched
from autograder.course.errors import SourceError
from autograder.course.model import Cell, Chapter
from autograder.course.settings import Settings

Added = tuple[int, NotebookNode]  # index in chapter.cells above which a cell goes, and the cell
Kind = Callable[[Settings, Chapter, bool], Sequence[Added]]


def kinds() -> list[Kind]:
    """All kinds of added cells; those at one place of a notebook stand in this order."""
    others = sorted(entry_points(group="autograder.cells"), key=lambda one: one.name)
    return [rules_cells, *(one.load() for one in others), progress_cells, handin_cells]


def added_cells(settings: Settings, chapter: Chapter, for_students: bool) -> list[Added]:
    """What the build adds to a chapter's notebook, in the order of the notebook.

    Raises SourceError for a code cell that intake would grade as a student's, and for one that uses
    what the chapter does not define above it: any other added cell may have been left out.
    """
    made = [one for kind in kinds() for one in kind(settings, chapter, for_students)]
    made.sort(key=lambda one: one[0])
    for index, cell in made:
        if cell.cell_type == "code":
            _check(chapter, cell, chapter.cells[:index])
    return made


def add(notebook: NotebookNode, added: Sequence[Added]) -> None:
    """Put the cells into a notebook that holds the chapter's own, in place."""
    for index, cell in reversed(added):
        notebook.cells.insert(index, cell)


def _check(chapter: Chapter, cell: NotebookNode, above: Sequence[Cell]) -> None:
    """Raise SourceError unless intake tells an added code cell by its names, and all that it uses
    is its own or the chapter's.
    """
    where = f"{chapter.path}: added cell {cell.id}"
    if not is_untouched(cell.source):
        raise SourceError(
            f"{where}: intake would take it for the student's; its names belong into "
            "autograder/course/added_cells.py."
        )
    names = global_names(cell.source)
    missing = names.used - names.bound - set(dir(builtins))
    for one in above if missing else ():
        missing -= global_names(one.text).bound if one.kind == "code" else set()
        missing -= {name for _, carried in one.carry for name in carried}
    if missing:
        raise SourceError(
            f"{where}: uses {min(missing)!r}, which no cell of the chapter above it defines."
        )
