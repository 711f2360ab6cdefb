"""The cell of a student notebook that notes which visible checks pass, and says it by ``status()``.

Solutions get none: they are executed, and what a run noted does not belong into their outputs.
"""

import re
from importlib.resources import files

import nbformat
from nbformat import NotebookNode

from autograder.build.handin_cells import docstring_line, literal
from autograder.course.added_cells import PROGRESS_ID
from autograder.course.model import Chapter
from autograder.course.settings import Settings

OPENING = re.compile(r'^(?:"chapter": "\w+"|"site": "https://[\w./-]+/"),$')


def add_progress(settings: Settings, chapter: Chapter, notebook: NotebookNode) -> None:
    """Put the cell above the first code cell of the chapter itself, in place; a chapter without
    exercises stays as it is.
    """
    if chapter.exercises:
        own = {cell.id for cell in chapter.cells if cell.kind == "code"}
        place = next(index for index, cell in enumerate(notebook.cells) if cell.id in own)
        notebook.cells.insert(place, progress_cell(settings, chapter))


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


def known_progress_lines(settings: Settings, chapter: Chapter, source: str) -> set[str]:
    """The lines of a source that stand in this chapter's cell, whatever address its site has."""
    mine = {line.strip() for line in progress_cell(settings, chapter).source.split("\n")}
    lines = {line.strip() for line in source.split("\n")}
    return {line for line in lines if line in mine or OPENING.match(line)}


def template_lines() -> set[str]:
    """The lines that the cell has in every chapter."""
    return {line.strip() for line in _template().split("\n")}


def _template() -> str:
    path = files("autograder.build").joinpath("progress_cell.py.txt")
    return path.read_text(encoding="utf-8").rstrip("\n")
