"""The cell of a student notebook that notes which visible checks pass, and says it by ``status()``.

Solutions get none: they are executed, and what a run noted does not belong into their outputs.
"""

from importlib.resources import files

import nbformat
from nbformat import NotebookNode

from autograder.build.handin_cells import docstring_line, literal
from autograder.course.added_cells import PROGRESS_ID
from autograder.course.model import Chapter
from autograder.course.settings import Settings


def progress_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """The cell, above the first code cell of the chapter; a chapter without exercises has none."""
    if not for_students or not chapter.exercises:
        return []
    return [(chapter.cells.index(chapter.code[0]), progress_cell(settings, chapter))]


def progress_cell(settings: Settings, chapter: Chapter) -> NotebookNode:
    """The folded code cell that defines status()."""
    exercises = {
        exercise.title.partition(" · ")[0].removeprefix("Exercise "): {
            "name": exercise.title.partition(" · ")[2] or exercise.title,
            "section": exercise.section.replace("$", ""),
            "checks": {
                check.grade_id: [docstring_line(check.visible), check.points]
                for check in exercise.checks
            },
        }
        for exercise in chapter.exercises
    }
    text = _template().replace("@chapter@", chapter.name)
    text = text.replace("@site@", settings.pages_url.removesuffix("interactive/"))
    made = nbformat.v4.new_code_cell(text.replace("{exercises}", literal(exercises), 1))
    made.id = PROGRESS_ID
    made.metadata["jupyter"] = {"source_hidden": True}
    made.metadata["cellView"] = "form"  # folded on Colab, which shows the title
    return made


def _template() -> str:
    path = files("autograder.build").joinpath("progress_cell.py.txt")
    return path.read_text(encoding="utf-8").rstrip("\n")
