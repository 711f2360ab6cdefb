"""The cells of a notebook that follow its exercises, and what the package knows of them: how the
cells of each exercise begin.
"""

import ast
import json
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import HANDIN_ID, PACKAGE, PROGRESS_ID, below_import
from autograder.course.environment import PACKAGES
from autograder.course.model import Chapter, Exercise, definitions
from autograder.course.settings import Settings

BEFORE = """## Before you hand in

Run the whole notebook from the top (*Restart and run all*), then look at the table that the next
cell prints. It runs the checks that you can see; the hidden ones run after you hand in."""


def progress_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """The cell from which on a chapter's checks are followed, below its set-up.

    Solutions get none: they are executed, and what a run noted does not belong into their outputs.
    """
    place = below_import(chapter)
    if not for_students or not chapter.exercises or not place:
        return []
    page = f"{settings.site_url}{chapter.name}.html"
    made = nbformat.v4.new_code_cell(f'{PACKAGE}.follow("{page}")')
    made.id = PROGRESS_ID
    return [(place, made)]


def handin_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """A Markdown and a code cell at the end of a student notebook that say which exercises are done
    before the file is handed in.
    """
    if not for_students or not below_import(chapter):
        return []
    text = nbformat.v4.new_markdown_cell(BEFORE)
    text.id = f"{HANDIN_ID}-text"
    code = nbformat.v4.new_code_cell(f'{PACKAGE}.ready_to_hand_in("{chapter.name}")')
    code.id = HANDIN_ID
    return [(len(chapter.cells), cell) for cell in (text, code)]


def exercises_path(root: Path) -> Path:
    """Where the package keeps what it knows of the exercises."""
    return Path(root, "attention_built", "notebook", "exercises.json")


def exercises_bytes(chapters: Iterable[Chapter]) -> bytes:
    """{chapter: {number: its exercise}} as JSON, an exercise a line, and under "packages" those
    that the grader has.
    """
    tables = [f'"packages": {json.dumps(PACKAGES)}']
    for chapter in chapters:
        rows = {one.number: json.dumps(_row(one), ensure_ascii=False) for one in chapter.exercises}
        lines = ",\n".join(f"{json.dumps(number)}: {row}" for number, row in rows.items())
        tables.append(f"{json.dumps(chapter.name)}: {{\n{lines}}}")
    return ("{" + ",\n".join(tables) + "}\n").encode()


def _row(exercise: Exercise) -> dict[str, object]:
    """What the package knows of an exercise.

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
    """How a cell begins, at most 64 characters of the first line that decorates nothing: by it a
    check or an answer is found among the cells that were run.
    """
    return next(line for line in source.strip().split("\n") if not line.startswith("@"))[:64]
