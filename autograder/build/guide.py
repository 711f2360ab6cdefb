"""The page that tells a student's assistant how to help: rules written by hand, and for each
exercise its hints and the mistakes that its visible checks name.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from autograder.build.known_mistakes import table_path
from autograder.build.leaks import GUIDE
from autograder.course.bank import answers_path, wrong_answers
from autograder.course.model import Chapter, Exercise

TEMPLATE = "source/AGENTS.md"
MARK = "<!-- exercises -->"
HINT = "<summary>Hint "
MISTAKES = 10  # of an exercise; the bank begins with the commonest
NEXT_LINE = re.compile(r"""(["'])\s*\n\s*f?\1""")  # a message goes on in the next line


def guide_path(root: Path) -> Path:
    """Where students' assistants find it: beside the notebooks."""
    return Path(root, "notebooks", GUIDE)


def guide(root: Path, chapters: Sequence[Chapter]) -> bytes:
    """The page's bytes, about these chapters; empty where the course has no template for one.

    Raises SourceError for a bank that cannot be read.
    """
    template = Path(root, TEMPLATE)
    if not template.is_file():
        return b""
    lines = [line for chapter in chapters for line in _chapter(root, chapter)]
    return template.read_text(encoding="utf-8").replace(MARK, "\n".join(lines)).encode()


def _chapter(root: Path, chapter: Chapter) -> list[str]:
    lines = [f"### Chapter {chapter.title}", ""]
    for exercise in chapter.exercises:
        named = _named(root, chapter, exercise)
        hints = _hints(chapter, exercise)
        lines.append(f"- **{exercise.title}**, {hints}{f': {named}' if named else ''}.")
    return [*lines, ""]


def _hints(chapter: Chapter, exercise: Exercise) -> str:
    texts = (cell.source for cell in chapter.cells)
    count = next((text.count(HINT) for text in texts if f"### {exercise.title}" in text), 0)
    return f"{count or 'no'} hint{'s' if count != 1 else ''}"


def _named(root: Path, chapter: Chapter, exercise: Exercise) -> str:
    """The first mistakes of the bank whose phrase a released check of the exercise holds, or the
    table of known mistakes; "" for an exercise that the bank does not know yet.
    """
    if not answers_path(root, chapter.name, exercise.id).is_file():
        return ""
    shown = NEXT_LINE.sub("", "\n".join(check.released for check in exercise.checks))
    if table_path(root, chapter).is_file():
        shown += table_path(root, chapter).read_text(encoding="utf-8")
    mistakes = {
        answer.phrase: answer.name.replace("_", " ")
        for answer in reversed(wrong_answers(root, chapter.name, exercise.id))
        if answer.phrase in shown
    }
    first = list(reversed(mistakes.items()))[:MISTAKES]
    return "; ".join(f"{mistake} (“{phrase}”)" for phrase, mistake in first)
