"""Tables as CSV: those that an instructor wrote, those that we write, and a platform's own, of
which what nobody changed comes back byte for byte.

Excel saves with semicolons where the comma is the decimal sign, with a byte-order mark as "CSV
UTF-8", in the system's code page as "CSV", and in UTF-16 with tabs as "Unicode text".
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.errors import AutograderError

# full-width signs start a formula too, in some languages of a spreadsheet
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001


def read_rows(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """(header, [(line number, {column: text})]) without empty rows. Raises AutograderError."""
    try:
        text = _decoded(path.read_bytes())
        table = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
        names = [name.strip() for name in next(table, [])]
        rows = [
            (table.line_num, {name: _plain(cell) for name, cell in zip(names, row) if name})  # noqa: B905
            for row in table
            if any(cell.strip() for cell in row)
        ]
    except (OSError, csv.Error) as error:
        raise AutograderError(f"{path}: cannot be read as a CSV: {error}.") from error
    return names, rows


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as CSV text: numbers without needless zeros, text that no spreadsheet takes for a
    formula.
    """
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow([_shown(value) for value in header])
    table.writerows([_shown(value) for value in row] for row in rows)
    return out.getvalue()


class Cell(str):
    """A cell as it was read; ``raw``: how the file has it, quotes included."""

    raw: str

    def __new__(cls, raw: str, delimiter: str) -> "Cell":
        read = next(csv.reader(io.StringIO(raw, newline=""), delimiter=delimiter), [""])
        made = super().__new__(cls, read[0])
        made.raw = raw
        return made


class Line(list[str]):
    """A row as it was read; ``end``: what ends its line."""

    end: str

    def __init__(self, cells: Iterable[str], end: str) -> None:
        super().__init__(cells)
        self.end = end


@dataclass
class Sheet:
    """A platform's file: its rows as they are, and how it is written."""

    path: Path
    rows: list[list[str]]
    delimiter: str
    line_end: str = "\n"  # of rows that were not read
    mark: str = ""  # the byte-order mark that it began with

    def column(self, names: Sequence[str]) -> int | None:
        """The index of the first header that is one of these names."""
        found = (i for i, name in enumerate(self.rows[0]) if name.strip() in names)
        return next(found, None)

    def as_bytes(self) -> bytes:
        """The file: cells that were read as they stood, new ones with the quotes they need."""
        lines = [
            self.delimiter.join(map(self._raw, row)) + getattr(row, "end", self.line_end)
            for row in self.rows
        ]
        return f"{self.mark}{''.join(lines)}".encode()

    def _raw(self, cell: str) -> str:
        if isinstance(cell, Cell):
            return cell.raw
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="", delimiter=self.delimiter).writerow([cell, ""])
        return out.getvalue()[: -len(self.delimiter)]


def read_sheet(path: Path) -> Sheet:
    """A CSV with commas, semicolons or tabs, as a platform or Excel wrote it. Raises
    AutograderError.
    """
    try:
        data = path.read_bytes()
        mark, text = "\ufeff" * data.startswith(codecs.BOM_UTF8), _decoded(data)
        delimiter = _delimiter(text)
        rows: list[list[str]] = list(_lines(text, delimiter))
    except (OSError, csv.Error) as error:
        raise AutograderError(f"{path}: cannot be read as a CSV: {error}.") from error
    if not rows:
        raise AutograderError(f"{path}: is empty; export the gradebook from the platform again.")
    return Sheet(path, rows, delimiter, getattr(rows[0], "end", "") or "\n", mark)


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


def _plain(cell: str) -> str:
    """What a cell says; ``="00123"`` is how Excel is told to keep zeros in front."""
    found = re.fullmatch(r'="(.*)"', cell.strip())
    return (found[1] if found else cell).strip()


def _delimiter(text: str) -> str:
    return max(",;\t", key=text.partition("\n")[0].count)


def _decoded(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _shown(value: object) -> str:
    if not isinstance(value, str):
        return f"{value:g}"
    text = re.sub("\r\n?", "\n", value)  # csv sets no quotes around a lone \r
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _lines(text: str, delimiter: str) -> Iterator[Line]:
    """The rows of a table, split with csv's rules on quotes."""
    cell = re.compile(rf'(?:"(?:[^"]|"")*(?:"|\Z))?[^{delimiter}\r\n]*')
    end = re.compile(r"\r\n|\r|\n|\Z")
    at, row = 0, list[Cell]()
    while at < len(text):
        found = cell.match(text, at)
        row.append(Cell(found[0] if found else "", delimiter))
        at = found.end() if found else at
        if text[at : at + 1] == delimiter:
            at += 1
            if at < len(text):
                continue
            row.append(Cell("", delimiter))
        ended = end.match(text, at)
        at = ended.end() if ended else len(text)
        yield Line([] if [cell.raw for cell in row] == [""] else row, ended[0] if ended else "")
        row = []
