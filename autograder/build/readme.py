"""The table of chapters in README.md, made from the sources: chapter, Open in Colab, minutes,
exercises.
"""

from collections.abc import Sequence

from autograder.course.model import Chapter
from autograder.course.settings import Settings

BEGIN, END = "<!-- chapters: made by `make release` -->", "<!-- end of chapters -->"
QUALITY_BEGIN, QUALITY_END = "<!-- quality: made by `make quality` -->", "<!-- end of quality -->"
BADGE = "https://colab.research.google.com/assets/colab-badge.svg"


def with_table(text: str, chapters: Sequence[Chapter], settings: Settings) -> str:
    """README text with the table of chapters made anew."""
    return _between(text, BEGIN, END, table(chapters, settings))


def with_quality(text: str, counts: str) -> str:
    """README text with the table of what the bank of answers showed."""
    said = f"The bank of right and wrong answers, graded with the real engine:\n\n{counts}"
    return _between(text, QUALITY_BEGIN, QUALITY_END, said)


def _between(text: str, begin: str, end: str, new: str) -> str:
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    return f"{before}{begin}\n{new}\n{end}{after}" if found and closed else text


def badge(url: str) -> str:
    """The badge that opens a notebook in Colab, as Markdown."""
    return f"[![Open in Colab]({BADGE})]({url})"


def table(chapters: Sequence[Chapter], settings: Settings) -> str:
    """The table of chapters as Markdown."""
    rows = ["| chapter | open | minutes | exercises | points |", "| --- | --- | --- | --- | --- |"]
    for chapter in chapters:
        minutes = chapter.facts.get("minutes", "")
        rows.append(
            f"| [{chapter.title}](notebooks/{chapter.name}/{chapter.name}.ipynb) "
            f"| {badge(settings.colab_url(chapter.name))} "
            f"| {minutes} | {len(chapter.exercises)} | {chapter.points:g} |"
        )
    return "\n".join(rows)
