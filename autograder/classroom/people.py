"""Who is in the class, and what the instructor knows of them that no platform says.

The roster is a CSV whose first column is the student id, and whose other columns are whatever a
platform calls that student. The columns section and group say where a student belongs.

``people.csv`` in the course's root has the columns student, and any of chapter, due, extension,
submitted, excused, dropped, group, section. A row without a chapter holds for all of them; one with
a chapter ("ch02") says more for that one, and may say when the work was handed in, which then goes
before what a platform says. What Canvas's API says stands in a second table of this form, which
holds where the first says nothing.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from autograder.classroom.late import in_utc, parse_due, seconds
from autograder.classroom.paths import canvas_people_path
from autograder.classroom.tables import read_rows
from autograder.course.errors import AutograderError, SubmissionError
from autograder.course.files import UNSEEN, write
from autograder.course.settings import Settings

NOT_IN_NAMES = re.compile(rf"[/\\{UNSEEN}]")
NO_KEYS = ("section", "group")  # columns whose entries many students share
TIMES = ("due", "extension", "submitted")
COLUMNS = ("student", "chapter", *TIMES, "excused", "dropped", "group", "section")
NO_HEADER = re.compile(r"@|^\d+$")  # what stands in no header
YES, NO = ("yes", "y", "x", "1", "true"), ("", "no", "n", "0", "false")


class Roster:
    """Maps what a platform says to student ids. Without a file, what the platform says becomes the
    id.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self.path = path
        self.rows: dict[str, dict[str, str]] = {}  # {student: {column: text}}
        self._meant: dict[str, dict[str, int]] = defaultdict(dict)  # {key: {student: line}}
        if path:
            self._read(Path(path))

    def student(self, keys: Sequence[str]) -> str:
        """The id for the first key that means one student, or "" if a roster was given and none
        does.
        """
        if not self.rows:
            return student_id(keys[0]) if keys else ""
        for key in keys:
            meant = self._meant.get(folded(key), {})
            if len(meant) == 1:
                return next(iter(meant))
        return ""

    def why_not(self, keys: Sequence[str]) -> str:
        """Why ``student`` found nobody, in one line."""
        for key in keys:
            meant = self._meant.get(folded(key), {})
            if len(meant) > 1:
                who = " and ".join(f"{student} (line {line})" for student, line in meant.items())
                return (
                    f"in the roster {key!r} stands for {who}; give each a column with what the "
                    "platform calls only them"
                )
        return f"the roster knows none of {', '.join(keys)}"

    def column(self, name: str) -> dict[str, str]:
        """{student: text} of the column of this name, written in any case; without empty ones."""
        cells = ((who, *cell) for who, row in self.rows.items() for cell in row.items())
        return {who: text for who, header, text in cells if header.casefold() == name and text}

    def _read(self, path: Path) -> None:
        names, rows = read_rows(path)
        if not rows:
            raise SubmissionError(
                f"roster {path}: expected a CSV with a header and a row per student; it is empty."
            )
        if unfit := next((name for name in names if NO_HEADER.search(name)), None):
            raise SubmissionError(
                f"roster {path}: expected a header in the first line, as student,canvas,name; got "
                f"{unfit!r} there, which looks like a student's own."
            )
        if {"Student", "ID", "SIS Login ID"} <= set(names):
            raise SubmissionError(
                f"roster {path}: this is Canvas's gradebook, whose rows are not all students; make "
                "a CSV with your student ids in the first column and Canvas's ID in another."
            )
        lines: dict[str, int] = {}
        for line, row in rows:
            student = student_id(row.get(names[0], ""))
            if not student:
                raise SubmissionError(
                    f"roster {path}:{line}: no student id in the column {names[0]!r}."
                )
            if student in lines:
                raise SubmissionError(
                    f"roster {path}:{line}: the student id {student!r} stands in line "
                    f"{lines[student]} too; every student has one row."
                )
            lines[student], self.rows[student] = line, row
            for name, value in row.items():
                if value and folded(value) and name.casefold() not in NO_KEYS:
                    self._meant[folded(value)][student] = line


