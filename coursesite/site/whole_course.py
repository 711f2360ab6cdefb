"""The whole course on one page, to print: of each chapter its question, formulas and figures in
order under their sections, and what one can do after it; then what the attention that is built
here is called in the models of today.

Everything is taken from the executed solutions; nothing is written twice.
"""

import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import NotebookNode

from autograder.course.errors import SourceError
from coursesite.site.chapters import ChapterFacts
from coursesite.site.pages import page_of

NAME = "whole_course"
FORMULA = re.compile(r"^\$\$(?P<text>.+?)\$\$$", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
ABILITIES = re.compile(
    r"\*\*After this chapter you can\*\*.*?\n\n(?P<list>(?:- .+(?:\n  .+)*\n?)+)"
)
ITEM = re.compile(r"^- ", re.MULTILINE)
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
FAMILY = {  # how the first row of a table begins: what it tells of the family
    "| attention | computes |": "Four attentions, one formula",
    "| | where it comes in": "Positions",
    "| part | GPT-2 (2019) |": "A block of 2019, and a block of today",
    "| model | year |": "Models of today, and what is new in their blocks",
}
OPENING = """# The whole course on one page

The formulas and figures of all chapters in their order, the family of attention that they build,
and what you can do after each: to print, or to look for a picture. The chapters hold the text, the
code and the exercises."""


def whole_course(
    everyone: Sequence[ChapterFacts], solutions: Sequence[NotebookNode]
) -> NotebookNode:
    """The page's notebook. solutions: the executed solution of each chapter, in order.

    Raises SourceError where a chapter does not say what one can do after it, or where a table of
    the family is gone.
    """
    cells = [_text(OPENING)]
    for facts, solution in zip(everyone, solutions, strict=True):
        question = f"\n\n{{.lead}}\n{facts.question}" if facts.question else ""
        cells.append(_text(f"## {facts.number} · {facts.title}{question}"))
        cells += _of_chapter(facts, solution)
    cells.append(_text("## The family"))
    cells += [_text(f"### {title}\n\n{table}") for title, table in _family(solutions)]
    cells.append(_text("## Checklist"))
    for facts, solution in zip(everyone, solutions, strict=True):
        cells.append(
            _text(
                f"### After chapter {facts.number}\n\n{{.checklist}}\n{abilities(facts, solution)}"
            )
        )
    return page_of(cells)


def _of_chapter(facts: ChapterFacts, solution: NotebookNode) -> Iterator[NotebookNode]:
    """Formulas and figures of a chapter, each section's under its title; a section without any is
    left out.
    """
    section, count = "", 0
    for cell in solution.cells:
        if cell.cell_type == "code":
            shown = [output for output in cell.outputs if "image/png" in output.get("data", {})]
            for output in shown:
                count += 1
                yield from _titled(section)
                section = ""
                yield _text(f"{{.figure-number}}\nFigure {facts.number}.{count}")
                yield _figure(output)
            continue
        for kind, text in _marks(cell.source):
            if kind == "section":
                section = text
            else:
                yield from _titled(section)
                section = ""
                yield _text(text)


def _marks(source: str) -> list[tuple[str, str]]:
    """Titles of sections and displayed formulas of a Markdown cell, in order."""
    found = [(one.start(), "section", one["title"]) for one in SECTION.finditer(source)]
    found += [(one.start(), "formula", one[0]) for one in FORMULA.finditer(source)]
    return [(kind, text) for _, kind, text in sorted(found)]


def abilities(facts: ChapterFacts, solution: NotebookNode) -> str:
    """What one can do after a chapter, as Markdown with a box to tick before each."""
    found = ABILITIES.search(solution.cells[0].source + "\n")
    if not found:
        raise SourceError(
            f"{facts.name}: its first cell has no list under 'After this chapter you can'."
        )
    return ITEM.sub("- ☐ ", found["list"].strip())


def _family(solutions: Sequence[NotebookNode]) -> Iterator[tuple[str, str]]:
    """[(title, table)] of the family."""
    tables = [
        table
        for solution in solutions
        for cell in solution.cells
        if cell.cell_type == "markdown"
        for table in TABLE.findall(cell.source)
    ]
    for begins, title in FAMILY.items():
        found = [table for table in tables if table.startswith(begins)]
        if len(found) != 1:
            raise SourceError(
                f"the whole course on one page: expected one table that begins {begins!r}, found "
                f"{len(found)}; mend FAMILY in coursesite/site/whole_course.py."
            )
        yield title, found[0]


def _titled(section: str) -> list[NotebookNode]:
    return [_text(f"### {section}")] if section else []


def _figure(output: NotebookNode) -> NotebookNode:
    made = nbformat.v4.new_code_cell("...", outputs=[nbformat.from_dict(output)])
    made.metadata["tags"] = ["remove-input"]
    return made


def _text(source: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source)
