"""The last cells of every student notebook: is this file ready to be handed in? They need nothing
installed.
"""

import json
from collections.abc import Mapping
from importlib.resources import files

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import HANDIN_ID
from autograder.course.model import Chapter
from autograder.course.settings import Settings


def handin_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """A Markdown and a code cell at the end of every notebook that tell a student which exercises
    are done before the file is handed in.
    """
    text = nbformat.v4.new_markdown_cell(
        "## Before you hand in\n\nRun the whole notebook from the top (*Restart and run all*), "
        "then look at the table that the "
        "next cell prints. It runs the checks that you can see; the hidden ones run after you "
        "hand in."
    )
    text.id = f"{HANDIN_ID}-text"
    exercises = {
        exercise.title.partition(" · ")[0].removeprefix("Exercise "): {
            "name": exercise.title.partition(" · ")[2] or exercise.title,
            "solution": exercise.id,
            "checks": {
                check.grade_id: [docstring_line(check.visible), check.points]
                for check in exercise.checks
            },
        }
        for exercise in chapter.exercises
    }
    template = files("autograder.build").joinpath("handin_cell.py.txt").read_text(encoding="utf-8")
    code = nbformat.v4.new_code_cell(
        template.replace("{exercises}", literal(exercises)).rstrip("\n")
    )
    code.id = HANDIN_ID
    code.metadata["jupyter"] = {"source_hidden": True}
    code.metadata["cellView"] = "form"  # folded on Colab
    return [(len(chapter.cells), cell) for cell in (text, code)]


def docstring_line(source: str) -> str:
    """How a check cell begins, at most 64 characters of its first line: by it the hand-in cell
    finds the check among the cells that were run.
    """
    return source.strip().split("\n")[0][:64]


def literal(exercises: Mapping[str, object]) -> str:
    """The table of exercises as a Python literal, in lines that fit a page."""
    return json.dumps(exercises, indent=2, ensure_ascii=False)