def student_id(text: str) -> str:
    """A student id that can be a folder's name in any script: NFC, UTF-8, no separators or control
    characters, not hidden, at most 100 characters.
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # bytes that were no UTF-8 become "?"
    text = NOT_IN_NAMES.sub("_", unicodedata.normalize("NFC", text).strip()).lstrip(".")
    return text[:100].strip()


def folded(text: str) -> str:
    """Text for comparing names: without case, accents' encoding, spaces and punctuation between
    them.
    """
    return re.sub(r"[\s_,.'-]+", "", unicodedata.normalize("NFKC", text).casefold())


def remember_roster(settings: Settings, roster: Path) -> None:
    """Note where the roster lies, so that other commands find it; its names are not copied."""
    write(_note(settings), f"{roster.resolve()}\n".encode())


def remembered_roster(settings: Settings) -> Path | None:
    """The roster that collect used last, if it is still there."""
    note = _note(settings)
    path = Path(note.read_text(encoding="utf-8").strip()) if note.is_file() else None
    return path if path and path.is_file() else None


def _note(settings: Settings) -> Path:
    return settings.root / settings.submitted / "roster-path.txt"


@dataclass(frozen=True)
class Person:
    """What holds for one student in one chapter."""

    due: datetime | None = None  # as parse_due gives it
    extension: timedelta = timedelta()  # after the class's due date
    submitted: datetime | None = None  # in UTC; None: as the platform says
    excused: bool = False
    dropped: bool = False
    group: str = ""
    section: str = ""

    def due_date(self, of_class: datetime | None) -> datetime | None:
        """When the student's work is due, given the class's due date."""
        return self.due or (of_class + self.extension if of_class else None)


class People:
    """The table, and what the roster says of sections and groups; empty where there is neither.

    Raises AutograderError with the row.
    """

    def __init__(
        self, path: Path, roster: Path | str | None = None, platform: Path | None = None
    ) -> None:
        self.path = path
        self.rows: dict[tuple[str, str], Person] = {}  # {(student, chapter or ""): Person}
        self._platform = People(platform).rows if platform else {}
        known = Roster(roster)
        self._said = {name: known.column(name) for name in ("group", "section")}
        if path.is_file():
            self._read()

    def about(self, student: str, chapter: str) -> Person:
        """What holds for a student in a chapter, by the chapter's name."""
        keys = [(student, part) for part in (chapter, chapter.partition("_")[0], "")]
        person = next((self.rows[key] for key in keys if key in self.rows), Person())
        platform = self._platform.get((student, chapter), Person())
        return replace(
            person,
            due=person.due or (platform.due and platform.due + person.extension),
            excused=person.excused or platform.excused,
            group=person.group or self._said["group"].get(student, "") or platform.group,
            section=person.section or self._said["section"].get(student, "") or platform.section,
        )

    def students(self) -> list[str]:
        """All students of the table who did not leave the course."""
        names = sorted({student for student, _ in {*self.rows, *self._platform}})
        return [name for name in names if not self.rows.get((name, ""), Person()).dropped]

    def members(self, group: str, chapter: str) -> list[str]:
        """The students who are in a group in a chapter; [] where nobody is."""
        names = sorted({student for student, _ in self.rows} | self._said["group"].keys())
        people = {name: self.about(name, chapter) for name in names}
        there = {name: folded(one.group) for name, one in people.items() if not one.dropped}
        return [name for name, its in there.items() if its and its == folded(group)]

    def _read(self) -> None:
        header, table = read_rows(self.path)
        unknown = [name for name in header if name not in COLUMNS]
        if unknown or "student" not in header:
            raise AutograderError(
                f"{self.path}: expected the column student and any of {', '.join(COLUMNS[1:])}; "
                f"got {', '.join(header)}."
            )
        # those for all chapters first
        for number, values in sorted(table, key=lambda pair: bool(pair[1].get("chapter"))):
            key = values.get("student", ""), values.get("chapter", "")
            if not key[0] or key in self.rows:
                fault = "holds a student and chapter twice" if key[0] else "names no student"
                raise AutograderError(f"{self.path}:{number}: {fault}.")
            general = self.rows.get((key[0], ""), Person())
            try:
                self.rows[key] = _person(values, general)
            except AutograderError as error:
                raise AutograderError(f"{self.path}:{number}: {error}") from error


def people_of(settings: Settings) -> People:
    """people.csv, what Canvas's API said, and what the roster that collect used says of sections
    and groups.
    """
    return People(
        settings.root / settings.people, remembered_roster(settings), canvas_people_path(settings)
    )


def strangers(settings: Settings, roster: Collection[str]) -> list[str]:
    """Students of people.csv whom the roster does not know: a name that was typed wrong."""
    return sorted({*people_of(settings).students()} - {*roster}) if roster else []


def not_handed_in(
    settings: Settings, chapter: str, handed_in: Collection[str], roster: Collection[str] = ()
) -> list[str]:
    """Students of people.csv and of the roster who owe a submission of a chapter."""
    people = people_of(settings)
    owing = {*people.students(), *roster} - set(handed_in)
    persons = {name: people.about(name, chapter) for name in sorted(owing)}
    return [name for name, one in persons.items() if not (one.excused or one.dropped)]


def _person(values: Mapping[str, str], general: Person) -> Person:
    """A Person from a row. general: what the student's row for all chapters says."""
    due, extension, submitted = (values.get(name, "") for name in TIMES)
    if submitted and not values.get("chapter"):
        raise AutograderError("submitted: expected a chapter beside it, got none.")
    return Person(
        parse_due(due) if due else general.due,
        timedelta(seconds=seconds(extension)) if extension else general.extension,
        in_utc(parse_due(submitted, "submitted")) if submitted else general.submitted,
        _yes("excused", values, general.excused),
        _yes("dropped", values, general.dropped),
        values.get("group") or general.group,
        values.get("section") or general.section,
    )


def _yes(name: str, values: Mapping[str, str], otherwise: bool) -> bool:
    value = values.get(name, "").lower()
    if value not in YES + NO:
        raise AutograderError(f"{name}: expected yes or nothing, got {value!r}.")
    return value in YES if value else otherwise
