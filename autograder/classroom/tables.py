"""Tables that an instructor writes by hand or in a spreadsheet: CSV in whatever way it was saved.

Excel saves with semicolons where the comma is the decimal sign, with a byte-order mark as "CSV
UTF-8", in the system's code page as "CSV", and in UTF-16 with tabs as "Unicode text".
"""

import codecs
import csv
import io
from pathlib import Path

from autograder.course.errors import AutograderError


def read_rows(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """(header, [(line number, {column: text})]) without empty rows. Raises AutograderError."""
    try:
        text = _decoded(path.read_bytes())
        header = text.partition("\n")[0]
        table = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
        names = [name.strip() for name in next(table, [])]
        rows = [
            (table.line_num, {name: cell.strip() for name, cell in zip(names, row) if name})  # noqa: B905
            for row in table
            if any(cell.strip() for cell in row)
        ]
    except (OSError, csv.Error) as error:
        raise AutograderError(f"{path}: cannot be read as a CSV: {error}.") from error
    return names, rows


def _decoded(data):
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
