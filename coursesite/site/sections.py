"""What the search looks through: the sections of the built pages, each with its words, the rows of
the glossary, and the scenes of the interactive pages.

A section's text is its prose: no code, no contents, no question, no folded answer or check, and
formulas as plain text. It is written as a script, which a browser also reads from a folder without
a server.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

from autograder.course.errors import SourceError
from coursesite.pages.cues import cues_path
from coursesite.site.whole_course import NAME

Row = tuple[str, str, str, str, int]  # address, title of its page, heading, text, level of heading
EXPLAINED = "explained.toml"  # {address of a section: the terms that it explains}
GLOSSARY, WHOLE = "glossary.html", f"{NAME}.html"
LEFT_OUT = (
    ".headerlink, .highlight, .chapter-head, .playground, .listen, .exercise-facts, script, style, "
    "details.check, details.answer, details.aside, nav, .toctree-wrapper, .cell_input, audio, "
    "div.math, .doors, .cell_output, .questions"
)
BLANKS = re.compile(r"\s+")
BEFORE_SIGN = re.compile(r" ([,.;:?!)\]”])")
BLOCKS = {"p", "li", "td", "th", "tr", "div", "section", "summary", "dt", "dd", "h3", "h4", "br"}


def sections(page: str, html: str) -> list[Row]:
    """The sections of one built page, in order; a row of the glossary is a section of its own. The
    course on one page says what the chapters say: it has none.
    """
    article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
    if page == WHOLE or article is None or article.find("h1") is None:
        return []
    for formula in article.select("span.math"):
        math = formula.find("math")
        formula.replace_with(math_text(math) if math else "")
    for part in article.select(LEFT_OUT):
        part.decompose()
    title = _clean(_words(article.find("h1")))
    found: list[Row] = []
    for section in article.find_all("section"):
        heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
        if heading is None:
            continue
        name = _clean(_words(heading))
        own = [one for one in section.children if one is not heading and _name(one) != "section"]
        level = int(heading.name[1])
        address = page if level == 1 else f"{page}#{section['id']}"
        terms = section.select("tbody tr") if page == GLOSSARY and level == 2 else []
        for term in terms:
            what, *rest = (_clean(_words(cell)) for cell in term.find_all("td"))
            found.append((address, f"{title} · {name}", what, " ".join(rest), level + 1))
            term.decompose()
        text = _clean(" ".join(_words(one) for one in own))
        found.append((address, title, name, text, level))
    return found


def scenes(root: Path) -> Iterator[Row]:
    """The scenes of the interactive pages, as cues.json has their words."""
    for page, facts in json.loads(cues_path(root).read_text(encoding="utf-8")).items():
        for scene, words in facts["words"].items():
            where = f"interactive/{page}.html#scene={scene}"
            yield where, f"{facts['title']} · interactive page", words["title"], words["said"], 2


def write_sections(root: Path, site: Path) -> Path:
    """Write what a built site's search looks through where it loads it from."""
    rows = list(scenes(root)) + [
        row
        for path in sorted(site.glob("*.html"))
        if path.name != "search.html"
        for row in sections(path.name, path.read_text(encoding="utf-8"))
    ]
    text = (root / "site" / EXPLAINED).read_text(encoding="utf-8")
    terms = tomllib.loads(text)
    if unknown := terms.keys() - {row[0] for row in rows}:
        raise SourceError(f"site/{EXPLAINED}: {min(unknown)} is no section of the site.")
    found = [(*row, terms[row[0]]) if row[0] in terms else row for row in rows]
    path = site / "_static" / "search" / "sections.js"
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
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
