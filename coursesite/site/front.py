"""The front page's pictures, and its list of chapters: made from the course's own numbers when the
site is built.
"""

import html
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.course.errors import SourceError
from coursesite.pages import interactive_folder
from coursesite.pages.recordings import PAGE, read_recordings, recording, still
from coursesite.site.chapters import ChapterFacts
from coursesite.site.player import dots

LINK = re.compile(r"\[(\d+\.\d+)\]\((ch\d\d_\w+)\.ipynb#[^)]*\)")
SHORT_ROAD = re.compile(r"(?<=^\| )\[\d+\.\d+\]\(ch\d\d_.*", re.MULTILINE)
WHO, BANKS = "who", "ch01_why_attention"
READ = (  # of SmolLM2's recordings: text, layer, head, what the head does
    ("again", 18, 6, "It looks at what came after the same name before."),
    (
        "again",
        16,
        0,
        "It looks one piece back, so that a later head can find what followed a piece.",
    ),
    ("rome", 23, 4, "It looks at the building, to say where that stands."),
    ("days", 23, 3, "It looks at the last day of the row."),
)


def hero(root: Path) -> str:
    """A published language model from inside: one recorded head at a time, as arcs."""
    made = read_recordings(root)
    doors, figures = [], []
    for number, (name, layer, head, does) in enumerate(READ, start=1):
        seen = recording(made, name, layer, head)
        before, after = seen.likely
        link = f"interactive/{PAGE}.html#text={name}&amp;layer={layer}&amp;head={head}"
        doors.append(
            f'<input type="radio" name="seen" id="seen-{number}"{" checked" * (number == 1)}>'
            f'<label for="seen-{number}">Layer {layer}, head {head}</label>'
        )
        figures.append(
            f'<figure id="arcs-{number}">{still(seen)}'
            f"<figcaption>{does} Next comes <b>{html.escape(seen.answer.strip())}</b>, "
            f'{before:.2f}; without this head {after:.2f}. <a href="{link}">Look inside</a>'
            "</figcaption></figure>"
        )
    inside = "".join(doors + figures)
    return f'<div class="hero" role="group" aria-label="One head at a time">{inside}</div>'


def cards(root: Path) -> str:
    """Three pictures of the chapters, as links to the state that shows them; their numbers are
    those that the pages are tested with.

    Raises SourceError where the cases that they are taken from are gone.
    """
    made = [_who(root), _believe(), _banks(root)]
    return f'<ul class="cards">{"".join(made)}</ul>'


def _who(root: Path) -> str:
    """Chapter 9: the head that an answer hangs on, switched off."""
    alone = _case(root, WHO, "alone")
    layer, head = min(
        ((n, one) for n, row in enumerate(alone["alone"]) for one in range(len(row))),
        key=lambda at: alone["alone"][at[0]][at[1]],
    )
    before, after = max(alone["before"]), alone["alone"][layer][head]
    return _card(
        f"{WHO}.html#off={layer}.{head}",
        "Who?",
        f"{before:.2f} → {after:.2f}",
        "The hen slept on the rug because it was thirsty. Switch one head off, and the model no "
        "longer knows who was thirsty. Pruning made it need this head; the chapter shows it "
        "before.",
        9,
    )


def _believe() -> str:
    """Chapter 7: an alignment that nobody gave to the model."""
    return _card(
        "ch07_encoder_decoder.html#scene=translate&text=kannst%20du%20mir%20glauben",
        "Believe me",
        "mir glauben → believe me",
        "A translator finds out by itself which word to look at, also where two change places.",
        7,
    )


def _banks(root: Path) -> str:
    """Chapter 1: one word in two sentences, before and after attention."""
    pair = _case(root, BANKS, "pair")["pair"]
    return _card(
        f"{BANKS}.html#scene=bank",
        "Two banks",
        f"{pair['before']:.2f} → {pair['after']:.2f}",
        "How alike is “bank” at a river and “bank” in an account, before attention and after? "
        f"Plain means of the sentences come to {pair['mean']:.2f}: the neighbours do it, hardly "
        "the choice.",
        1,
    )


def _card(link: str, title: str, figure: str, text: str, chapter: int) -> str:
    return (
        f'<li><a href="interactive/{html.escape(link)}"><b>{title}</b>'
        f'<span class="shown">{figure}</span><span>{text}</span>'
        f'<span class="from">Chapter {chapter}</span></a></li>'
    )


def _case(root: Path, page: str, name: str) -> dict[str, Any]:
    """The first values of a page's fixtures that hold a name."""
    path = interactive_folder(root) / "fixtures" / f"{page}.json"
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    for case in cases:
        if name in case["values"]:
            values: dict[str, Any] = case["values"]
            return values
    raise SourceError(f"{path}: expected a case with {name!r}, which the front page shows.")


def afternoon(text: str) -> dict[str, str]:
    """{chapter: its sections on the short road}, as the table of the front page has them."""
    rows = [found[0].split("|")[0] for found in SHORT_ROAD.finditer(text)]
    return {LINK.findall(row)[0][1]: LINK.sub(r"\1", row).strip() for row in rows}


def chapter_list(everyone: Sequence[ChapterFacts], short: Mapping[str, str]) -> str:
    """The chapters as a path: number, title, question, what each needs and gives, and what is done.

    short: the sections of a chapter that belong to the short road.
    """
    rows = "".join(_row(facts, short.get(facts.name, "")) for facts in everyone)
    return f'<ol class="chapters">{rows}</ol>'


def _row(facts: ChapterFacts, short: str) -> str:
    about = [
        f"{facts.minutes} min" if facts.minutes else "",
        f"{facts.exercises} exercises",
        f"{facts.points:g} points",
        f"{facts.listening_minutes} min of narration" if facts.spoken else "",
        "interactive" if facts.interactive else "",
    ]
    small = "".join(f"<span>{text}</span>" for text in about if text) + dots(facts.difficulty)
    question = (
        f'<span class="question">{html.escape(facts.question, quote=False)}</span>'
        if facts.question
        else ""
    )
    right = {number: [one.place for one in asked] for number, asked in facts.asked.items()}
    held = (
        f'<span class="held" data-chapter="{facts.name}" data-exercises="{facts.exercises}" '
        f'data-right="{html.escape(json.dumps(right))}" hidden></span>'
    )
    path = [("You need", facts.needs), ("You build", ", ".join(facts.builds))]
    path += [("Short road", f"sections {short}" if short else "")]
    steps = "".join(
        f"<span><b>{name}</b> {html.escape(value, quote=False)}</span>"
        for name, value in path
        if value
    )
    return (
        f'<li><a href="{facts.name}.html">'
        f'<span class="number" aria-hidden="true">{facts.number}</span><span class="what">'
        f'<span class="name">{html.escape(facts.title, quote=False)}</span>{question}'
        f'<span class="path">{steps}</span>'
        f'<span class="about">{small}{held}</span></span></a></li>'
    )


def counts(everyone: Sequence[ChapterFacts]) -> str:
    """What the course holds, as words: chapters, exercises, points, pieces of narration,
    interactive pages.
    """
    numbers = [
        (len(everyone), "chapters"),
        (sum(one.exercises for one in everyone), "graded exercises"),
        (sum(len(one.spoken) for one in everyone), "pieces of narration"),
        (sum(one.interactive for one in everyone), "interactive pages"),
    ]
    return (
        '<ul class="counts">'
        + "".join(f"<li><b>{number}</b> {name}</li>" for number, name in numbers if number)
        + "</ul>"
    )
