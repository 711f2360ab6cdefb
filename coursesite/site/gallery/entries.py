"""The entries of the gallery, ``site/gallery.toml``: which wrong answers of the bank are shown, and
which other mistakes stand beside them to choose from.

The file's form is explained at its top.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.bank import Answer, right_answers, wrong_answers
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SourceError
from autograder.course.model import Chapter, Exercise

FILE = "site/gallery.toml"
KINDS = ("matrix", "lines", "bars")
OTHERS = 2  # mistakes to choose from beside the one that was made
NEEDED = {"chapter", "exercise", "wrong", "says", "shows", "about", "call", "draw", "other"}
MAY = {"given", "rows", "columns", "names", "at"}


@dataclass(frozen=True)
class Guess:
    """One mistake to choose: the bank's answer that makes it, and the mistake in words."""

    answer: Answer
    says: str
    because: str = ""  # why the picture is not of it; default: the number that it would change most


@dataclass(frozen=True)
class Entry:
    """One picture of the gallery."""

    chapter: Chapter
    exercise: Exercise
    right: Answer
    made: Guess  # the mistake that is shown
    others: tuple[Guess, ...]  # mistakes that are not
    about: str  # what is computed, in words
    shows: str  # how the picture shows the mistake
    given: str  # Python that makes the inputs
    call: str  # Python expression: what is drawn, an array of at most two dimensions
    draw: str  # one of KINDS
    rows: str = ""  # what stands along each axis
    columns: str = ""
    names: tuple[str, ...] = ()  # of rows and columns that are tokens
    at: tuple[float, ...] = ()  # of lines: where along the axis the values are; default: 0, 1, 2, …

    @property
    def key(self) -> str:
        """A name of its own: "ch02_scaled_dot_product_attention.no_scale"."""
        return f"{self.exercise.id}.{self.made.answer.name}"


def read_entries(root: Path) -> tuple[Entry, ...]:
    """The entries in the file's order; none where there is no file.

    Raises SourceError, one line with file, entry and what was expected, for the first rule that the
    file breaks.
    """
    path = Path(root, FILE)
    if not path.is_file():
        return ()
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}: expected TOML in UTF-8: {error}.") from error
    _keys(str(path), table, {"entry"}, {"given"})
    chapters = {chapter.name: chapter for chapter in chosen_chapters(root)}
    common = _words(str(path), table, "given") if "given" in table else ""
    entries = []
    for number, row in enumerate(_rows(str(path), table, "entry"), 1):
        entries.append(_entry(f"{path}: entry {number}", row, Path(root), chapters, common))
        if entries[-1].key in {one.key for one in entries[:-1]}:
            raise SourceError(f"{path}: entry {number}: {entries[-1].key} is shown twice.")
    return tuple(entries)


def _entry(
    where: str, row: dict[str, Any], root: Path, chapters: dict[str, Chapter], common: str
) -> Entry:
    _keys(where, row, NEEDED, MAY)
    chapter = chapters[_one_of(where, "chapter", _words(where, row, "chapter"), chapters)]
    prefix = chapter.name.split("_")[0]
    exercises = {one.id.removeprefix(f"{prefix}_"): one for one in chapter.exercises}
    exercise = exercises[_one_of(where, "exercise", _words(where, row, "exercise"), exercises)]
    wrong = {one.name: one for one in wrong_answers(root, chapter.name, exercise.id)}

    def guess(place: str, table: dict[str, Any]) -> Guess:
        return Guess(
            wrong[_one_of(place, "wrong", _words(place, table, "wrong"), wrong)],
            _words(place, table, "says"),
            _words(place, table, "because") if "because" in table else "",
        )

    others = _rows(where, row, "other")
    for one in others:
        _keys(f"{where}: other", one, {"wrong", "says"}, {"because"})
    made = guess(where, row)
    guesses = [made, *(guess(f"{where}: other", one) for one in others)]
    if len(others) != OTHERS or len({one.answer.name for one in guesses}) != OTHERS + 1:
        raise SourceError(
            f"{where}: expected {OTHERS} other mistakes, different ones; got "
            f"{', '.join(one.answer.name for one in guesses[1:]) or 'none'}."
        )
    if len({one.says for one in guesses}) != OTHERS + 1:
        raise SourceError(f"{where}: expected different words in 'says'; two are the same.")
    return Entry(
        chapter,
        exercise,
        right_answers(root, chapter.name, exercise.id)[0],
        made,
        tuple(guesses[1:]),
        about=_words(where, row, "about"),
        shows=_words(where, row, "shows"),
        given="\n".join([common, _words(where, row, "given") if "given" in row else ""]),
        call=_words(where, row, "call"),
        draw=_one_of(where, "draw", _words(where, row, "draw"), KINDS),
        rows=_words(where, row, "rows") if "rows" in row else "",
        columns=_words(where, row, "columns") if "columns" in row else "",
        names=tuple(map(str, row.get("names", ()))),
        at=tuple(map(float, row.get("at", ()))),
    )


def _keys(where: str, row: dict[str, Any], needed: set[str], may: set[str]) -> None:
    if unknown := sorted(set(row) - needed - may):
        raise SourceError(
            f"{where}: expected only {', '.join(sorted(needed | may))}; got {unknown[0]!r}."
        )
    if missing := sorted(needed - set(row)):
        raise SourceError(f"{where}: {missing[0]!r} is missing.")


def _rows(where: str, row: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = row[key]
    if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
        raise SourceError(f"{where}: expected a list of tables '{key}'; got {rows!r:.60}.")
    return rows


def _words(where: str, row: dict[str, Any], key: str) -> str:
    value = row[key]
    if not isinstance(value, str) or not value.strip():
        raise SourceError(f"{where}: {key}: expected words; got {value!r:.60}.")
    return value.strip()


def _one_of(where: str, key: str, value: str, known: Iterable[str]) -> str:
    """The value, which must be one of the known names."""
    names = list(known)
    if value not in names:
        raise SourceError(f"{where}: {key}: expected one of {', '.join(names)}; got {value!r}.")
    return value
