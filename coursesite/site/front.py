"""The front page's model and parts of the course, and the list of interactive pages."""

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.errors import SourceError
from coursesite.pages import interactive_folder
from coursesite.pages.build import ABOUT, is_tool
from coursesite.site.chapters import ChapterFacts
from coursesite.site.player import stage

FIRST = "my_model"


@dataclass(frozen=True)
class Part:
    """Chapters that belong together. page: the interactive page whose picture stands for them."""

    name: str
    says: str
    page: str
    chapters: tuple[int, ...]


PARTS = (
    Part(
        "Attention",
        "You program the layer in which each word looks at the others: scores and weights, queries "
        "and keys, masks, several heads, positions.",
        "ch03_masks",
        (1, 2, 3, 4, 5),
    ),
    Part(
        "The model",
        "You build a block around the layer, and from blocks a translator and a GPT.",
        *("ch07_encoder_decoder", (6, 7, 8)),
    ),
    Part(
        "Looking inside",
        "You train the GPT, find the head that an answer needs, and switch it off: the model no "
        "longer knows who was thirsty.",
        "who",
        (9, 12),
    ),
    Part(
        "Fast and real",
        "You make attention fast, build a decoder of today, run a published model in your own "
        "code, and write the kernel that a GPU runs.",
        "ch14_real_model",
        (10, 11, 13, 14, 15),
    ),
)


def hero() -> str:
    """The page on which one types a text and watches a whole model read it."""
    return f'<div class="playground front">{stage(FIRST, "Type a text", "A GPT that reads")}</div>'


def parts(everyone: Sequence[ChapterFacts]) -> str:
    """Each part of the course: a picture, what one builds in it, its chapters."""
    rows = {int(facts.number): _row(facts) for facts in everyone}
    told = {number for part in PARTS for number in part.chapters}
    if unknown := sorted(rows.keys() - told):
        raise SourceError(f"chapter {unknown[0]}: expected in a part of coursesite/site/front.py.")
    made = "".join(
        f'<section class="part"><a href="interactive/{part.page}.html">'
        f'<img src="interactive/stills/{part.page}.png" loading="lazy" width="720" height="450" '
        f'alt="Interactive page: {part.name}"></a><div>'
        f"<h3>{part.name}</h3><p>{part.says}</p>"
        f'<ol class="chapters">{"".join(rows.get(number, "") for number in part.chapters)}</ol>'
        "</div></section>"
        for part in PARTS
        if any(number in rows for number in part.chapters)
    )
    return f'<div class="parts">{made}</div>'


def _row(facts: ChapterFacts) -> str:
    right = {number: [one.place for one in asked] for number, asked in facts.asked.items()}
    held = (
        f'<span class="held" data-chapter="{facts.name}" data-exercises="{facts.exercises}" '
        f'data-right="{html.escape(json.dumps(right))}" hidden></span>'
    )
    minutes = f" <span>{facts.minutes} minutes</span>" if facts.minutes else ""
    return (
        f'<li><a href="{facts.name}.html"><span class="number">{facts.number}</span> '
        f'<span class="name">{html.escape(facts.title, quote=False)}</span></a>'
        f"{minutes} {held}</li>"
    )


def page_list(root: Path, everyone: Sequence[ChapterFacts]) -> str:
    """Every interactive page with its picture and its sentence; those of no chapter come first."""
    numbers = {facts.name: f"Chapter {facts.number}" for facts in everyone}
    items = sorted(_pages(root), key=lambda one: (one[0] in numbers, one[0] != FIRST, one[0]))
    rows = "".join(
        f'<li><a href="interactive/{name}.html">'
        f'<img src="interactive/stills/{name}.png" alt="The page as it opens: {title}"'
        ' width="720" height="450" loading="lazy">'
        f"<b>{title}</b><span>{deck}</span>"
        f'<span class="from">{numbers.get(name, "")}</span></a></li>'
        for name, title, deck in items
    )
    return f'<ul class="cards pages">{rows}</ul>'


def _pages(root: Path) -> Iterator[tuple[str, str, str]]:
    """(name, title, deck) of the interactive pages; what draws a reader's own tensor is none."""
    for script in sorted((interactive_folder(root) / "chapters").glob("*.js")):
        text = script.read_text(encoding="utf-8")
        if (about := ABOUT.search(text)) and not is_tool(text):
            yield script.stem, about[1], about[2]


def counts(root: Path, everyone: Sequence[ChapterFacts]) -> str:
    """What the course holds, as words: chapters, exercises, points, pieces of narration,
    interactive pages.
    """
    numbers = [
        (len(everyone), "chapters"),
        (sum(one.exercises for one in everyone), "graded exercises"),
        (sum(len(one.spoken) for one in everyone), "pieces of narration"),
        (sum(1 for _ in _pages(root)), "interactive pages"),
    ]
    return (
        '<ul class="counts">'
        + "".join(f"<li><b>{number}</b> {name}</li>" for number, name in numbers if number)
        + "</ul>"
    )
