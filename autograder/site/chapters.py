"""What the site says about a chapter beside its text: minutes, exercises, difficulty, what it needs, its question."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.course.chapter import chapter_paths, read_chapter
from autograder.course.errors import SourceError
from autograder.narration.script import Segment, segments

UNDER_TITLE = re.compile(
    r"^\*(?P<minutes>\d+) minutes · (?:[●○]+ · )?(?P<work>\d+ exercises?, \d+ points?) · (?P<needs>[^*\n]+)\*$",
    re.MULTILINE,
)
QUESTION = re.compile(r"\*\*(?P<text>[^*]+\?)\*\*")
HARDEST = 5


@dataclass(frozen=True)
class Facts:
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
    def listening_minutes(self):
        return round(sum(segment.seconds for segment in self.spoken) / 60)


def facts_of_all(root):
    """The Facts of every chapter, in order. Raises SourceError for a difficulty that is none."""
    tables = read_tables(root)
    return [facts(root, read_chapter(path), tables) for path in chapter_paths(root)]


def read_tables(root):
    """{"difficulty": {chapter name: 1 to HARDEST}, "question": {chapter name: text}} from site/chapters.toml; {} where there is no such file."""
    path = Path(root, "site", "chapters.toml")
    if not path.exists():
        return {}
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, value in tables.get("difficulty", {}).items():
        if value not in range(1, HARDEST + 1):
            raise SourceError(
                f"{path}: difficulty of {name}: expected 1 to {HARDEST}, got {value!r}. Mend the table."
            )
    return tables


def facts(root, chapter, tables):
    """The Facts of one chapter, from its source, its narration and the tables of site/chapters.toml."""
    opening, questions = chapter.cells[0].source, tables.get("question", {})
    about, asked = UNDER_TITLE.search(opening), QUESTION.search(opening)
    number, _, title = chapter.title.partition(" · ")
    return Facts(
        chapter.name,
        number,
        title or number,
        int(about["minutes"]) if about else 0,
        len(chapter.exercises),
        chapter.points,
        about["needs"].removeprefix("you need ") if about else "",
        questions.get(chapter.name) or (" ".join(asked["text"].split()) if asked else ""),
        tables.get("difficulty", {}).get(chapter.name, 0),
        Path(root, "site", "interactive", "pages", f"{chapter.name}.html").is_file(),
        tuple(
            one
            for one in segments(root, chapter.name)
            if one.seconds and Path(root, one.audio).is_file()
        ),
    )
