"""A platform's CSV file, read as it is and written as it was."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.errors import AutograderError


@dataclass
class Sheet:
    """A platform's file: its rows as they are, and how it is written."""

    path: Path
    rows: list[list[str]]
    delimiter: str

    def column(self, names: Sequence[str]) -> int | None:
        """The index of the first header that is one of these names."""
        found = (i for i, name in enumerate(self.rows[0]) if name.strip() in names)
        return next(found, None)

    def as_bytes(self) -> bytes:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n", delimiter=self.delimiter).writerows(self.rows)
        return out.getvalue().encode()


def read_sheet(path: Path) -> Sheet:
    """A CSV with commas, semicolons or tabs, in UTF-8 with or without a byte-order mark. Raises
    AutograderError.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        header = text.partition("\n")[0]
        delimiter = max(",;\t", key=header.count)
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise AutograderError(f"{path}: cannot be read as a CSV in UTF-8: {error}.") from error
    if not rows:
        raise AutograderError(f"{path}: is empty; export the gradebook from the platform again.")
    return Sheet(path, rows, delimiter)


def number_in(text: str, where: str) -> float:
    """The number in a cell. Raises AutograderError, which names where it is, for letters."""
    try:
        return float(text.replace(",", "."))
    except ValueError as error:
        raise AutograderError(
            f"{where}: expected a number, got {text!r}; marks cannot go into letters or scales."
        ) from error


def same(one: str, other: str) -> bool:
    """Whether two cells hold the same number, or the same text."""
    try:
        return abs(float(one.replace(",", ".")) - float(other.replace(",", "."))) < 0.005
    except ValueError:
        return one.strip() == other.strip()
