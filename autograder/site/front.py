"""The front page's picture, and its list of chapters: made from the course's own numbers when the site is built."""

import html
import math

from autograder.site.player import dots

WORDS = "Your journey starts with one step".split()
EMBEDDINGS = (
    (0.43, 0.15, 0.89),
    (0.55, 0.87, 0.66),
    (0.57, 0.85, 0.64),
    (0.22, 0.58, 0.33),
    (0.77, 0.25, 0.10),
    (0.05, 0.80, 0.55),
)
CHOSEN = 1  # the query that is shown first: "journey"
COLUMN, HEIGHT = 100, 190  # of the drawing, in its own units


def attention_weights(x=EMBEDDINGS):
    """Chapter 1 in plain Python: the softmax of every token's dot products with every token, a list of rows."""
    rows = []
    for query in x:
        scores = [sum(a * b for a, b in zip(query, key)) for key in x]
        powers = [math.exp(score - max(scores)) for score in scores]
        rows.append([power / sum(powers) for power in powers])
    return rows


def arcs():
    """The running sentence with the weights of one query drawn as arcs; the words choose the query. No script."""
    weights, width = attention_weights(), COLUMN * len(WORDS)
    words = "".join(
        f'<label><input type="radio" name="query" value="{i}"{" checked" * (i == CHOSEN)}><b>{word}</b>'
        + "".join(
            f'<span class="weight from-{query}" aria-hidden="true">{weights[query][i]:.2f}</span>'
            for query in range(len(WORDS))
        )
        + "</label>"
        for i, word in enumerate(WORDS)
    )
    drawn = "".join(
        f'<g class="from-{query}">{"".join(_arc(query, key, weight) for key, weight in enumerate(row))}</g>'
        for query, row in enumerate(weights)
    )
    said = "".join(
        f'<p class="from-{query}">Attention from <em>{WORDS[query]}</em>: {", ".join(f"{word} {weight:.2f}" for word, weight in zip(WORDS, row))}.</p>'
        for query, row in enumerate(weights)
    )
    return (
        f'<div class="arcs"><svg viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false">{drawn}</svg>'
        f'<fieldset><legend class="unseen">Whose attention is drawn?</legend>{words}</fieldset>'
        f'<div class="unseen" aria-live="polite">{said}</div></div>'
    )


def _arc(query, key, weight):
    """One weight as a line from the query to the key: the larger the weight, the broader and darker."""
    start, end = (COLUMN * (place + 0.5) for place in (query, key))
    width, opacity = 2 + 60 * max(0, weight - 0.08), min(1, 0.1 + 3.4 * weight)
    if query == key:
        return f'<path stroke-width="{2.2 * width:.1f}" stroke-opacity="{opacity:.2f}" stroke-linecap="round" d="M{start:g} {HEIGHT - 14}h.01"/>'
    rise = HEIGHT - 230 * (abs(query - key) / 5) ** 0.75
    return f'<path stroke-width="{width:.1f}" stroke-opacity="{opacity:.2f}" d="M{start:g} {HEIGHT - 14}C{start:g} {rise:.1f} {end:g} {rise:.1f} {end:g} {HEIGHT}"/>'


def chapter_list(facts_of_all):
    """The chapters as a list: number, title, question, and what they ask of the reader."""
    return f'<ol class="chapters">{"".join(_row(facts) for facts in facts_of_all)}</ol>'


def _row(facts):
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
        f'<li><a href="{facts.name}.html"><span class="number" aria-hidden="true">{facts.number}</span><span class="what">'
        f'<span class="name">{html.escape(facts.title, quote=False)}</span>{question}<span class="about">{small}</span></span></a></li>'
    )


def counts(facts_of_all):
    """What the course holds, as words: chapters, exercises, points, pieces of narration, interactive pages."""
    numbers = [
        (len(facts_of_all), "chapters"),
        (sum(one.exercises for one in facts_of_all), "graded exercises"),
        (sum(len(one.spoken) for one in facts_of_all), "pieces of narration"),
        (sum(one.interactive for one in facts_of_all), "interactive pages"),
    ]
    return (
        '<ul class="counts">'
        + "".join(f"<li><b>{number}</b> {name}</li>" for number, name in numbers if number)
        + "</ul>"
    )
