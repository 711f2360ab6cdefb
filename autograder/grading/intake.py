"""A file that was handed in, as a list of cells, or one line that says why it is none; and signs of
tampering in it.

Only text, kind, id and grade_id of a cell are taken; its tags and outputs are for a person to look
at, other metadata is left behind. Signs are evidence for a person too, never a penalty: honest
notebooks may trip over one of them.
"""

import codecs
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from autograder.course.added_cells import is_untouched
from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION
from autograder.course.model import Chapter
from autograder.course.settings import as_in_the_source
from autograder.grading.names import statements

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
# what a cell of one's own may ask a shell, as "!nvidia-smi" does: what the machine is
HARMLESS = re.compile(
    r'\b(?:os\.(?:system|popen)|subprocess\.\w+)\(\[?(["\'])'
    r'(?:nvidia-smi|lscpu|free|df|uname|ls|pwd|clear|cls|pip +install)\b[^"\'\n;&|`$<>]*\1'
)
PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in SIGNS.items()}
CLAIMS = re.compile(r"\bassert\b|\bab\.check\(")
MOST = 20


OTHER_KINDS = {
    b"%pdf": "a PDF",
    b"<!doctype html": "a saved web page",
    b"<html": "a saved web page",
    b"pk\x03\x04": "a zip",
    b"\x1f\x8b": "compressed with gzip",
}
NO_UTF8 = re.compile("[\udc80-\udcff]")  # a byte that is none, as Python keeps it
WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(128, 256)}
CONFLICT = re.compile(
    r"^ *<{7} [^\n]*\n(?P<ours>.*?)^={7}\n(?P<theirs>.*?)^>{7} [^\n]*\n", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class LooseCell:
    """A cell of a file: what is needed to find out which cell of the release it was."""

    kind: str  # "code", "markdown" or "raw"
    text: str
    id: str = ""
    grade_id: str = ""
    outputs: Any = field(default=None, compare=False, repr=False)  # whatever the file has there


def read_notebook(
    data: bytes, report: list[str] | None = None
) -> tuple[list[LooseCell], list[str]]:
    """(the cells of a notebook as LooseCells, the tags of all of them). Raises SubmissionError.

    report: gets a sentence for what was put right in the file.

    >>> read_notebook(b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = 1"}]}')
    ([LooseCell(kind='code', text='x = 1', id='', grade_id='')], [])
    """
    if len(data) > LARGEST_SUBMISSION:
        raise SubmissionError(
            f"the file has {len(data) / 2**20:.0f} MB; at most {LARGEST_SUBMISSION >> 20} MB are"
            " read"
        )
    report = [] if report is None else report
    try:
        cells = _cells(_parsed(_decoded(data, report), report))
    except RecursionError as error:
        raise SubmissionError("the file is nested too deeply to be a notebook") from error
    tags = [tag for cell in cells for tag in _tags(cell)]
    read = map(_cell, cells, range(1, len(cells) + 1))
    return [cell for cell in read if not is_untouched(cell.text)], tags


def _decoded(data: bytes, report: list[str]) -> str:
    """The text of a file."""
    if not data.strip(b"\0 \t\r\n"):
        raise SubmissionError("the file is empty")
    start = data[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for begins, what in OTHER_KINDS.items():
        if start.startswith(begins):
            raise SubmissionError(f"the file is {what}, not a notebook: hand in the .ipynb itself")
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        report.append("the file was UTF-16 text")
        return data.decode("utf-16", "replace").rstrip("\0")
    text = data.decode("utf-8-sig", "surrogateescape")
    if NO_UTF8.search(text):
        report.append("the file was not UTF-8 throughout; other bytes were read as Windows-1252")
        text = text.translate(WINDOWS)
    return text.rstrip("\0")


def _parsed(text: str, report: list[str]) -> Any:
    """The JSON value of a file."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, len(text) - len(text.lstrip()))
    except ValueError as error:
        if conflict := CONFLICT.search(text):
            return _without_conflict(text, text.count("\n", 0, conflict.start()) + 1, report)
        at_end = isinstance(error, json.JSONDecodeError) and (
            error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated")
        )
        why = "it ends in the middle" if text[:1] == "{" and at_end else "it is not valid JSON"
        raise SubmissionError(
            f"the file is not a notebook: {why}. Open it in Jupyter, save it, and hand it in again"
        ) from error
    if text[end:].strip():
        report.append("what stood below the end of the notebook in the file was left out")
    if isinstance(value, dict) and value.get("type") == "notebook" and "content" in value:
        report.append("the file was a Jupyter server's answer; the notebook in it was read")
        return value["content"]
    return value


def _without_conflict(text: str, line: int, report: list[str]) -> Any:
    """The JSON value of a file in which git left both versions of some lines, from this one on,
    where they differ in nothing that counts.
    """
    versions = []
    for side in (r"\g<ours>", r"\g<theirs>"):
        with suppress(ValueError):
            versions.append(json.loads(CONFLICT.sub(side, text)))
    texts = [[_cell(cell, 0).text for cell in _cells(version)] for version in versions]
    if len(texts) < 2 or texts[0] != texts[1]:
        raise SubmissionError(
            f"git left both versions of a conflict in the file (line {line}): keep one of them, "
            "open the notebook in Jupyter, and hand it in again"
        )
    report.append("git left a conflict in the file, in nothing that counts")
    return versions[0]


def _cells(notebook: Any) -> list[Any]:
    """The list of cells of a JSON value."""
    if not isinstance(notebook, dict):
        raise SubmissionError("the file is not a notebook: expected a JSON object")
    version = notebook.get("nbformat")
    if version != 4:
        newer = isinstance(version, int) and version > 4
        how = "as nbformat 4 with what wrote it" if newer else "with a current Jupyter"
        raise SubmissionError(
            f"the file says nbformat {str(version)[:20]}; expected 4. Open it, save it {how}, and"
            " hand it in again"
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
    text = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    return LooseCell(
        kind if kind in KINDS else "raw",
        as_in_the_source(text),
        _text(cell.get("id")),
        _text(grade_id),
        cell.get("outputs"),
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
    released = {line.strip() for cell in chapter.cells for line in cell.released.split("\n")}
    code = {tree for cell in chapter.code for tree in statements(cell.released)}
    ids = {name for cell in chapter.cells for name in (cell.id, cell.grade_id) if name}
    checks = {check.grade_id: check for exercise in chapter.exercises for check in exercise.checks}
    for cell in cells:
        if cell.kind != "code":
            continue
        lines = cell.text.split("\n")
        for tree, spans in statements(cell.text).items():
            for start, end in spans if tree in code else ():
                lines[start:end] = [""] * (end - start)
        own = "\n".join(line for line in lines if line.strip() not in released)
        if not {cell.id, cell.grade_id} & ids:
            own = HARMLESS.sub("", own)
        check = checks.get(cell.grade_id)
        if check and not CLAIMS.search(cell.text):
            found.append(
                f"the check {check.grade_id} no longer asserts anything: {_short(cell.text)}"
            )
        for name, pattern in PATTERNS.items():
            match = pattern.search(own)
            if match:
                found.append(f"{name}: {_line(own, match.start())}")
    return tuple(dict.fromkeys(found))[:MOST]


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return _short(text[start : end if end >= 0 else None])


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 100 else text[:99] + "…")
