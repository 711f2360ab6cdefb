"""The box of house rules in each notebook: the text of chapter 1, folded, so that the links of an
exercise stay in its notebook.
"""

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import RULES_ID, below_import
from autograder.course.chapter import chapter_paths, read_chapter
from autograder.course.model import Chapter
from autograder.course.settings import Settings

TITLE = "### House rules\n"
# where VS Code and Colab, which name headings otherwise, find the rules
TARGET = '<a id="House-rules" name="House-rules"></a>'


def rules_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """The box, below the set-up of each notebook that does not hold the rules itself."""
    del for_students  # solutions have the same links
    texts = [cell.source for cell in chapter.cells if cell.kind == "markdown"]
    place = below_import(chapter)
    if not place or any(map(_rules, texts)):
        return []
    said = next(filter(None, map(_rules, _first_chapter(settings))), "")
    made = nbformat.v4.new_markdown_cell(
        f"{TITLE}\n{TARGET}\n\n<details><summary>What every function and module keeps</summary>\n\n"
        f"{said}\n\n</details>"
    )
    made.id = RULES_ID
    return [(place, made)] if said else []


def _first_chapter(settings: Settings) -> list[str]:
    """The Markdown of the course's first chapter."""
    first = read_chapter(chapter_paths(settings.root)[0])
    return [cell.source for cell in first.cells if cell.kind == "markdown"]


def _rules(text: str) -> str:
    """The rules, where a cell states them: its text without heading and bars."""
    if not text.startswith(TITLE):
        return ""
    lines = text.removeprefix(TITLE).replace(TARGET, "").strip().split("\n")
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)
