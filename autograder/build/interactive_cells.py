"""The interactive page of a chapter in its student notebook: a link, a cell that shows it, and a way to hand it one's own tensor.

Solutions get none of this: the course site shows the page above the prose, and outputs of executed solutions would hold it whole.
"""

import re
from pathlib import Path

import nbformat

from autograder.course.added_cells import LINK_ID, PAGE_ID, YOURS_ID
from autograder.course.errors import SourceError

PAGES = "site/interactive/pages"
HERE = "<!-- interactive page -->"  # in a Markdown cell of a chapter: the page is offered below it
ADDED_CODE = (PAGE_ID, YOURS_ID)
COLAB = re.compile(
    r"colab\.research\.google\.com/github/(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)/blob/"
)
OPENING = re.compile(r'^(?:interactive_page|PAGES_ON_THE_WEB = )\(?"[\w./:-]*"\)?$')

# Chapter: the line of Markdown above whose cell the offer stands, and what is drawn there.
YOURS = {
    "ch04_multi_head": (
        "Look at the **last row**, the verb's.",
        "show_my_attention(reader(words.to(device), order.to(device))[1][0], names)",
    ),
    "ch09_training": (
        "The frames mark where an induction head should look.",
        "show_my_attention(attention_maps(reader, ids)[1, 0], labels)",
    ),
}

CELL = r'''# @title The interactive page of this chapter; it computes everything by itself and sends nothing
PAGES_ON_THE_WEB = "@web@"

def course_page(name):
    """The text of a page that came with the course, or None where only the notebook came along (as on Colab)."""
    from pathlib import Path
    here = Path.cwd()
    for folder in (here, *here.parents[:4]):
        for part in ("site/interactive/pages", "interactive"):
            if (folder / part / f"{name}.html").is_file():
                return (folder / part / f"{name}.html").read_text(encoding="utf-8")

def in_a_frame(text, title, height):
    """Display a whole page in a frame that can reach nothing outside itself."""
    from html import escape
    from IPython.display import HTML, display
    display(HTML(f'<div><iframe sandbox="allow-scripts" title="{escape(title)}" style="width:100%;height:{height}px;border:0" srcdoc="{escape(text)}"></iframe></div>'))

def interactive_page(name, height=760):
    text = course_page(name)
    if text is None:
        print("The interactive page is on the web:", PAGES_ON_THE_WEB + name + ".html")
    else:
        in_a_frame(text, "Interactive page of this chapter", height)

def show_my_attention(weights, tokens=None, keys=None, title="Your tensor", height=640):
    """Draw attention weights, (seq, seq) or (heads, seq, seq), to walk through cell by cell. keys: names of the keys, where they are not the tokens."""
    import json
    weights = weights.detach().cpu().tolist() if hasattr(weights, "detach") else weights
    data = {"weights": weights, "tokens": tokens and [str(token) for token in tokens], "title": title}
    if keys is not None:
        data["keys"] = [str(key) for key in keys]
    text = course_page("my_attention")
    if text is None:
        print("The page that draws your tensor comes with the course's files, not with the notebook alone:", PAGES_ON_THE_WEB + "my_attention.html")
    else:
        script = "<script>globalThis.ATTENTION_DATA = " + json.dumps(data).replace("<", "\\u003c") + ";</script>\n<script>"
        in_a_frame(text.replace("<script>", script, 1), title, height)

interactive_page("@name@")'''


def add_interactive(root, name, notebook):
    """Put the cells of the interactive page into a student notebook, in place; a chapter without a page stays as it is."""
    if Path(root, PAGES, f"{name}.html").is_file():
        web = hosted_pages(notebook.cells[0].source)
        if name in YOURS:
            place = _place(notebook.cells, name)
            notebook.cells[place:place] = yours_cells(name)
        place = next(
            (number for number, cell in enumerate(notebook.cells, 1) if HERE in cell.source), 1
        )
        notebook.cells[place:place] = page_cells(name, web)


def hosted_pages(title):
    """Where the course site has the pages, by the repository of the Colab badge under a chapter's title; ends in '/'."""
    badge = COLAB.search(title)
    if not badge:
        raise SourceError(
            "expected the Colab badge in the notebook's first cell, found none; it must stand there before the links to the page are made."
        )
    owner, name = badge["owner"], badge["name"]
    home = f"https://{owner.lower()}.github.io/"
    return (
        f"{home}interactive/"
        if name.lower() == f"{owner.lower()}.github.io"
        else f"{home}{name}/interactive/"
    )


def page_cells(name, web):
    """A Markdown cell with both links, and the code cell that shows the page where its file came along."""
    text = nbformat.v4.new_markdown_cell(
        f"**Play · the interactive page of this chapter:** type, turn knobs, break things; every number is computed as you look. "
        f"[open the file](../../{PAGES}/{name}.html) · [on the web]({web}{name}.html) · or run the next cell to have it here."
    )
    text.id = LINK_ID
    code = nbformat.v4.new_code_cell(CELL.replace("@web@", web).replace("@name@", name))
    code.id = PAGE_ID
    code.metadata["jupyter"] = {"source_hidden": True}
    code.metadata["cellView"] = "form"  # folded on Colab, which shows the title
    return [text, code]


def yours_cells(name):
    """What offers a student to hand over a tensor, in a chapter of YOURS."""
    text = nbformat.v4.new_markdown_cell(
        "**Your own tensor.** `show_my_attention` draws any attention weights, `(seq, seq)` or `(heads, seq, seq)`, to walk through cell by "
        "cell. These come from your own code; put others in their place."
    )
    text.id = f"{YOURS_ID}-text"
    code = nbformat.v4.new_code_cell(YOURS[name][1])
    code.id = YOURS_ID
    code.metadata["tags"] = ["uses-exercise"]
    return [text, code]


def known_lines(source):
    """The lines of a code cell's source that stand there as a release puts them: for the search for leaks."""
    fixed = {line.strip() for line in CELL.split("\n")} | {call for _, call in YOURS.values()}
    return {
        line.strip()
        for line in source.split("\n")
        if line.strip() in fixed or OPENING.match(line.strip())
    }


def _place(cells, name):
    """Index of the one Markdown cell that holds the line above which a chapter's offer stands."""
    line = YOURS[name][0]
    fits = [
        index
        for index, cell in enumerate(cells)
        if cell.cell_type == "markdown"
        and any(one.startswith(line) for one in cell.source.splitlines())
    ]
    if len(fits) != 1:
        raise SourceError(
            f"{name}: expected one line of Markdown that begins with {line!r}, found {len(fits)}; mend YOURS in autograder/interactive.py."
        )
    return fits[0]
