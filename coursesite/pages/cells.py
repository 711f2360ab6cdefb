"""The interactive page of a chapter in its student notebook: a link, a cell that shows it, and a
way to hand it one's own tensor.

Solutions get none of this: the course site shows the page above the prose, and outputs of
executed solutions would hold it whole.
"""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import (
    LINK_ID,
    MODEL_ID,
    PACKAGE,
    PAGE_ID,
    YOURS_ID,
    below_import,
)
from autograder.course.errors import SourceError
from autograder.course.model import Chapter
from autograder.course.settings import Settings
from coursesite.facts import FACTS, Offer, model_offers, tensor_offers

PAGES = "site/interactive/pages"
# stands in a Markdown cell of a chapter; the page is offered below that cell
PAGE_MARK = "<!-- interactive page -->"


def interactive_cells(
    settings: Settings, chapter: Chapter, for_students: bool
) -> list[tuple[int, NotebookNode]]:
    """What a student notebook has of its interactive page, each cell with the index in
    ``chapter.cells`` above which it goes; nothing for a chapter without a page.
    """
    name = chapter.name
    has_page = Path(settings.root, PAGES, f"{name}.html").is_file()
    if not for_students or not has_page or not below_import(chapter):
        return []
    tensor, model = tensor_offers(settings.root).get(name), model_offers(settings.root).get(name)
    marked = (index for index, cell in enumerate(chapter.cells) if PAGE_MARK in cell.source)
    place = next(marked, 0) + 1
    made = [(place, cell) for cell in page_cells(name, settings.pages_url)]
    if tensor:
        made += [(_place(chapter, tensor), cell) for cell in yours_cells(tensor)]
    if model:
        made += [(_place(chapter, model), cell) for cell in model_cells(model)]
    return made


def page_cells(name: str, web: str) -> list[NotebookNode]:
    """A Markdown cell with both links, and the code cell that shows the page. web: where the pages
    are, ends in '/'.
    """
    text = nbformat.v4.new_markdown_cell(
        "**Play · the interactive page of this chapter:** type, turn knobs, break things; every "
        "number is computed as you look. "
        f"[open the file](../../{PAGES}/{name}.html) · [on the web]({web}{name}.html) · or run "
        "the next cell to have it here."
    )
    text.id = LINK_ID
    code = nbformat.v4.new_code_cell(f'{PACKAGE}.page("{web}{name}.html")')
    code.id = PAGE_ID
    return [text, code]


def yours_cells(offer: Offer) -> list[NotebookNode]:
    """What offers a student to hand over a tensor."""
    return _offered(
        YOURS_ID,
        offer,
        "**Your own tensor.** `ab.show_my_attention` draws any attention weights, `(seq, seq)` or "
        "`(heads, seq, seq)`, to walk through cell by "
        "cell. Put weights of your own in place of these.",
    )


def model_cells(offer: Offer) -> list[NotebookNode]:
    """What offers a student to watch the model that the chapter has trained."""
    return _offered(
        MODEL_ID,
        offer,
        "**Watch your own model.** `ab.show_my_model` draws the GPT that you have just trained "
        "while it reads: every head's arcs, what it would say after each layer, and a switch for "
        "each head. Type another story, and see whether its answer hangs on one head.",
    )


def _offered(cell_id: str, offer: Offer, words: str) -> list[NotebookNode]:
    text, code = nbformat.v4.new_markdown_cell(words), nbformat.v4.new_code_cell(offer.call.strip())
    text.id, code.id = f"{cell_id}-text", cell_id
    code.metadata["tags"] = ["uses-exercise"]
    return [text, code]


def _place(chapter: Chapter, offer: Offer) -> int:
    """Index of the one Markdown cell that holds the line above which a chapter's offer stands."""
    fits = [
        index
        for index, cell in enumerate(chapter.cells)
        if cell.kind == "markdown"
        and any(line.startswith(offer.above) for line in cell.source.splitlines())
    ]
    if len(fits) != 1:
        raise SourceError(
            f"{chapter.name}: expected one line of Markdown that begins with {offer.above!r}, "
            f"found {len(fits)}; mend its offer in {FACTS}."
        )
    return fits[0]
