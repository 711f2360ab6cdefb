"""What a reader guesses before an experiment: a release does not tell it before they have typed.

From a cell that waits for a guess to the next heading below the cell that compares it, stored
outputs are withheld, and the words that tell what came out stand folded: the first paragraphs
below that cell, up to a heading, to the next question, or to the mark ``<!-- told -->``.
"""

import re
from collections.abc import Iterable

from nbformat import NotebookNode

GUESS = re.compile(r"^(guess\w*(?:, guess\w*)*) = None", re.MULTILINE)  # waits for guesses
COMPARES = "check_guess("
SUMMARY = "<summary>What came out</summary>"
FOLD = f"<details>{SUMMARY}"
TOLD = "<!-- told -->"
HEADING = re.compile(r"^#{2,} ", re.MULTILINE)
OPEN = re.compile(  # what stands open below the words that tell
    rf"{TOLD}|^(?:#{{2,}} |\*\*Predict, then run|\*\*What breaks if|<!-- interactive page -->)",
    re.MULTILINE,
)


def fold_what_came_out(cells: Iterable[NotebookNode]) -> None:
    """Fold, in place, the words that tell the answers of a chapter's guesses.

    A cell that only leads to the next one, a paragraph that ends in a colon, tells nothing yet:
    the words that are folded then stand below it.
    """
    compared = False
    for cell in cells:
        if cell.cell_type == "code":
            compared = compared or COMPARES in cell.source
        elif compared:
            told, rest = _parts(cell.source)
            compared = not told and not HEADING.search(rest)
            if told:
                folded = f"{FOLD}\n\n{told}\n\n</details>"
                cell.source = "\n\n".join(part for part in (folded, rest) if part)


def _parts(source: str) -> tuple[str, str]:
    """(what a Markdown cell tells of an answer, the words behind it)."""
    found = OPEN.search(source)
    told, rest = (source[: found.start()], source[found.start() :]) if found else (source, "")
    if rest.startswith(TOLD):
        return told.strip(), rest.removeprefix(TOLD).strip()
    paragraphs = told.strip().split("\n\n")
    if paragraphs[-1].endswith(":"):  # leads to the cell below
        rest = "\n\n".join(part for part in (paragraphs.pop(), rest) if part)
    return "\n\n".join(paragraphs), rest


def waiting_cells(cells: Iterable[NotebookNode]) -> set[str]:
    """The ids of the code cells whose outputs may show what a reader is still to guess."""
    ids: set[str] = set()
    asked: set[str] = set()  # guesses that no cell has compared yet
    hidden = False
    for cell in cells:
        if cell.cell_type == "markdown":
            hidden = hidden and bool(asked or not HEADING.search(cell.source))
            continue
        for names in GUESS.findall(cell.source):
            asked |= set(names.split(", "))
        hidden = hidden or bool(asked)
        if COMPARES in cell.source:
            asked -= set(re.findall(r"\bguess\w*", cell.source))
        if hidden or "worst_guesses()" in cell.source:
            ids.add(cell.id)
    return ids
