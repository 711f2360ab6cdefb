"""HTML that the site adds to a chapter: its head, the frame of the interactive page, and the
players of the narration.

All of it works without a script (native players, plain links); ``course.js`` and ``playground.js``
in ``site/_static`` make it richer.
"""

import html
import re
from collections.abc import Mapping

from coursesite.narration.script import Segment
from coursesite.site.chapters import HARDEST, ChapterFacts

KIND_WORDS = {
    "introduction": "introduction",
    "motivation": "why it matters",
    "intuition": "the intuition",
    "mathematics": "the mathematics",
    "code": "the code",
    "picture": "what to look for",
    "exercise": "before you start",
    "transition": "what comes next",
    "reflection": "looking back",
    "closing": "the end of the chapter",
}
NUMBERS = re.compile(r"\d+")


def dots(difficulty: int) -> str:
    """A difficulty as five dots, read aloud as "3 of 5"; "" where it is not known."""
    if not difficulty:
        return ""
    row = "".join(
        f'<i class="{"on" if place < difficulty else "off"}"></i>' for place in range(HARDEST)
    )
    return f'<span class="dots" role="img" aria-label="{difficulty} of {HARDEST}">{row}</span>'


def head(facts: ChapterFacts, by_number: Mapping[str, ChapterFacts], colab_url: str) -> str:
    """The lines under a chapter's question: minutes, exercises, difficulty, what it needs, and the
    doors to the notebook, to the interactive page below and to the first piece of narration.
    """

    def link(match: re.Match) -> str:
        other = by_number.get(match[0])
        return f'<a href="{other.name}.html">{match[0]}</a>' if other else match[0]

    needs = NUMBERS.sub(link, html.escape(facts.needs, quote=False))
    about = [
        f"{facts.minutes} minutes" if facts.minutes else "",
        f"{facts.exercises} exercises, {facts.points:g} points",
        dots(facts.difficulty),
        f"you need {needs}" if needs else "",
    ]
    said = "".join(f"<span>{one}</span>" for one in about if one)
    notebook = f"notebooks/{facts.name}/{facts.name}.ipynb"
    doors = [
        f'<a class="door first" href="{html.escape(colab_url)}">Open in Colab</a>',
        f'<a class="door" href="{notebook}" download>Download</a>',
    ]
    if facts.interactive:
        doors.append('<a class="door" href="#playground">Play</a>')
    if facts.spoken:
        doors.append(
            '<button class="door pst-js-only" type="button" data-listen>'
            f"Listen, {facts.listening_minutes} min</button>"
        )
    return (
        f'<div class="chapter-head"><p class="chapter-facts">{said}</p>'
        f'<p class="doors">{"".join(doors)}</p></div>'
    )


def playground(facts: ChapterFacts) -> str:
    """The interactive page in its frame; "" where a chapter has none."""
    if not facts.interactive:
        return ""
    title = f"Interactive page of chapter {facts.number}: {html.escape(facts.title)}"
    return (
        f'<div class="playground" id="playground">{stage(facts.name, "Play with it", title)}</div>'
    )


def stage(page: str, name: str, title: str) -> str:
    """The frame of an interactive page with its bar, a link that skips it, and the picture that
    stands in its place without a script. name: what the bar says; title: what the frame holds.
    """
    after, address = f"after-{page}", f"interactive/{page}.html"
    return (
        f'<div class="stage"><a class="skip" href="#{after}">Skip the interactive page</a>'
        f'<div class="stage-bar"><span class="stage-name">{name}</span>'
        f'<a href="{address}">On its own page</a></div>'
        f'<iframe src="{address}" title="{title}"></iframe>'
        f'<noscript><img src="interactive/stills/{page}.png" alt="A still picture. {title}">'
        "<p>A still picture: the page computes what it shows, and needs JavaScript.</p>"
        f'</noscript></div><span id="{after}" tabindex="-1"></span>'
    )


def player(facts: ChapterFacts, segment: Segment) -> str:
    """One piece of narration: a native player, and its words with the second at which each sentence
    begins.
    """
    starts, paragraphs = list(segment.starts), []
    timed = len(starts) == sum(map(len, segment.sentences))
    for paragraph in segment.sentences:
        spans = [
            (
                f'<span data-start="{starts.pop(0):g}">{html.escape(sentence, quote=False)}</span>'
                if timed
                else html.escape(sentence, quote=False)
            )
            for sentence in paragraph
        ]
        paragraphs.append(f"<p>{' '.join(spans)}</p>")
    title = html.escape(segment.title)
    cue = f' data-cue="{html.escape(segment.cue)}"' if segment.cue and facts.interactive else ""
    return (
        f'<section class="listen" id="listen-{segment.id}" aria-label="Narration: {title}" '
        f'data-seconds="{segment.seconds:g}"{cue}>'
        '<div class="listen-bar"><p class="listen-title">'
        f'<span class="listen-kind">Listen · {KIND_WORDS[segment.kind]}</span> <b>{title}</b> '
        f'<span class="listen-clock">{segment.clock}</span></p>'
        f'<audio controls preload="none" src="{segment.audio}"></audio></div>'
        '<details class="transcript"><summary>Transcript</summary>'
        f'<div class="spoken">{"".join(paragraphs)}</div></details></section>'
    )
