"""What students wrote for the open task at a chapter's end ("Make it yours"), for the instructor to
read without knowing who wrote it.

Nothing is run and nothing is graded. Student ids and e-mail addresses are taken out of the texts,
and their order says nothing about the students.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from autograder.course.errors import SubmissionError
from autograder.course.model import Cell, Chapter
from autograder.grading.intake import read_notebook

HEADING = re.compile(r"^### Make it yours\b", re.MULTILINE)
LONGEST = 4_000  # characters of one text that are shown
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SOMEONE = "[name]"


@dataclass(frozen=True)
class OpenAnswer:
    """One text that students wrote for the open task, and how many of them wrote it."""

    text: str
    students: int


def task_cells(chapter: Chapter) -> list[Cell]:
    """The cells of a chapter's open task: its heading, then its code cells; empty without one."""
    start = next((n for n, c in enumerate(chapter.cells) if _is_heading(c.kind, c.source)), None)
    if start is None:
        return []
    cells = [chapter.cells[start]]
    for cell in chapter.cells[start + 1 :]:
        if cell.kind != "code" or cell.grade_id:
            break
        cells.append(cell)
    return cells


def written(chapter: Chapter, notebook: bytes) -> str:
    """What stands in the cells of a chapter's open task in a notebook that was handed in.

    That is every cell between the task's heading and the next cell of the release: code as it is,
    the student's own Markdown as comments. Empty where nothing was changed or the task is gone.
    Raises SubmissionError for a file that is no notebook.
    """
    if not task_cells(chapter):
        return ""
    heading, *task = task_cells(chapter)
    cells, _ = read_notebook(notebook)
    ours = {cell.id for cell in task}
    headings = [c.id == heading.id or _is_heading(c.kind, c.text) for c in cells]
    starts = [n + 1 for n, is_heading in enumerate(headings) if is_heading]
    starts += [n for n, cell in enumerate(cells) if cell.id in ours]
    if not starts:
        return ""
    others = {cell.id for cell in chapter.cells} - ours
    texts = {cell.released.strip() for cell in chapter.cells if cell.id in others}
    parts: list[str] = []
    for cell in cells[starts[0] :]:
        if cell.id in others or cell.text.strip() in texts:
            break
        parts.append(cell.text.strip() if cell.kind == "code" else _as_comment(cell.text))
    given = "\n\n".join(cell.released.strip() for cell in task)
    text = "\n\n".join(part for part in parts if part)
    return "" if _plain(text) == _plain(given) else text


def open_answers(
    chapter: Chapter, notebooks: Iterable[tuple[str, bytes]], students: Collection[str] = ()
) -> list[OpenAnswer]:
    """The texts of a class without the students' names, equal ones once, in an order that comes
    from the texts alone.

    notebooks: (student, bytes of the file); students: all ids that must not stand in a text
    (default: those of the notebooks). A file that is no notebook is passed over.
    """
    texts: dict[str, str] = {}
    for student, notebook in notebooks:
        try:
            texts[student] = written(chapter, notebook)
        except SubmissionError:
            continue
    students = {*students, *texts}
    names = sorted(filter(None, students), key=len, reverse=True)
    either = "|".join(map(re.escape, names))
    known = re.compile(rf"(?<!\w)(?:{either})(?!\w)" if names else r"(?!)", re.IGNORECASE)
    counts: Counter[str] = Counter()
    for text in filter(None, texts.values()):
        clean = known.sub(SOMEONE, EMAIL.sub(SOMEONE, text))
        if len(clean) > LONGEST:
            clean = f"{clean[:LONGEST]}\n… ({len(clean) - LONGEST:,} characters more)"
        counts[clean] += 1
    order = sorted(counts, key=lambda text: hashlib.sha256(text.encode()).digest())
    return [OpenAnswer(text, counts[text]) for text in order]


def _is_heading(kind: str, text: str) -> bool:
    return kind == "markdown" and bool(HEADING.search(text))


def _as_comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.strip().splitlines())


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines() if line.strip())
