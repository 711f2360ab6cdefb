"""The gallery's page: under each chapter its entries, each with two pictures, three guesses and the
section that it belongs to. No code of an answer is on it.
"""

from base64 import b64encode
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import nbformat
from docutils.nodes import make_id
from nbformat import NotebookNode

from coursesite.site.gallery.entries import Entry, read_entries
from coursesite.site.gallery.numbers import Numbers, numbers_of, refuted
from coursesite.site.gallery.pictures import pictures
from coursesite.site.pages import page_of
from coursesite.site.questions import Choice, Question
from coursesite.site.quiz import quiz_of

NAME = "gallery"
ASK = "What is wrong here?"
OPENING = """# What is wrong here?

{.lead}
Each pair of pictures shows what a function should compute, and what came out of one with a
mistake. Find the mistake.

The mistakes are those that students make: every one is in the bank of wrong answers that the checks
are measured with. It was run to draw its picture. Guess, and see what the other guesses would have
changed. Your answers stay in this browser."""


def gallery(root: Path) -> NotebookNode:
    """The page's notebook, its entries from ``site/gallery.toml``.

    Raises SourceError where the file breaks a rule, or where two mistakes look the same.
    """
    cells = [_text(OPENING)]
    for title, entries in groupby(read_entries(root), lambda entry: entry.chapter.title):
        cells.append(_text(f"## {title}"))
        shown: set[str] = set()  # exercises
        for entry in entries:
            again = ", again" if entry.exercise.id in shown else ""
            shown.add(entry.exercise.id)
            cells += entry_cells(entry, numbers_of(entry), again)
    return page_of(cells)


def entry_cells(entry: Entry, numbers: Numbers, again: str = "") -> list[NotebookNode]:
    """The cells of one entry: its heading (again: what its end adds), the pictures, the guesses."""
    number, _, title = entry.exercise.title.removeprefix("Exercise ").partition(" · ")
    shown = [_picture(png, alt) for png, alt in pictures(entry, numbers)]
    figure = nbformat.v4.new_code_cell("...", outputs=shown)
    figure.metadata["tags"] = ["remove-input", "pair"]
    link = f"{entry.chapter.name}.html#{make_id(entry.exercise.section)}"
    back = f'<p class="back">It belongs to <a href="{link}">{entry.exercise.section}</a>.</p>'
    block = quiz_of(
        NAME, entry.key, [question(entry, numbers)], label=f"Guess: {title}{again}", after=back
    )
    return [_text(f"### {title} ({number}{again})\n\n{entry.about}"), figure, _text(block)]


def question(entry: Entry, numbers: Numbers) -> Question:
    """Three guesses: the mistake with the bank's phrase, and the two others with the number that
    refutes them. The right one's place follows from the entry's name alone.
    """
    phrase = entry.made.answer.phrase
    choices = [Choice(one.says, refuted(entry, one, numbers)) for one in entry.others]
    named = f"{entry.shows} The check names it with the words “{phrase}”."
    choices.insert(place(entry), Choice(entry.made.says, named, right=True))
    return Question(ASK, tuple(choices))


def place(entry: Entry) -> int:
    """Where the mistake stands among the guesses: 0, 1 or 2."""
    return sha256(entry.key.encode()).digest()[2] % (len(entry.others) + 1)


def _picture(png: bytes, alt: str) -> NotebookNode:
    return nbformat.v4.new_output(
        "display_data",
        data={"image/png": b64encode(png).decode()},
        metadata={"image/png": {"alt": alt}},
    )


def _text(source: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source)
