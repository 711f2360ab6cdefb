"""How long a chapter is: what a reader meets in its released notebook."""

import json
import re
from pathlib import Path
from typing import NamedTuple

TRANSCRIPT = re.compile(r"<details><summary>Transcript</summary>.*?</details>", re.DOTALL)
# tags, addresses, rules of tables
MARKUP = re.compile(r"<[^>]*>|\]\([^)]*\)|^[|: -]+$", re.MULTILINE)


class Length(NamedTuple):
    """words: of prose, transcripts aside; open_lines: of code that is not folded; lines: of all."""

    words: int
    open_lines: int
    lines: int
    kilobytes: int


def length(notebook: Path) -> Length:
    """How long a released notebook is. Lines without text are not counted."""
    words, open_lines, lines = 0, 0, 0
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            words += len(MARKUP.sub(" ", TRANSCRIPT.sub("", text)).split())
        else:
            written = sum(bool(line.strip()) for line in text.split("\n"))
            folded = cell["metadata"].get("jupyter", {}).get("source_hidden")
            lines, open_lines = lines + written, open_lines + (0 if folded else written)
    return Length(words, open_lines, lines, notebook.stat().st_size // 1000)
