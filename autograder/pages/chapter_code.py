"""Code of the chapters, by name, executed: for scripts here that compute what pages show."""

import contextlib
import io
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
from autograder.course.carry import definitions
from autograder.course.chapter import find_chapter
from autograder.course.model import defined_names

IMPORTS = (
    "import math, torch\nfrom dataclasses import dataclass\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    "from contextlib import contextmanager\nfrom collections import Counter\n"
)


def chapter_code(number, *names, start=()):
    """Solution and teaching code of a chapter, by name, executed: a dict of the names asked for, on top of those in start."""
    known = definitions(find_chapter(ROOT, f"ch{number:02d}"))
    space = {**dict(start), "device": "cpu"}
    exec(IMPORTS + "\n\n".join(known[name] for name in names), space)
    return space


def chapter_cells(number, *names, start=(), shown=False):
    """The whole cells of a chapter that define these names, executed in order: for what a loop fills. shown: those that only show something, too."""
    space = chapter_code(number, start=start)
    torch.set_default_dtype(torch.float32)  # random numbers of another dtype are other numbers
    for cell in find_chapter(ROOT, f"ch{number:02d}").code:
        if (
            not cell.role
            and (shown or not cell.show_only)
            and set(names) & set(defined_names(cell.text))
        ):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(cell.text, space)
    torch.set_default_dtype(torch.float64)
    return space
