"""What the search looks through: the sections of the built pages, each with its words.

A section's text is its prose: no code, no contents, no folded answer or check, and formulas as
plain text. It is written as a script, which a browser also reads from a folder without a server.
"""

import json
import re
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

LEFT_OUT = (
    ".headerlink, .highlight, .chapter-head, .playground, .listen, .exercise-facts, script, style, "
    "details.check, details.answer, details.aside, nav, .toctree-wrapper, .cell_input, audio, "
    "div.math, .doors, .cell_output"
)
BLANKS = re.compile(r"\s+")
BEFORE_SIGN = re.compile(r" ([,.;:?!)\]”])")
BLOCKS = {"p", "li", "td", "th", "tr", "div", "section", "summary", "dt", "dd", "h3", "h4", "br"}


def sections(page: str, html: str) -> list[tuple[str, str, str, str]]:
    """[(address with its anchor, title of the page, heading, text)] of one built page."""
    article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
    if article is None or article.find("h1") is None:
        return []
    for formula in article.select("span.math"):
        math = formula.find("math")
        formula.replace_with(math_text(math) if math else "")
    for part in article.select(LEFT_OUT):
        part.decompose()
    title = _clean(_words(article.find("h1")))
    found = []
    for section in article.find_all("section"):
        heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
        if heading is None:
            continue
        name = _clean(_words(heading))
        own = [one for one in section.children if one is not heading and _name(one) != "section"]
        address = page if heading.name == "h1" else f"{page}#{section['id']}"
        found.append((address, title, name, _clean(" ".join(_words(one) for one in own))))
    return found


def write_sections(site: Path) -> Path:
    """Write the sections of all pages of a built site where its search loads them from."""
    rows = [
        row
        for path in sorted(site.glob("*.html"))
        if path.name != "search.html"
        for row in sections(path.name, path.read_text(encoding="utf-8"))
    ]
    path = site / "_static" / "search" / "sections.js"
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    path.write_text(f"window.courseSections = {text};\n", encoding="utf-8")
    return path


def math_text(node: Tag) -> str:
    """A formula as a line of text: "d_k", "√(d_k)", "x^2", "a/b"."""
    parts = [
        str(one) if isinstance(one, NavigableString) else math_text(one)
        for one in node.children
        if isinstance(one, (Tag, NavigableString))
    ]
    parts = [part.strip("\n\u2061") for part in parts]
    match node.name:
        case "msub" | "munder":
            return f"{parts[0]}_{parts[1]}"
        case "msup" | "mover":
            return parts[0] + (parts[1] if parts[1] in "′″" else f"^{parts[1]}")
        case "msubsup" | "munderover":
            return f"{parts[0]}_{parts[1]}^{parts[2]}"
        case "mfrac":
            return f"{parts[0]}/{parts[1]}"
        case "msqrt":
            inside = "".join(parts)
            return f"√{inside}" if len(inside) == 1 else f"√({inside})"
        case "mphantom":
            return ""
    return "".join(parts)


def _name(node: PageElement) -> str:
    return node.name if isinstance(node, Tag) else ""


def _words(node: PageElement | None) -> str:
    """The text of an element, its blocks set apart by a blank."""
    if isinstance(node, Tag):
        inside = "".join(_words(one) for one in node.children)
        return f" {inside} " if node.name in BLOCKS else inside
    return str(node) if type(node) is NavigableString else ""


def _clean(text: str) -> str:
    return BEFORE_SIGN.sub(r"\1", BLANKS.sub(" ", text)).strip()
