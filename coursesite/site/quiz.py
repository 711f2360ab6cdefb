"""The quick questions as the site shows them at a section's end: Markdown, so that formulas are set
as everywhere on the page.

It is plain without JavaScript: question, choices, and a fold with the reasons. ``progress.js``
makes radio buttons of it.
"""

import html
import re
from collections.abc import Mapping, Sequence

from coursesite.site.questions import Question

LETTERS = "ABCD"
AS_IT_STANDS = re.compile(r"(`[^`]*`|\$[^$]*\$)")  # code and formulas


def quiz(
    chapter: str, number: str, asked: Mapping[str, Sequence[Question]]
) -> list[str]:  # of cells
    """The Markdown of a section's questions; empty where the section has none.

    chapter: "ch02_single_head"; number: "2.1"; asked: the questions of all sections.
    """
    questions = asked.get(number, ())
    if not questions:
        return []
    label = f"Questions about section {number}"
    return [quiz_of(chapter, number, questions, label, title="Three quick questions")]


def quiz_id(key: str) -> str:
    """The anchor of a block of questions."""
    return f"questions-{key.replace('.', '-')}"


def quiz_of(
    group: str,
    key: str,
    questions: Sequence[Question],
    label: str,
    title: str = "",
    after: str = "",
) -> str:
    """The Markdown of a block of questions, numbered where there are several.

    group, key: under which the browser keeps the answers; label: what a screen reader says of the
    block; title: a line above it; after: HTML behind the last question.
    """
    parts = [
        f'<div class="questions" id="{quiz_id(key)}" data-chapter="{group}" '
        f'data-section="{key}" role="group" aria-label="{html.escape(label)}">'
    ]
    if title:
        parts.append(f"{{.questions-title}}\n{title}")
    for place, question in enumerate(questions, 1):
        parts += _question(f"{place}\\. " if len(questions) > 1 else "", question)
    return "\n\n".join([*parts, *([after] if after else []), "</div>"])


def _question(number: str, question: Question) -> list[str]:
    kind = "Predict. " if question.predict else ""
    return [
        f'<div class="question" data-right="{question.place}">',
        f"{{.ask}}\n{number}{kind}{_plain(question.ask)}",
        _list([choice.text for choice in question.choices]),
        '<details class="fold reasons"><summary>The answer, and what is wrong with the '
        "others</summary>",
        _list(
            [
                f"**{'Right' if choice.right else 'No'}.** {choice.because}"
                for choice in question.choices
            ]
        ),
        "</details>",
        "</div>",
    ]


def _list(texts: Sequence[str]) -> str:
    """A lettered list; its letters are text, so that choice and reason are told apart anywhere."""
    rows = zip(LETTERS, texts, strict=False)
    return "\n".join(f"- ({letter}) {_plain(text)}" for letter, text in rows)


def _plain(text: str) -> str:
    """Text in which no sign begins an HTML tag, outside of code and formulas."""
    parts = AS_IT_STANDS.split(text)
    return "".join(
        part if place % 2 else part.replace("<", "\\<") for place, part in enumerate(parts)
    )
