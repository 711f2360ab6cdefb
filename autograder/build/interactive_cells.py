"""The interactive page of a chapter in its student notebook: a link, a cell that shows it, and a
way to hand it one's own tensor.

Solutions get none of this: the course site shows the page above the prose, and outputs of
executed solutions would hold it whole.
"""

import re
from importlib.resources import files
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import LINK_ID, PAGE_ID, YOURS_ID
from autograder.course.errors import SourceError
from autograder.course.facts import FACTS, TensorOffer, tensor_offers
from autograder.course.settings import Settings

ADDED_CODE = (PAGE_ID, YOURS_ID)
PAGES = "site/interactive/pages"
HERE = "<!-- interactive page -->"  # in a Markdown cell of a chapter: the page is offered below it
OPENING = re.compile(r'^(?:interactive_page|PAGES_ON_THE_WEB = )\(?"[\w./:-]*"\)?$')


def add_interactive(settings: Settings, name: str, notebook: NotebookNode) -> None:
    """Put the cells of the interactive page into a student notebook, in place; a chapter without a
    page stays as it is.
    """
    if not Path(settings.root, PAGES, f"{name}.html").is_file():
        return
    offer = tensor_offers(settings.root).get(name)
    if offer:
        place = _place(notebook.cells, name, offer)
        notebook.cells[place:place] = yours_cells(offer)
    marked = (number for number, cell in enumerate(notebook.cells, 1) if HERE in cell.source)
    place = next(marked, 1)
    notebook.cells[place:place] = page_cells(name, settings.pages_url)


def page_cells(name: str, web: str) -> list[NotebookNode]:
    """A Markdown cell with both links, and the code cell that shows the page where its file came
    along. web: where the pages are, ends in '/'.
    """
    text = nbformat.v4.new_markdown_cell(
        "**Play · the interactive page of this chapter:** type, turn knobs, break things; every "
        "number is computed as you look. "
        f"[open the file](../../{PAGES}/{name}.html) · [on the web]({web}{name}.html) · or run "
        "the next cell to have it here."
    )
    text.id = LINK_ID
    code = nbformat.v4.new_code_cell(cell_template().replace("@web@", web).replace("@name@", name))
    code.id = PAGE_ID
    code.metadata["jupyter"] = {"source_hidden": True}
    code.metadata["cellView"] = "form"  # folded on Colab, which shows the title
    return [text, code]


def yours_cells(offer: TensorOffer) -> list[NotebookNode]:
    """What offers a student to hand over a tensor."""
    text = nbformat.v4.new_markdown_cell(
        "**Your own tensor.** `show_my_attention` draws any attention weights, `(seq, seq)` or "
        "`(heads, seq, seq)`, to walk through cell by "
        "cell. These come from your own code; put others in their place."
    )
    text.id = f"{YOURS_ID}-text"
    code = nbformat.v4.new_code_cell(offer.call)
    code.id = YOURS_ID
    code.metadata["tags"] = ["uses-exercise"]
    return [text, code]


def cell_template() -> str:
    """The code cell that shows the page, with @web@ and @name@ to be filled in."""
    path = files("autograder.build").joinpath("interactive_cell.py.txt")
    return path.read_text(encoding="utf-8").rstrip("\n")


def known_lines(root: Path, source: str) -> set[str]:
    """The lines of a code cell's source that stand there as a release puts them: for the search for
    leaks.
    """
    fixed = {line.strip() for line in cell_template().split("\n")}
    fixed |= {offer.call for offer in tensor_offers(root).values()}
    lines = {line.strip() for line in source.split("\n")}
    return {line for line in lines if line in fixed or OPENING.match(line)}


def _place(cells, name, offer):
    """Index of the one Markdown cell that holds the line above which a chapter's offer stands."""
    fits = [
        index
        for index, cell in enumerate(cells)
        if cell.cell_type == "markdown"
        and any(line.startswith(offer.above) for line in cell.source.splitlines())
    ]
    if len(fits) != 1:
        raise SourceError(
            f"{name}: expected one line of Markdown that begins with {offer.above!r}, found "
            f"{len(fits)}; mend [your_tensor] in {FACTS}."
        )
    return fits[0]
