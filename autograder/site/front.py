"""The front page's picture, and its list of chapters: made from the course's own numbers when the
site is built.
"""

import html
import math
from collections.abc import Sequence

from autograder.pages.running_example import RunningExample
from autograder.site.chapters import ChapterFacts
from autograder.site.player import dots

CHOSEN = 1  # the query that is shown first: "journey"
COLUMN, HEIGHT = 100, 190  # of the drawing, in its own units


def attention_weights(x: Sequence[Sequence[float]]) -> list[list[float]]:
    """Chapter 1 in plain Python: the softmax of every token's dot products with every token, a list
    of rows.
    """
    rows = []
    for query in x:
        scores = [sum(map(math.prod, zip(query, key, strict=True))) for key in x]
        powers = [math.exp(score - max(scores)) for score in scores]
        rows.append([power / sum(powers) for power in powers])
    return rows


def arcs(example: RunningExample) -> str:
    """A sentence with the weights of one query drawn as arcs; the words choose the query. HTML
    without a script.
    """
    weights, width = attention_weights(example.vectors), COLUMN * len(example.words)
    queries = range(len(example.words))
    words = "".join(_choice(i, word, weights) for i, word in enumerate(example.words))
    drawn, said = "", ""
    for query, row in zip(queries, weights, strict=True):
        lines = "".join(_arc(query, key, weight) for key, weight in enumerate(row))
        drawn += f'<g class="from-{query}">{lines}</g>'
        shares = (f"{word} {weight:.2f}" for word, weight in zip(example.words, row, strict=True))
        said += (
            f'<p class="from-{query}">Attention from <em>{example.words[query]}</em>: '
            f"{', '.join(shares)}.</p>"
        )
    return (
        f'<div class="arcs"><svg viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true" focusable="false">{drawn}</svg>'
        f'<fieldset><legend class="unseen">Whose attention is drawn?</legend>{words}</fieldset>'
        f'<div class="unseen" aria-live="polite">{said}</div></div>'
    )


def _choice(place: int, word: str, weights: list[list[float]]) -> str:
    """A word to choose as the query, with the weight that each query gives it."""
    checked = " checked" if place == CHOSEN else ""
    shares = "".join(
        f'<span class="weight from-{query}" aria-hidden="true">{row[place]:.2f}</span>'
        for query, row in enumerate(weights)
    )
    return (
        f'<label><input type="radio" name="query" value="{place}"{checked}><b>{word}</b>'
        f"{shares}</label>"
    )


def _arc(query: int, key: int, weight: float) -> str:
    """One weight as a line from the query to the key: the larger the weight, the broader and
    darker.
    """
    start, end = (COLUMN * (place + 0.5) for place in (query, key))
    width, opacity = 2 + 60 * max(0, weight - 0.08), min(1, 0.1 + 3.4 * weight)
    begin = f"M{start:g} {HEIGHT - 14}"
    if query == key:
        return (
            f'<path stroke-width="{2.2 * width:.1f}" stroke-opacity="{opacity:.2f}" '
            f'stroke-linecap="round" d="{begin}h.01"/>'
        )
    rise = HEIGHT - 230 * (abs(query - key) / 5) ** 0.75
    curve = f"{begin}C{start:g} {rise:.1f} {end:g} {rise:.1f} {end:g} {HEIGHT}"
    return f'<path stroke-width="{width:.1f}" stroke-opacity="{opacity:.2f}" d="{curve}"/>'


def chapter_list(everyone: Sequence[ChapterFacts]) -> str:
    """The chapters as a list: number, title, question, and what they ask of the reader."""
    return f'<ol class="chapters">{"".join(_row(facts) for facts in everyone)}</ol>'


def _row(facts: ChapterFacts) -> str:
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
    return (
        f'<li><a href="{facts.name}.html">'
        f'<span class="number" aria-hidden="true">{facts.number}</span><span class="what">'
        f'<span class="name">{html.escape(facts.title, quote=False)}</span>{question}'
        f'<span class="about">{small}</span></span></a></li>'
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
