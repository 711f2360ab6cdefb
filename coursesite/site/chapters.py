"""What the site says about a chapter beside its text: minutes, exercises, difficulty, what it
needs, its question.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docutils.nodes import make_id

from autograder.course.chapter import chosen_chapters
from autograder.course.model import Chapter
from coursesite.facts import questions
from coursesite.narration.script import Segment, segments
from coursesite.pages import interactive_folder
from coursesite.site.questions import Question, read_questions

QUESTION = re.compile(r"\*\*(?P<text>[^*]+\?)\*\*")
PAGE_TITLE = re.compile(r'^  title: "([^"]+)"', re.MULTILINE)
HARDEST = 5


@dataclass(frozen=True)
class ChapterFacts:
    """One chapter as the front page and the head of its own page show it."""

    name: str  # "ch03_masks"
    number: str  # "3"
    title: str  # "Hiding the future"
    minutes: int  # 0: the source does not say
    exercises: int
    points: float
    needs: str  # "chapters 1 and 2", as the source says it
    question: str  # what the reader wants answered; "" where the first cell asks nothing
    difficulty: int  # 1 to HARDEST; 0: the source does not say
    beside: tuple[tuple[str, str], ...]  # (address, title) of pages that go with it
    interactive: bool  # whether there is an interactive page
    spoken: tuple[Segment, ...]  # what the narration says, in order
    asked: Mapping[str, tuple[Question, ...]] = field(default_factory=dict)  # at a section's end

    @property
    def listening_minutes(self) -> int:
        return round(sum(segment.seconds for segment in self.spoken) / 60)


def facts_of_all(root: Path) -> list[ChapterFacts]:
    """The facts of every chapter, in order."""
    asked = questions(root)
    return [
        facts_of(root, chapter, asked.get(chapter.name, "")) for chapter in chosen_chapters(root)
    ]


def beside(root: Path, chapter: Chapter) -> Iterator[tuple[str, str]]:
    """The interactive pages that show this chapter's model, and its part of the gallery."""
    for script in sorted((interactive_folder(root) / "chapters").glob("*.js")):
        text = script.read_text(encoding="utf-8")
        if f'  data: "{chapter.name}",' in text and (title := PAGE_TITLE.search(text)):
            yield f"interactive/{script.stem}.html", title[1]
    path = root / "site" / "gallery.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["entry"] if path.is_file() else []
    if count := sum(entry["chapter"] == chapter.name for entry in entries):
        mistakes = "a mistake" if count == 1 else f"{count} mistakes"
        yield f"gallery.html#{make_id(chapter.title)}", f"What is wrong here? ({mistakes} to find)"


def facts_of(root: Path, chapter: Chapter, question: str = "") -> ChapterFacts:
    """The facts of one chapter, from its source and its narration. question: in place of the one in
    bold in its opening.
    """
    asked = QUESTION.search(chapter.cells[0].source)
    in_bold = " ".join(asked["text"].split()) if asked else ""
    number, _, title = chapter.title.partition(" · ")
    return ChapterFacts(
        name=chapter.name,
        number=number,
        title=title or number,
        minutes=int(chapter.facts.get("minutes", 0)),
        exercises=len(chapter.exercises),
        points=chapter.points,
        needs=chapter.facts.get("needs", "").removeprefix("you need "),
        question=question or in_bold,
        difficulty=chapter.facts.get("dots", "").count("●"),
        beside=tuple(beside(root, chapter)),
        interactive=(interactive_folder(root) / "pages" / f"{chapter.name}.html").is_file(),
        spoken=tuple(
            segment
            for segment in segments(root, chapter.name)
            if segment.seconds and Path(root, segment.audio).is_file()
        ),
        asked=read_questions(root, chapter),
    )
