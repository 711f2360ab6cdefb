"""What the site says about a chapter beside its text: minutes, exercises, difficulty, what it
needs, its question.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SourceError
from autograder.course.model import Chapter
from autograder.narration.script import Segment, segments
from autograder.pages import interactive_folder

QUESTION = re.compile(r"\*\*(?P<text>[^*]+\?)\*\*")
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
    difficulty: int  # 1 to HARDEST; 0: not in the table
    interactive: bool  # whether there is an interactive page
    spoken: tuple[Segment, ...]  # what the narration says, in order

    @property
    def listening_minutes(self) -> int:
        return round(sum(segment.seconds for segment in self.spoken) / 60)


def facts_of_all(root: Path) -> list[ChapterFacts]:
    """The facts of every chapter, in order. Raises SourceError for a difficulty that is none."""
    tables = read_tables(root)
    return [facts_of(root, chapter, tables) for chapter in chosen_chapters(root)]


def read_tables(root: Path) -> dict[str, dict[str, Any]]:
    """What site/chapters.toml says: {"question": {chapter name: text}, "difficulty": {chapter name:
    1 to HARDEST}}.

    Empty where there is no such file.
    """
    path = Path(root, "site", "chapters.toml")
    if not path.exists():
        return {}
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, value in tables.get("difficulty", {}).items():
        if value not in range(1, HARDEST + 1):
            raise SourceError(
                f"{path}: difficulty of {name}: expected 1 to {HARDEST}, got {value!r}. "
                "Mend the table."
            )
    return tables


def facts_of(root: Path, chapter: Chapter, tables: Mapping[str, Mapping[str, Any]]) -> ChapterFacts:
    """The facts of one chapter, from its source, its narration and the tables of
    site/chapters.toml.
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
        question=tables.get("question", {}).get(chapter.name) or in_bold,
        difficulty=tables.get("difficulty", {}).get(chapter.name, 0),
        interactive=(interactive_folder(root) / "pages" / f"{chapter.name}.html").is_file(),
        spoken=tuple(
            segment
            for segment in segments(root, chapter.name)
            if segment.seconds and Path(root, segment.audio).is_file()
        ),
    )
