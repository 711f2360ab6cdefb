"""Code of the chapters, by name, executed: for modules that compute what pages show."""

import contextlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from autograder.course.chapter import find_chapter
from autograder.course.model import definitions

IMPORTS = (
    "import math, torch\nfrom dataclasses import dataclass\nfrom torch import nn\n"
    "from torch.nn import functional as F\nfrom contextlib import contextmanager\n"
    "from collections import Counter\n"
    "import attention_built as ab\nfrom attention_built import check_guess\n"
)


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """PyTorch's default number type inside a ``with``; afterwards it is what it was."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def chapter_code(
    root: Path, number: int, *names: str, start: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Code of a chapter, by name, executed on top of the names in ``start``."""
    known = find_chapter(root, f"ch{number:02d}").definitions
    space = {**(start or {}), "device": "cpu"}
    exec(IMPORTS + "\n\n".join(known[name] for name in names), space)
    return space


def carried_code(root: Path, number: int) -> dict[str, Any]:
    """The functions and classes that a chapter carries from earlier ones, executed, as its notebook
    holds them.
    """
    space: dict[str, Any] = {}
    for cell in find_chapter(root, f"ch{number:02d}").code:
        for chapter_name, names in cell.carry:
            known = find_chapter(root, chapter_name).definitions
            made = [name for name in names if known[name].startswith(("def ", "class ", "@"))]
            space = chapter_code(root, int(chapter_name[2:4]), *made, start=space)
    return space


def chapter_cells(
    root: Path,
    number: int,
    *names: str,
    start: Mapping[str, Any] | None = None,
    shown: bool = False,
) -> dict[str, Any]:
    """The whole cells of a chapter that define these names, executed in order: for what a loop
    fills.

    shown: those that only show something, too. They run in float32, since random numbers of another
    type are other numbers.
    """
    space = chapter_code(root, number, start=start)
    with default_dtype(torch.float32), contextlib.redirect_stdout(io.StringIO()):
        for cell in find_chapter(root, f"ch{number:02d}").code:
            if cell.role or (cell.show_only and not shown):
                continue
            if set(names) & set(definitions(cell.text)):
                exec(cell.text, space)
    return space
