"""Nothing that is a solution or a hidden test may reach the students: the last gate before a
release is written.

Two nets. A released notebook may hold only lines that stand outside every solution and hidden
region of its source, carried code, and what the build adds. And no file in the student tree may
hold a line that stands only inside such a region.
"""

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.build.handin_cells import handin_cells
from autograder.build.interactive_cells import ADDED_CODE, known_lines
from autograder.build.progress_cells import known_progress_lines, template_lines
from autograder.build.wheel import wheel_path
from autograder.course.added_cells import PROGRESS_ID, SOUND_ID
from autograder.course.carry import carried_text
from autograder.course.chapter import chapter_paths, read_chapter
from autograder.course.errors import LeakError
from autograder.course.model import Chapter
from autograder.course.regions import STUB, region_lines
from autograder.course.settings import load_settings
from autograder.narration.cells import known_sound_lines

GUIDE = "AGENTS.md"  # beside the notebooks, for a student's assistant
TRIVIAL = 8  # shorter lines ("return x", "else:") are no secret, and stand everywhere


def secret_lines(chapters: Sequence[Chapter]) -> dict[str, str]:
    """Lines that stand only inside solution or hidden regions of the sources: {stripped line:
    "file:line of its cell"}.
    """
    inside: dict[str, str] = {}
    outside = template_lines()
    for chapter in chapters:
        for cell in chapter.cells:
            hidden = region_lines(cell.source)
            for line in hidden:
                inside.setdefault(line.strip(), f"{chapter.path.name}:{cell.line}")
            outside |= {line.strip() for line in _without(cell.source.split("\n"), hidden)}
        outside |= {
            line.strip() for cell in handin_cells(chapter) for line in cell.source.split("\n")
        }
    return {
        line: place
        for line, place in inside.items()
        if len(line) >= TRIVIAL and line not in outside
    }


def check_notebook(root: Path, chapter: Chapter, notebook: NotebookNode) -> None:
    """Raise LeakError unless every code line of a student notebook may be there."""
    allowed = {line.strip() for line in STUB}
    for cell in chapter.cells:
        allowed |= {
            line.strip() for line in _without(cell.source.split("\n"), region_lines(cell.source))
        }
        if cell.carry:
            allowed |= {line.strip() for line in carried_text(root, cell, chapter.path).split("\n")}
    for added in handin_cells(chapter):
        allowed |= {line.strip() for line in added.source.split("\n")}
    settings = load_settings(root)
    for cell in notebook.cells:
        known = known_lines(root, cell.source) if cell.id in ADDED_CODE else set()
        if cell.id == SOUND_ID:
            known = known_sound_lines(settings, chapter, cell.source)
        if cell.id == PROGRESS_ID:
            known = known_progress_lines(settings, chapter, cell.source)
        _check_cell(f"{chapter.path}: cell {cell.id}", cell, allowed | known)


def _check_cell(where, cell, allowed):
    lines = cell.source.split("\n") if cell.cell_type == "code" else []
    for line in lines:
        if line.strip() not in allowed:
            raise LeakError(
                f"{where}: the line {line.strip()!r} stands in the student notebook but not "
                "outside the solution and hidden regions of the source. Nothing was written."
            )
    if cell.get("outputs"):
        raise LeakError(f"{where}: the student notebook holds outputs. Nothing was written.")


def check_tree(root: Path, tree: Path) -> None:
    """Raise LeakError if a file below ``tree`` (the student release) is neither a notebook, the
    assistants' page nor the wheel of the checks, or holds a secret line of any chapter.
    """
    chapters = [read_chapter(path) for path in chapter_paths(root)]
    secret = secret_lines(chapters)
    carried = {
        chapter.name: {
            line.strip()
            for cell in chapter.cells
            if cell.carry
            for line in carried_text(root, cell, chapter.path).split("\n")
        }
        for chapter in chapters
    }
    for path in sorted(Path(tree).rglob("*")):
        if path.is_dir():
            continue
        for line in sorted(_text_lines(path)):
            if line in secret and line not in carried.get(path.stem, ()):
                raise LeakError(
                    f"{path}: holds the line {line!r}, which stands only inside a solution or "
                    "hidden region of the "
                    f"source ({secret[line]}). Delete the file, or take the line out."
                )
        if path.suffix != ".ipynb" and path not in (Path(tree, GUIDE), wheel_path(root)):
            raise LeakError(
                f"{path}: the student release holds notebooks, {GUIDE} and the wheel of the "
                "checks only; delete this file."
            )


def _text_lines(path):
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            members = [archive.read(name) for name in archive.namelist()]
        text = b"\n".join(members).decode("utf-8", errors="replace")
        return {line.strip() for line in text.split("\n")}
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return {line.strip() for line in text.split("\n")}


def _without(lines, hidden):
    """``lines`` less the hidden ones, each taken out once."""
    rest = list(hidden)
    for line in lines:
        if line in rest:
            rest.remove(line)
        else:
            yield line
