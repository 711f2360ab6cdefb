"""A chapter is read in one sitting: how many words and open lines it has, and how many numbers a
paragraph gives.
"""

import json
import re
from collections.abc import Iterator

import pytest

from autograder.build.length import LEFT_OUT, length
from autograder.course.added_cells import RULES_ID

from .conftest import ROOT

CHAPTERS = sorted(path.name for path in (ROOT / "notebooks").glob("ch*"))
LONGER = {"ch09_training", "ch11_today"}  # two chapters that train, and compare
NUMBERS = 3  # in a paragraph
NUMBER = re.compile(r"(?<![\w.,·^-])[−-]?\d[\d,]*(?:\.\d+)?(?![\w-])")
NO_NUMBER = re.compile(
    r"\$[^$]*\$"  # formulas
    r"|`[^`]*`|<[^>]+>|\]\([^)]*\)"  # code, tags, addresses
    r"|\([\d, ]*,[\d, ]*\)"  # shapes
    r"|[Cc]hapters? \d+(?:(?:, | and | to |–)\d+)*"  # where else it stands
    r"|(?:[Ee]xercises?|[Ss]ections?) [\d.]+(?:(?:, | and | to |–)[\d.]+)*"
    r"|\b(?:Llama|Qwen|Gemma|Mistral|Gemini|Claude|DeepSeek|Phi|Python|PyTorch) [\d.]+"
    r"|\b(?:1[89]|20)\d\d\b"  # years
)


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_is_read_in_one_sitting(name):
    read = length(ROOT / "notebooks" / name / f"{name}.ipynb")
    words, lines = (4200, 350) if name in LONGER else (3600, 320)
    assert read.words <= words
    assert read.open_lines <= lines


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_paragraph_gives_three_numbers_at_most(name):
    assert {text: count for text, count in paragraphs(name) if count > NUMBERS} == {}


def paragraphs(name: str) -> Iterator[tuple[str, int]]:
    """Each paragraph of a released chapter, in one line, and how many numbers it gives."""
    notebook = ROOT / "notebooks" / name / f"{name}.ipynb"
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "markdown" or cell["id"] == RULES_ID:
            continue
        if cell["id"].startswith("listen-"):  # is heard
            continue
        text = LEFT_OUT.sub("", "".join(cell["source"]))
        text = re.sub(r"```.*?```|\$\$.*?\$\$", "", text, flags=re.DOTALL)
        for paragraph in re.split(r"\n\s*\n|\n(?=- |\d+\. |\||#)|<details>", text):
            if not paragraph.lstrip().startswith(("|", "#", "*", "[![")):
                said = NO_NUMBER.sub("", paragraph)
                yield " ".join(paragraph.split()), len(NUMBER.findall(said))
