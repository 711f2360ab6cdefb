"""Read the bank: for each exercise, right answers, and wrong ones with the mistake in words.

A file of the bank is a Python script in cells. Above each answer stands its header:

    # %% right: name
    # %% wrong: name (1) -> phrase !! phrase that must not appear !! another ?? reason
    # %% wrong: name (1, 3) => sentence !! phrase that must not appear !! another ?? reason

The phrase is what the message to the student must contain; a sentence is what the table of known
mistakes says where it sees this answer's outcome. A forbidden phrase would accuse the wrong thing.
The reason says why only hidden tests can find the mistake. In brackets: which of the exercise's
checks the mistake costs, from 1; it is the one slip for which the others do not pay.
"""

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from autograder.course.errors import SourceError
from autograder.course.model import Chapter, Exercise

HEADER = re.compile(
    r"^# %% (?P<kind>right|wrong): (?P<name>[\w.-]+)(?: \((?P<costs>\d+(?:, \d+)*)\))?"
    r"(?:\s*(?P<arrow>[-=]>)\s*(?P<about>.+?))?\s*$"
)
CELL = re.compile(r"^# %%.*", re.MULTILINE)
PARTS = re.compile(r"\s+(!!|\?\?)\s+")


@dataclass(frozen=True)
class Answer:
    """One answer to an exercise, and what the grader must say about it."""

    exercise: str  # grade_id of the solution cell
    name: str
    right: bool
    text: str  # the whole solution cell
    phrase: str = ""  # what the message about a wrong answer must contain
    forbidden: tuple[str, ...] = ()  # what it must not contain
    reason: str = ""  # why only hidden tests find a wrong answer
    told: bool = False  # whether the phrase is a sentence for the table of known mistakes
    costs: tuple[int, ...] = ()  # which checks of the exercise it costs, from 1; () where not said

    def spares(self, check: int) -> bool:
        """Whether it is a slip that does not cost a check, counted from 1."""
        return bool(self.costs) and check not in self.costs


def bank_folder(root: Path) -> Path:
    """Where the bank of a course lies: a folder for each chapter, a file for each exercise."""
    return Path(root, "bank")


def answers_path(root: Path, chapter_name: str, exercise_id: str) -> Path:
    """The file of the bank that holds the answers to one exercise."""
    return bank_folder(root) / chapter_name / f"{exercise_id.split('_', 1)[1]}.py"


def read_answers(root: Path, chapter_name: str, exercise_id: str) -> list[Answer]:
    """The answers to one exercise, in file order.

    Raises SourceError for a missing file or a line that is no header.
    """
    path = answers_path(root, chapter_name, exercise_id)
    if not path.is_file():
        raise SourceError(
            f"{path}: the bank has no answers for {exercise_id}; "
            "write at least 6 right and 25 wrong ones there."
        )
    answers: list[Answer] = []
    text = path.read_text(encoding="utf-8")
    heads = list(CELL.finditer(text))
    for head, following in zip_longest(heads, heads[1:]):
        header = HEADER.match(head[0])
        if not header:
            number = text.count("\n", 0, head.start()) + 1
            raise SourceError(
                f"{path}:{number}: expected '# %% right: name' or '# %% wrong: name -> phrase'; "
                f"got {head[0]!r}."
            )
        body = text[head.end() : following.start() if following else None]
        answers.append(_answer(exercise_id, header, body.strip("\n")))
    return answers


def wrong_answers(root: Path, chapter_name: str, exercise_id: str) -> list[Answer]:
    """The wrong answers to one exercise, in file order."""
    return [one for one in read_answers(root, chapter_name, exercise_id) if not one.right]


def right_answers(root: Path, chapter_name: str, exercise_id: str) -> list[Answer]:
    """The right answers to one exercise, in file order."""
    return [one for one in read_answers(root, chapter_name, exercise_id) if one.right]


def exercises_without_answers(root: Path, chapter: Chapter) -> list[Exercise]:
    """The exercises of a chapter for which the bank has no file yet. Raises SourceError for a file
    of another one that cannot be read.
    """
    without = []
    for exercise in chapter.exercises:
        if answers_path(root, chapter.name, exercise.id).is_file():
            read_answers(root, chapter.name, exercise.id)
        else:
            without.append(exercise)
    return without


def _answer(exercise_id: str, header: re.Match[str], text: str) -> Answer:
    phrase, *rest = PARTS.split(header["about"] or "")
    marked = list(zip(rest[::2], rest[1::2], strict=True))  # [("!!" or "??", words)]
    return Answer(
        exercise_id,
        header["name"],
        header["kind"] == "right",
        text,
        phrase,
        tuple(words for mark, words in marked if mark == "!!"),
        " ".join(words for mark, words in marked if mark == "??"),
        header["arrow"] == "=>",
        tuple(int(number) for number in (header["costs"] or "").split(", ") if number),
    )
