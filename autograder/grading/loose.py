"""Cells as they stand in a file and as they are put back, and what can be told from a cell's text
without running it.
"""

import ast
import re
from dataclasses import dataclass

TOP_LEVEL = re.compile(
    r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *(?:: *[^=\n]+)?=(?!=)", re.MULTILINE
)
FENCE = re.compile(r"\s*```[\w]*\n(.*?)\n?```\s*", re.DOTALL)


@dataclass(frozen=True)
class LooseCell:
    """A cell of a file: what is needed to find out which cell of the release it was."""

    kind: str  # "code", "markdown" or "raw"
    text: str
    id: str = ""
    grade_id: str = ""


@dataclass(frozen=True)
class RepairedCell:
    """A code cell put back: the id of the release's cell it stands for ("" for a cell that the
    student added) and its text.
    """

    id: str
    text: str


def defined(text: str) -> set[str]:
    """Names that a text binds at the left margin; works on fragments that do not parse."""
    return {name for match in TOP_LEVEL.finditer(text) for name in match.groups() if name}


def parses(text: str) -> bool:
    """Whether a text is Python, magics aside."""
    try:
        ast.parse(_without_magics(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_magics(text):
    return "\n".join("pass" if line.startswith(("%", "!")) else line for line in text.split("\n"))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def unfenced(text: str) -> str:
    """Code out of a Markdown fence, if it stands in one."""
    match = FENCE.fullmatch(text)
    return match[1] if match else text
