"""Who is in the class: a CSV whose first column is the student id, and whose other columns are
whatever a platform calls that student. The columns section and group say where a student belongs.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from autograder.classroom.tables import read_rows
from autograder.course.errors import SubmissionError
from autograder.course.files import write
from autograder.course.settings import Settings

NOT_IN_NAMES = re.compile(r"[/\\\x00-\x1f\x7f-\x9f]")
NO_KEYS = ("section", "group")  # columns whose entries many students share


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
        return {
            student: text
            for student, row in self.rows.items()
            for header, text in row.items()
            if header.casefold() == name and text
        }

    def _read(self, path: Path) -> None:
        names, rows = read_rows(path)
        if not rows:
            raise SubmissionError(
                f"roster {path}: expected a CSV with a header and a row per student; it is empty."
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
