"""The quick questions of a chapter, three for each section: ``site/questions/chNN_name.toml``.

A chapter without a file has no questions. The file's form is in ``site/questions/README.md``.
"""

import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.errors import SourceError
from autograder.course.model import Chapter

FOLDER = "site/questions"
EACH = 3  # questions of a section
FEWEST, MOST = 2, 4  # choices of a question
MOST_OFTEN = 0.6  # share of a chapter's questions in which the right choice may be the longest one,
# or may stand at one and the same place
HEADING = re.compile(r"^## (?P<number>\d+\.\d+) ", re.MULTILINE)
CODE = re.compile(r"`[^`\n]*`")
FORMULA = re.compile(r"\$[^$]*\$")
ESCAPED = re.compile(r"\\[\\${}]")


@dataclass(frozen=True)
class Choice:
    """One answer to choose, and what is said to a reader who chose it."""

    text: str
    because: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """What is asked, and two to four choices of which one is right."""

    ask: str
    choices: tuple[Choice, ...]
    predict: bool = False  # it restates a "Predict" of its section

    @property
    def place(self) -> int:
        """Index of the right choice."""
        return next(index for index, choice in enumerate(self.choices) if choice.right)

    @property
    def longest_is_right(self) -> bool:
        """Whether the right choice is longer than every other."""
        others = [len(choice.text) for choice in self.choices if not choice.right]
        return len(self.choices[self.place].text) > max(others)


def sections_of(chapter: Chapter) -> tuple[str, ...]:
    """The numbers of a chapter's sections, "2.1", "2.2", …, in order."""
    texts = (cell.source for cell in chapter.cells if cell.kind == "markdown")
    return tuple(found["number"] for text in texts for found in HEADING.finditer(text))


def questions_path(root: Path, name: str) -> Path:
    """Where the questions of a chapter stand; name: "ch02_single_head"."""
    return Path(root, FOLDER, f"{name}.toml")


def read_questions(root: Path, chapter: Chapter) -> dict[str, tuple[Question, ...]]:
    """{number of a section: its questions} in the chapter's order; {} where there is no file.

    Raises SourceError, one line with file, section and what was expected, for the first rule that
    the file breaks.
    """
    path = questions_path(root, chapter.name)
    if not path.is_file():
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}: expected TOML in UTF-8: {error}.") from error
    _known(str(path), table, {"section"})
    rows = _rows(str(path), table, "section")
    numbers = [str(row.get("number", "")) for row in rows]
    if tuple(numbers) != (wanted := sections_of(chapter)):
        raise SourceError(
            f"{path}: expected a [[section]] for each of {', '.join(wanted)}, in this order; got "
            f"{', '.join(map(repr, numbers)) or 'none'}."
        )
    found = {
        number: _section(f"{path}: section {number}", row)
        for number, row in zip(numbers, rows, strict=True)
    }
    _balanced(path, [question for section in found.values() for question in section])
    return found


def _section(where: str, row: dict[str, Any]) -> tuple[Question, ...]:
    _known(where, row, {"number", "question"})
    rows = _rows(where, row, "question")
    if len(rows) != EACH:
        raise SourceError(f"{where}: expected {EACH} questions; got {len(rows)}.")
    made = tuple(_question(f"{where}, question {n}", one) for n, one in enumerate(rows, 1))
    if len({question.ask for question in made}) < EACH:
        raise SourceError(f"{where}: expected {EACH} different questions; one is asked twice.")
    return made


def _question(where: str, row: dict[str, Any]) -> Question:
    _known(where, row, {"ask", "predict", "choice"})
    rows = _rows(where, row, "choice")
    if not FEWEST <= len(rows) <= MOST:
        raise SourceError(f"{where}: expected {FEWEST} to {MOST} choices; got {len(rows)}.")
    choices = tuple(_choice(f"{where}, choice {n}", one) for n, one in enumerate(rows, 1))
    right = sum(choice.right for choice in choices)
    if right != 1:
        raise SourceError(f"{where}: expected exactly one choice with right = true; got {right}.")
    for field in ("text", "because"):
        twice = [
            said
            for said, times in Counter(getattr(choice, field) for choice in choices).items()
            if times > 1
        ]
        if twice:
            raise SourceError(f"{where}: expected different choices; {field} twice: {twice[0]!r}.")
    return Question(_words(where, row, "ask"), choices, _flag(where, row, "predict"))


def _choice(where: str, row: dict[str, Any]) -> Choice:
    _known(where, row, {"text", "because", "right"})
    return Choice(
        _words(where, row, "text"), _words(where, row, "because"), _flag(where, row, "right")
    )


def _known(where: str, row: dict[str, Any], keys: set[str]) -> None:
    if unknown := sorted(set(row) - keys):
        raise SourceError(f"{where}: expected only {', '.join(sorted(keys))}; got {unknown[0]!r}.")


def _rows(where: str, row: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = row.get(key, [])
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise SourceError(f"{where}: expected a list of tables '{key}'; got {rows!r:.60}.")
    return rows


def _flag(where: str, row: dict[str, Any], key: str) -> bool:
    value = row.get(key, False)
    if not isinstance(value, bool):
        raise SourceError(f"{where}: {key}: expected true or false; got {value!r:.60}.")
    return value


def _words(where: str, row: dict[str, Any], key: str) -> str:
    """The text of a field, its white space made plain, with $formulas$ and `code` that close."""
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise SourceError(f"{where}: {key}: expected words; got {value!r:.60}.")
    text = " ".join(value.split())
    if CODE.sub("", text).count("`"):
        raise SourceError(f"{where}: {key}: expected an even number of backticks in {text!r:.90}.")
    plain = ESCAPED.sub("", CODE.sub("", text))
    if plain.count("$") % 2:
        raise SourceError(f"{where}: {key}: expected an even number of $ in {text!r:.90}.")
    for formula in FORMULA.findall(plain):
        if not _braces_close(formula):
            raise SourceError(f"{where}: {key}: expected braces that close in {formula!r:.90}.")
    return text


def _braces_close(formula: str) -> bool:
    depth = 0
    for letter in formula:
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            return False
    return depth == 0


def _balanced(path: Path, questions: list[Question]) -> None:
    """Refuse a file whose right choices could be guessed by their length or their place."""
    most = MOST_OFTEN * len(questions)
    if (longest := sum(question.longest_is_right for question in questions)) > most:
        raise SourceError(
            f"{path}: the right choice is the longest in {longest} of {len(questions)} questions; "
            f"expected at most {int(most)}. Shorten right choices or lengthen wrong ones."
        )
    place, times = Counter(question.place for question in questions).most_common(1)[0]
    if times > most:
        raise SourceError(
            f"{path}: the right choice is number {place + 1} in {times} of {len(questions)} "
            f"questions; expected at most {int(most)}. Move some of them."
        )
