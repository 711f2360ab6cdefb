"""What the instructor knows of students that no platform says: ``people.csv`` in the course's root.

Columns: student, and any of chapter, due, extension, excused, dropped, group, section. A row
without a chapter holds for all of them; one with a chapter ("ch02") says more for that one.
"""

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from autograder.classroom.results.late import parse_due, seconds
from autograder.course.errors import AutograderError
from autograder.course.settings import Settings

COLUMNS = ("student", "chapter", "due", "extension", "excused", "dropped", "group", "section")
YES, NO = ("yes", "y", "x", "1", "true"), ("", "no", "n", "0", "false")


@dataclass(frozen=True)
class Person:
    """What holds for one student in one chapter."""

    due: datetime | None = None  # in UTC
    extension: timedelta = timedelta()  # after the class's due date
    excused: bool = False
    dropped: bool = False
    group: str = ""
    section: str = ""

    def due_date(self, of_class: datetime | None) -> datetime | None:
        """When the student's work is due, given the class's due date."""
        return self.due or (of_class + self.extension if of_class else None)


class People:
    """The table; empty where there is no such file. Raises AutograderError with the row."""

    def __init__(self, path: Path):
        self.path = path
        self.rows: dict[tuple[str, str], Person] = {}  # {(student, chapter or ""): Person}
        if path.is_file():
            self._read(path.read_text(encoding="utf-8-sig", errors="replace"))

    def about(self, student: str, chapter: str) -> Person:
        """What holds for a student in a chapter, by the chapter's name."""
        keys = [(student, part) for part in (chapter, chapter.partition("_")[0], "")]
        return next((self.rows[key] for key in keys if key in self.rows), Person())

    def students(self) -> list[str]:
        """All students of the table who did not leave the course."""
        names = sorted({student for student, _ in self.rows})
        return [name for name in names if not self.rows.get((name, ""), Person()).dropped]

    def _read(self, text):
        header = text.partition("\n")[0]
        table = csv.DictReader(
            io.StringIO(text), delimiter=";" if header.count(";") > header.count(",") else ","
        )
        unknown = [name for name in table.fieldnames or () if name not in COLUMNS]
        if unknown or "student" not in (table.fieldnames or ()):
            raise AutograderError(
                f"{self.path}: expected the column student and any of {', '.join(COLUMNS[1:])}; "
                f"got {', '.join(table.fieldnames or ())}."
            )
        rows = sorted(enumerate(table, 2), key=lambda pair: bool(pair[1].get("chapter")))
        for number, row in rows:  # those for all chapters first
            values = {name: (value or "").strip() for name, value in row.items() if name}
            key = values["student"], values.get("chapter", "")
            if not key[0] or key in self.rows:
                fault = "holds a student and chapter twice" if key[0] else "names no student"
                raise AutograderError(f"{self.path}:{number}: {fault}.")
            general = self.rows.get((key[0], ""), Person())
            try:
                self.rows[key] = _person(values, general)
            except AutograderError as error:
                raise AutograderError(f"{self.path}:{number}: {error}") from error


def not_handed_in(
    settings: Settings, chapter: str, handed_in: Collection[str], roster: Collection[str] = ()
) -> list[str]:
    """Students of people.csv and of the roster who owe a submission of a chapter."""
    people = People(settings.root / "people.csv")
    persons = {name: people.about(name, chapter) for name in {*people.students(), *roster}}
    return sorted(
        name
        for name, person in persons.items()
        if name not in handed_in and not person.excused and not person.dropped
    )


def _person(values, general):
    """A Person from a row. general: what the student's row for all chapters says."""
    said: dict = {}
    if values.get("due"):
        said["due"] = parse_due(values["due"])
    if values.get("extension"):
        said["extension"] = timedelta(seconds=seconds(values["extension"]))
    for name in ("excused", "dropped"):
        value = values.get(name, "").lower()
        if value not in YES + NO:
            raise AutograderError(f"{name}: expected yes or nothing, got {value!r}.")
        if value:
            said[name] = value in YES
    said |= {name: values[name] for name in ("group", "section") if values.get(name)}
    return replace(general, **said)
