"""Nothing that is a solution or a hidden test may reach the students: the last gate before a
release is written.

Two nets. A released notebook may hold only lines that stand outside every solution and hidden
region of its source, carried code, and what the build adds. And no file in the student tree may
hold a line that stands only inside such a region.
"""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.build.added import added_cells
from autograder.build.wheel import PACKAGE, wheel_path
from autograder.course.carry import filled
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import LeakError
from autograder.course.model import Chapter
from autograder.course.regions import STUB, region_lines, regions
from autograder.course.settings import Settings, load_settings

GUIDE = "AGENTS.md"  # beside the notebooks, for a student's assistant
TRIVIAL = 9  # shorter lines ("return x", "else:") are no secret, and stand everywhere


def secret_lines(settings: Settings, chapters: Sequence[Chapter]) -> dict[str, str]:
    """Lines that stand only inside solution or hidden regions of the sources, and in nothing that
    notebooks show and the build adds: {stripped line: "file:line of its cell"}.
    """
    inside: dict[str, str] = {}
    shown = sorted(Path(settings.root, PACKAGE, "notebook").glob("*.py"))
    outside = set().union(*(_lines(path.read_text(encoding="utf-8")) for path in shown))
    for chapter in chapters:
        for cell in chapter.cells:
            for line in region_lines(cell.source):
                inside.setdefault(line.strip(), f"{chapter.path.name}:{cell.line}")
            outside |= _open_lines(cell.source) | _open_lines(settings.linked(cell.source))
        for _, added in added_cells(settings, chapter, for_students=True):
            outside |= _lines(added.source)
    secret = {line for line in inside if len(line) >= TRIVIAL} - outside
    return {line: place for line, place in inside.items() if line in secret}


def check_notebook(settings: Settings, chapter: Chapter, notebook: NotebookNode) -> None:
    """Raise LeakError unless every code line of a student notebook may be there, and no output
    holds a line of this chapter that may not.

    settings: those that the notebook was made with, since what the build adds names addresses.
    """
    own = {"", *STUB} | _may_be_seen(settings, chapter)
    secret = secret_lines(settings, [chapter])
    ours = added_cells(settings, chapter, for_students=True)
    added = {cell.id: _lines(cell.source) for _, cell in ours}
    for cell in notebook.cells:
        where, allowed = f"{chapter.path}: cell {cell.id}", added.get(cell.id, own)
        for line in cell.source.split("\n") if cell.cell_type == "code" else ():
            if line.strip() not in allowed:
                raise LeakError(
                    f"{where}: the line {line.strip()!r} stands in the student notebook but not "
                    "outside the solution and hidden regions of the source. Nothing was written."
                )
        said = _said(cell)
        for line in (line for line in secret if line in said and line not in own):
            raise LeakError(
                f"{where}: its output holds {line!r}, which stands only inside a solution or "
                f"hidden region of the source ({secret[line]}). Nothing was written."
            )


def check_tree(root: Path, tree: Path) -> None:
    """Raise LeakError if a file below ``tree`` (the student release) is neither a notebook, the
    assistants' page nor the wheel of the checks, or holds a secret line of any chapter.
    """
    chapters = chosen_chapters(root)
    settings = load_settings(root)
    secret = secret_lines(settings, chapters)
    carried = {chapter.name: _may_be_seen(settings, chapter) for chapter in chapters}
    for path in sorted(Path(tree).rglob("*")):
        if path.is_dir():
            continue
        for line in sorted(_text_lines(path)):
            if line in secret and line not in carried.get(path.parent.name, ()):
                raise LeakError(
                    f"{path}: holds the line {line!r}, which stands only inside a solution or "
                    f"hidden region of the source ({secret[line]}). Delete the file, or take the "
                    "line out."
                )
        if path.suffix != ".ipynb" and path not in (Path(tree, GUIDE), wheel_path(root)):
            raise LeakError(
                f"{path}: the student release holds notebooks, {GUIDE} and the wheel of the "
                "checks only; delete this file."
            )


def _lines(text: str) -> set[str]:
    return {line.strip() for line in text.split("\n")}


def _text_lines(path: Path) -> set[str]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            members = [archive.read(name) for name in archive.namelist()]
        return _lines(b"\n".join(members).decode("utf-8", errors="replace"))
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) + "\n" + _said(cell) for cell in cells)
    return _lines(text)


def _said(cell: Mapping[str, Any]) -> str:
    """The text of a cell's outputs, as a notebook or its file has them."""
    texts = []
    for output in cell.get("outputs", ()):
        texts += [output.get("text", ""), *output.get("traceback", ())]
        texts += [text for kind, text in output.get("data", {}).items() if "text" in kind]
    return "\n".join("".join(text) for text in texts)


def _open_lines(source: str) -> set[str]:
    """The lines of a source cell that stand outside every solution and hidden region."""
    return {line.strip() for line, region, _ in regions(source) if not region}


def _may_be_seen(settings: Settings, chapter: Chapter) -> set[str]:
    """The open lines of a chapter's cells as the build fills them, with code of earlier ones."""
    texts = (filled(settings.root, cell, chapter.path) for cell in chapter.cells)
    return set().union(*(_open_lines(settings.linked(text)) for text in texts))
