"""The table of chapters in README.md, made from the sources: chapter, Open in Colab, minutes, exercises."""

import re

BEGIN, END = "<!-- chapters: made by `make release` -->", "<!-- end of chapters -->"
QUALITY_BEGIN, QUALITY_END = "<!-- quality: made by `make quality` -->", "<!-- end of quality -->"
UNDER_TITLE = re.compile(
    r"\*(?P<minutes>\d+) minutes · (?:[●○]+ · )?(?P<exercises>\d+) exercises, (?P<points>\d+) points"
)
BADGE = "https://colab.research.google.com/assets/colab-badge.svg"


def with_table(text, chapters, settings):
    """README text with the table of chapters made anew."""
    return _between(text, BEGIN, END, table(chapters, settings))


def with_quality(text, counts):
    """README text with the table of what the bank of answers showed."""
    return _between(
        text,
        QUALITY_BEGIN,
        QUALITY_END,
        f"The bank of right and wrong answers, graded with the real engine:\n\n{counts}",
    )


def _between(text, begin, end, new):
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    return f"{before}{begin}\n{new}\n{end}{after}" if found and closed else text


def table(chapters, settings):
    rows = ["| chapter | open | minutes | exercises | points |", "| --- | --- | --- | --- | --- |"]
    for chapter in chapters:
        about = UNDER_TITLE.search("\n".join(cell.source for cell in chapter.cells[:3]))
        minutes = about["minutes"] if about else ""
        rows.append(
            f"| [{chapter.title}](notebooks/{chapter.name}/{chapter.name}.ipynb) | [![Open in Colab]({BADGE})]({settings.colab_url(chapter.name)}) "
            f"| {minutes} | {len(chapter.exercises)} | {chapter.points:g} |"
        )
    return "\n".join(rows)
