"""Who is in the class: a CSV whose first column is the student id, and whose other columns are
whatever a platform calls that student.
"""

import csv
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from autograder.course.errors import SubmissionError

NOT_IN_NAMES = re.compile(r"[/\\\x00-\x1f\x7f]")


class Roster:
    """Maps what a platform says to student ids. Without a file, what the platform says becomes the
    id.
    """

    def __init__(self, path: Path | str | None = None):
        self.ids: dict[str, str] = {}
        self.rows: dict[str, dict[str, str]] = {}
        if path:
            self._read(Path(path))

    def student(self, keys: Sequence[str]) -> str:
        """The id for the first key that is known, or "" if a roster was given and knows none of
        them.
        """
        if not self.rows:
            return student_id(keys[0]) if keys else ""
        return next((self.ids[folded(key)] for key in keys if folded(key) in self.ids), "")

    def _read(self, path):
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise SubmissionError(
                f"roster {path}: cannot be read as UTF-8 text: {error}."
            ) from error
        rows = list(csv.DictReader(text.splitlines()))
        if not rows or not rows[0]:
            raise SubmissionError(
                f"roster {path}: expected a CSV with a header and a row per student; it is empty."
            )
        key = next(iter(rows[0]))
        for number, row in enumerate(rows, 2):
            student = student_id(row[key] or "")
            if not student:
                raise SubmissionError(
                    f"roster {path}:{number}: no student id in the column {key!r}."
                )
            self.rows[student] = {name: value or "" for name, value in row.items() if name}
            for value in row.values():
                if isinstance(value, str) and value.strip():
                    other = self.ids.setdefault(folded(value), student)
                    if other != student:
                        raise SubmissionError(
                            f"roster {path}:{number}: {value!r} stands for {other!r} and for "
                            f"{student!r}; every entry must mean one student."
                        )


def student_id(text: str) -> str:
    """A student id that can be a folder's name in any script: NFC, no separators or control
    characters, not hidden, at most 100 characters.
    """
    text = NOT_IN_NAMES.sub("_", unicodedata.normalize("NFC", text).strip()).lstrip(".")
    return text[:100].strip()


def folded(text: str) -> str:
    """Text for comparing names: without case, accents' encoding, spaces and punctuation between
    them.
    """
    return re.sub(r"[\s_,.'-]+", "", unicodedata.normalize("NFKC", text).casefold())
