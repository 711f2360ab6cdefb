"""The table of chapters in README.md, made from the sources: chapter, Open in Colab, minutes, exercises."""

import re

BEGIN, END = "<!-- chapters: made by `make release` -->", "<!-- end of chapters -->"
UNDER_TITLE = re.compile(r"\*(?P<minutes>\d+) minutes · (?P<exercises>\d+) exercises, (?P<points>\d+) points")
BADGE = "https://colab.research.google.com/assets/colab-badge.svg"


def with_table(text, chapters, settings):
    """README text with the table between its two comment lines made anew."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    return f"{before}{begin}\n{table(chapters, settings)}\n{end}{after}" if begin and end else text


def table(chapters, settings):
    rows = ["| chapter | open | minutes | exercises | points |", "| --- | --- | --- | --- | --- |"]
    for chapter in chapters:
        about = UNDER_TITLE.search("\n".join(cell.source for cell in chapter.cells[:3]))
        minutes = about["minutes"] if about else ""
        rows.append(f"| [{chapter.title}](notebooks/{chapter.name}/{chapter.name}.ipynb) | [![Open in Colab]({BADGE})]({settings.colab_url(chapter.name)}) "
                    f"| {minutes} | {len(chapter.exercises)} | {chapter.points:g} |")
    return "\n".join(rows)
