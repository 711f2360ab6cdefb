"""How long a chapter is: what a reader meets in its released notebook, and the minutes it takes."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from autograder.build.guesses import SUMMARY
from autograder.course.added_cells import RULES_ID
from autograder.course.model import Chapter

# what is heard, and what the build puts in front of a text
LEFT_OUT = re.compile(
    rf"<details><summary>Transcript</summary>.*?</details>|{SUMMARY}|^\[!\[Open in Colab\][^\n]*$",
    re.DOTALL | re.MULTILINE,
)
# tags, addresses, rules of tables
MARKUP = re.compile(r"<[^>]*>|\]\([^)]*\)|^[|: -]+$", re.MULTILINE)
EXERCISE = re.compile(r"^### Exercise .* about (\d+) minutes?$", re.MULTILINE)
WORDS, LINES = 180, 12  # that are read in a minute
STEP = 5  # minutes to which the whole is rounded up


class Length(NamedTuple):
    """words: of prose, transcripts and the box of house rules aside; open_lines: of code that is
    not folded; lines: of all.
    """

    words: int
    open_lines: int
    lines: int
    kilobytes: int


def length(notebook: Path) -> Length:
    """How long a released notebook is. Lines without text are not counted."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return Length(*_counted(cells), notebook.stat().st_size // 1000)


def minutes(cells: Iterable[Mapping[str, Any]]) -> int:
    """What a released notebook takes: its words and open lines of code, read, and the minutes that
    its exercises say.
    """
    cells = list(cells)
    words, open_lines, _ = _counted(cells)
    said = [one for cell in cells for one in EXERCISE.findall("".join(cell["source"]))]
    work = sum(map(int, said)) * WORDS * LINES
    return -(-(words * LINES + open_lines * WORDS + work) // (WORDS * LINES * STEP)) * STEP


def state_minutes(chapter: Chapter, cells: Iterable[Mapping[str, Any]]) -> bool:
    """Write the minutes of a released notebook under the title of its source, where a line there
    says minutes; whether they are others than before.
    """
    said, needed = chapter.facts.get("minutes"), str(minutes(cells))
    if said in (None, needed):
        return False
    text = chapter.path.read_text(encoding="utf-8")
    text = text.replace(f"# *{said} minutes ·", f"# *{needed} minutes ·", 1)
    chapter.path.write_text(text, encoding="utf-8")
    return True


def _counted(cells: Iterable[Mapping[str, Any]]) -> tuple[int, int, int]:
    """(words, open lines, lines) of the cells of a released notebook."""
    words, open_lines, lines = 0, 0, 0
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code":
            written = sum(bool(line.strip()) for line in text.split("\n"))
            folded = cell["metadata"].get("jupyter", {}).get("source_hidden")
            lines, open_lines = lines + written, open_lines + (0 if folded else written)
        elif cell["id"] != RULES_ID:
            words += len(MARKUP.sub(" ", LEFT_OUT.sub("", text)).split())
    return words, open_lines, lines
