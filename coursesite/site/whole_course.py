"""The whole course on one page, to print: of each chapter its question, formulas and figures in
order under their sections, and what one can do after it; then what the attention that is built
here is called in the models of today. A figure has its number, its caption, what the text says
about it, and the last lines of code that computed it.

Everything is taken from the executed solutions; nothing is written twice.
"""

import ast
import re
from collections.abc import Iterator, Sequence

import nbformat
from nbformat import NotebookNode

from autograder.course.errors import SourceError
from autograder.course.model import TITLED
from coursesite.site.chapters import ChapterFacts
from coursesite.site.pages import ABILITIES, page_of

NAME = "whole_course"
FORMULA = re.compile(r"^\$\$(?P<text>.+?)\$\$$", re.DOTALL | re.MULTILINE)
SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
ITEM = re.compile(r"^- ", re.MULTILINE)
SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z\"*$(0-9])")
LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
PROSE = re.compile(r"(?=[A-Z0-9*\"`(])(?!\*\*(?:Predict|What breaks))")  # how a paragraph begins
SHORT = 40  # characters of a sentence that does not stand alone
LINES = 3  # of code
DRAWN = re.compile(
    r"\b(?:plt|fig|ax|axes|axis|top|OKABE_ITO|draw_\w+|\w*plots?|imshow|\w*map|\w*spec)\b"
)
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)
FAMILY = {  # how the first row of a table begins: what it tells of the family
    "| attention | computes |": "Four attentions, one formula",
    "| | where it comes in": "Positions",
    "| part | GPT-2 (2019) |": "A block of 2019, and a block of today",
    "| model | year |": "Models of today, and what is new in their blocks",
}
OPENING = """# The whole course on one page

The formulas and figures of all chapters in their order, each figure with what its chapter says
about it and lines of the code that computed it; the family of attention that they build, and what
you can do after each: to print, or to look for a picture. The chapters hold the text, the rest of
the code and the exercises."""


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
        heading = f"[{facts.number} · {facts.title}]({facts.name}.ipynb)"
        cells.append(_text(f"## {heading}{question}"))
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
    for place, cell in enumerate(solution.cells):
        if cell.cell_type == "code":
            shown = [output for output in cell.outputs if "image/png" in output.get("data", {})]
            for output in shown:
                count += 1
                yield from _titled(section)
                section = ""
                number = f"Figure {facts.number}.{count}"
                said = _said(solution.cells, place)
                yield _text(f"{{.figure-number}}\n{number} · {_caption(cell, output)}\n\n{said}")
                yield nbformat.v4.new_code_cell(
                    _behind(solution.cells[: place + 1]), outputs=[nbformat.from_dict(output)]
                )
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


def _caption(cell: NotebookNode, output: NotebookNode) -> str:
    """What a cell that draws says that it draws; without a title, how its picture is described."""
    if cell.source.startswith(TITLED):
        return str(cell.source.removeprefix(TITLED).partition("\n")[0])
    alt: str = output.metadata["image/png"]["alt"]
    return SENTENCES.split(alt)[0].rstrip(".")


def _said(cells: Sequence[NotebookNode], place: int) -> str:
    """The sentence that the text says about the figure of a cell: the first one below it, or the
    last one above it.
    """
    below = cells[place + 1].source if place + 1 < len(cells) else ""
    if PROSE.match(below):
        sentences = SENTENCES.split(" ".join(below.split("\n\n")[0].split()))
        both = len(sentences[0]) < SHORT
        return LINK.sub(r"\1", " ".join(sentences[: 1 + both]))
    above = [
        paragraph
        for cell in cells[:place]
        if cell.cell_type == "markdown" and not cell.id.startswith("listen-")
        for paragraph in cell.source.split("\n\n")
        if PROSE.match(paragraph)
    ]
    last = SENTENCES.split(" ".join(above[-1].split()))[-1]
    return LINK.sub(r"\1", last).removesuffix(":").rstrip(".") + "."


def _behind(cells: Sequence[NotebookNode]) -> str:
    """The last lines of code, LINES at most, that compute what the last of these cells draws, and
    in turn what those lines use; where a section computes less, the first lines that draw stand
    below them.
    """
    drawing = cells[-1].source
    wanted = _names(ast.parse(drawing), ast.Load)
    kept: list[str] = []
    for cell in reversed(cells):
        if cell.cell_type == "markdown":
            if SECTION.search(cell.source):
                break
            continue
        if "nbgrader" in cell.metadata:
            continue
        for statement in reversed(ast.parse(cell.source).body):
            text = ast.get_source_segment(cell.source, statement) or ""
            bound = _bound(statement)
            if bound & wanted and _computes(statement) and len(kept) + text.count("\n") < LINES:
                kept = [*text.split("\n"), *kept]
                wanted = wanted - _names(statement, ast.Store) | _names(statement, ast.Load)
    below = drawing.partition(kept[-1])[2] if kept and kept[-1] in drawing else drawing
    drawn = [line for line in below.split("\n") if line.strip() and not line.startswith("#")]
    return "\n".join(kept + drawn[: LINES - len(kept)])


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement gives a value, or whose inside it changes: x, x[0], x.append()."""
    if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.For, ast.With)):
        return set()
    inside = list(ast.walk(statement))
    passing = [one.target for one in inside if isinstance(one, (ast.comprehension, ast.For))]
    changed = [
        one.value
        for one in inside
        if (isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store))
        or (isinstance(one, ast.Attribute) and one.attr == "append")
    ]
    bound = _names(statement, ast.Store).union(*(_names(one, ast.Load) for one in changed))
    return bound.difference(*(_names(one, ast.Store) for one in passing))


def _computes(statement: ast.stmt) -> bool:
    """Whether a statement has a result: neither written down, nor a part of the drawing."""
    value = statement.value if isinstance(statement, ast.Assign) else statement
    inside = list(ast.walk(value))
    return not any(isinstance(one, ast.JoinedStr) for one in inside) and (
        any(isinstance(one, (ast.Call, ast.BinOp, ast.Subscript)) for one in inside)
        and not DRAWN.search(ast.unparse(value))
    )


def _names(tree: ast.AST, used: type[ast.expr_context]) -> set[str]:
    """The names that are read (ast.Load) or bound (ast.Store)."""
    return {
        one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, used)
    }


def _text(source: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source)
