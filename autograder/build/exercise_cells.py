"""The cells of a notebook that know its exercises: status(), and the look before handing in. They
need nothing installed.
"""

import ast
import json
from importlib.resources import files

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import HANDIN_ID, PROGRESS_ID
from autograder.course.environment import PACKAGES
from autograder.course.model import Chapter, Exercise, definitions
from autograder.course.settings import Settings


def progress_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """The cell that defines status(), above the first code cell of a chapter with exercises.

    Solutions get none: they are executed, and what a run noted does not belong into their outputs.
    """
    if not for_students or not chapter.exercises:
        return []
    return [(chapter.cells.index(chapter.code[0]), progress_cell(settings, chapter))]


def progress_cell(settings: Settings, chapter: Chapter) -> NotebookNode:
    """The folded code cell that notes which visible checks pass, and says it by status()."""
    site = settings.pages_url.removesuffix("interactive/")
    text = _with_exercises("progress_cell", chapter)
    return _folded(PROGRESS_ID, text.replace("@chapter@", chapter.name).replace("@site@", site))


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
    source = _with_exercises("handin_cell", chapter).replace("@packages@", ", ".join(PACKAGES))
    code = _folded(HANDIN_ID, source)
    return [(len(chapter.cells), cell) for cell in (text, code)]


def _folded(cell_id: str, source: str) -> NotebookNode:
    made = nbformat.v4.new_code_cell(source)
    made.id = cell_id
    made.metadata["jupyter"] = {"source_hidden": True}
    made.metadata["cellView"] = "form"  # folded on Colab, which shows the title
    return made


def _with_exercises(name: str, chapter: Chapter) -> str:
    """A template of a cell with the table of a chapter's exercises and the rule that tells when
    one of them is not begun.
    """
    rows = {exercise.number: _row(exercise) for exercise in chapter.exercises}
    table = json.dumps(rows, indent=2, ensure_ascii=False)
    text = _template(name).replace("@not begun@", _template("not_begun"))
    return text.replace("{exercises}", table, 1)


def _row(exercise: Exercise) -> dict[str, object]:
    """What the cells know of an exercise.

    begins: how its answer cell begins; leaves: the names that the stub there leaves without
    a value, as far as visible checks use them.
    """
    released = exercise.solution.released
    left = set(exercise.names) - set(definitions(released))
    used = {
        node.id
        for check in (exercise.checks if left else ())
        for node in ast.walk(ast.parse(check.visible))
        if isinstance(node, ast.Name)
    }
    return {
        "name": exercise.title.partition(" · ")[2] or exercise.title,
        "section": exercise.section.replace("$", ""),
        "solution": exercise.id,
        "begins": _first_line(released),
        "leaves": sorted(left & used),
        "checks": {
            check.grade_id: [_first_line(check.visible), check.points] for check in exercise.checks
        },
    }


def _first_line(source: str) -> str:
    """How a cell begins, at most 64 characters of its first line: by it a check or an answer is
    found among the cells that were run.
    """
    return source.strip().split("\n")[0][:64]


def _template(name: str) -> str:
    """The text of a cell that the build adds, with what is to be filled in."""
    path = files("autograder.build").joinpath(f"{name}.py.txt")
    return path.read_text(encoding="utf-8").rstrip("\n")
