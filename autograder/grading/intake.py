"""A file that was handed in, as a list of cells, or one line that says why it is none; and signs of
tampering in it.

Only text, kind, id and grade_id of a cell are taken, and its tags, for a person to look at; other
metadata and outputs are left behind. Signs are evidence for a person too, never a penalty: honest
notebooks may trip over one of them.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from autograder.course.added_cells import is_untouched
from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION
from autograder.course.model import Chapter
from autograder.course.settings import as_in_the_source

MOST_CELLS = 2_000
LONGEST_CELL = 1 << 20
KINDS = ("code", "markdown", "raw")

TAGS = {"skip-execution", "raises-exception", "remove_cell", "remove-cell"}
SIGNS = {
    "reads /proc": r"/proc\b",
    "ends or replaces the process": r"\bos\._exit\b|\bos\.exec[lv]|\bos\.abort\b|\bos\.kill\b",
    "hooks into cell execution": (
        r"pre_run_cell|pre_execute|post_run_cell|input_transformers|ast_transformers|run_cell\s*="
    ),
    "looks at frames or the garbage collector": (
        r"sys\._getframe|gc\.get_objects|gc\.get_referrers|inspect\.currentframe|settrace|setprofile"
    ),
    "opens a network connection": (
        r"\bsocket\.(socket|create_connection)|urllib\.request|\brequests\.(get|post)|http\.client"
    ),
    "starts other programs": r"\bsubprocess\.|\bos\.(system|popen|fork|spawn)",
    "uses ctypes": r"\bctypes\b",
    "replaces functions of torch, numpy, math or builtins": (
        r"^\s*(?:torch(?!\.backends\b)|F|nn|numpy|np|math|builtins)(?:\.\w+)+\s*=(?!=)|setattr\(\s*(?:torch|F|nn|np|math|builtins)\b"
    ),
    "overrides comparison": r"def __(eq|ne|torch_function|array_ufunc|instancecheck)__",
    "mentions the gradebook or the source of the course": (
        r"gradebook\.db|BEGIN HIDDEN|BEGIN SOLUTION"
    ),
}
PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in SIGNS.items()}
CLAIMS = re.compile(r"\bassert\b|\bab\.check\(")
MOST = 20


@dataclass(frozen=True)
class LooseCell:
    """A cell of a file: what is needed to find out which cell of the release it was."""

    kind: str  # "code", "markdown" or "raw"
    text: str
    id: str = ""
    grade_id: str = ""


def read_notebook(data: bytes) -> tuple[list[LooseCell], list[str]]:
    """(the cells of a notebook as LooseCells, the tags of all of them). Raises SubmissionError.

    >>> read_notebook(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = 1"}]}')
    ([LooseCell(kind='code', text='x = 1', id='', grade_id='')], [])
    """
    cells = _cells(_parsed(data))
    tags = [tag for cell in cells for tag in _tags(cell)]
    read = map(_cell, cells, range(1, len(cells) + 1))
    return [cell for cell in read if not is_untouched(cell.text)], tags


def _parsed(data: bytes) -> Any:
    """The JSON value of a file."""
    if len(data) > LARGEST_SUBMISSION:
        raise SubmissionError(
            f"the file has {len(data) / 2**20:.0f} MB; at most {LARGEST_SUBMISSION >> 20} MB are"
            " read"
        )
    if not data.strip():
        raise SubmissionError("the file is empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SubmissionError(f"the file is not UTF-8 text (byte {error.start})") from error
    try:
        return json.loads(text)
    except RecursionError as error:
        raise SubmissionError("the file is nested too deeply to be a notebook") from error
    except ValueError as error:
        raise SubmissionError(
            f"the file is not a notebook: not valid JSON ({str(error)[:100]})"
        ) from error


def _cells(notebook: Any) -> list[Any]:
    """The list of cells of a JSON value."""
    if not isinstance(notebook, dict):
        raise SubmissionError("the file is not a notebook: expected a JSON object")
    version = notebook.get("nbformat")
    if version != 4:
        raise SubmissionError(
            f"the file says nbformat {str(version)[:20]}; expected 4. Open and save it with a"
            " current Jupyter"
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not cells:
        raise SubmissionError("the notebook has no cells")
    if len(cells) > MOST_CELLS:
        raise SubmissionError(f"the notebook has {len(cells)} cells; at most {MOST_CELLS} are read")
    return cells


def _cell(cell: Any, number: int) -> LooseCell:
    if not isinstance(cell, dict):
        raise SubmissionError(f"cell {number} of the notebook is not a cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise SubmissionError(f"cell {number} of the notebook has no text")
    if len(source) > LONGEST_CELL:
        raise SubmissionError(
            f"cell {number} has {len(source):,} characters; at most {LONGEST_CELL:,} are read"
        )
    kind = cell.get("cell_type")
    graded = _metadata(cell).get("nbgrader")
    grade_id = graded.get("grade_id") if isinstance(graded, dict) else None
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    source = as_in_the_source(source)
    return LooseCell(
        kind if kind in KINDS else "raw", source, _text(cell.get("id")), _text(grade_id)
    )


def _tags(cell: Any) -> list[str]:
    tags = _metadata(cell).get("tags")
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def _metadata(cell: Any) -> dict[str, Any]:
    metadata = cell.get("metadata") if isinstance(cell, dict) else None
    return metadata if isinstance(metadata, dict) else {}


def _text(value: object) -> str:
    return value[:128] if isinstance(value, str) else ""


def find_flags(
    chapter: Chapter, cells: Iterable[LooseCell], tags: Iterable[str] = ()
) -> tuple[str, ...]:
    """Sentences with the evidence. cells: what was handed in, as LooseCells; tags: of all cells of
    the file.
    """
    found = [f"a cell carries the tag {tag!r}" for tag in sorted(set(tags) & TAGS)]
    released = {cell.released.strip() for cell in chapter.cells}
    checks = {check.grade_id: check for exercise in chapter.exercises for check in exercise.checks}
    for cell in cells:
        if cell.kind != "code" or cell.text.strip() in released:
            continue
        check = checks.get(cell.grade_id)
        if check and not CLAIMS.search(cell.text):
            found.append(
                f"the check {check.grade_id} no longer asserts anything: {_short(cell.text)}"
            )
        for name, pattern in PATTERNS.items():
            match = pattern.search(cell.text)
            if match:
                found.append(f"{name}: {_line(cell.text, match.start())}")
    return tuple(dict.fromkeys(found))[:MOST]


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return _short(text[start : end if end >= 0 else None])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 100 else text[:99] + "…")
