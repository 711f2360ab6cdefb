"""Marks in the form that a platform takes in. What a platform's file holds already is never lost.

A cell is filled where it is empty, or where it holds what the last export wrote there; any other
mark was typed by a person, and stays unless it is to be replaced.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.collect.roster import Roster, folded
from autograder.classroom.results.class_marks import Mark
from autograder.classroom.results.late import DAY
from autograder.classroom.results.marks import csv_text
from autograder.classroom.results.sheet import Sheet, number_in, read_sheet, same
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.model import Chapter

CANVAS_IDS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section")
CANVAS_KEYS = ("ID", "SIS User ID", "SIS Login ID", "Student")
MOODLE_IDENTIFIER = re.compile(r"\D*(\d+)$")
MOODLE_GRADE = ("Grade", "Bewertung", "Note", "Calificación", "Valutazione", "Cijfer", "Nota")
MOODLE_MAXIMUM = (
    "Maximum Grade",
    "Beste Bewertung",
    "Note maximale",
    "Calificación máxima",
    "Valutazione massima",
    "Maximumcijfer",
    "Nota máxima",
)


@dataclass(frozen=True)
class CellChange:
    """A cell of a platform's file that holds something else than our mark."""

    student: str
    before: str
    after: str
    kept: bool  # True: a person's mark, which stays


@dataclass(frozen=True)
class Exported:
    """What an export wrote, or would write."""

    path: Path
    changes: tuple[CellChange, ...] = ()
    unknown: tuple[str, ...] = ()  # students with a mark whom the platform's file does not know


def export(
    chapter: Chapter,
    platform: str,
    marks: Sequence[Mark],
    target: Path | str,
    template: Path | str | None = None,
    roster: Path | str | None = None,
    column: str = "",
    overwrite: bool = False,
    dry_run: bool = False,
) -> Exported:
    """Write ``marks`` to ``target`` in the form of ``platform``: "canvas", "moodle", "csv".

    template: the file that Canvas or Moodle exported, which is filled in. column: header of the
    column to fill, where its name does not tell. overwrite: replace marks that a person typed.
    dry_run: say what would change; write nothing.
    """
    target = Path(target)
    if platform == "csv":
        files, exported = {target: plain_csv(chapter, marks).encode()}, Exported(target)
    else:
        if template is None:
            raise AutograderError(
                f"--to {platform} needs the gradebook file that {platform.capitalize()} exports, "
                "for its id columns: add --gradebook FILE."
            )
        sheet = read_sheet(Path(template))
        last = read_sheet(target) if target.is_file() else None
        fill = Filling(marks, Roster(roster), overwrite)
        (fill_canvas if platform == "canvas" else fill_moodle)(sheet, last, fill, chapter, column)
        unknown = sorted({mark.student for mark in marks} - fill.used)
        exported = Exported(target, tuple(fill.changes), tuple(unknown))
        files = {target: sheet.as_bytes()}
    if not dry_run:
        for path, content in files.items():
            write(path, content)
    return exported


def plain_csv(chapter: Chapter, marks: Sequence[Mark]) -> str:
    """One row per student: points after lateness, points before, maximum, days late, and a column
    per check.
    """
    checks = [check.grade_id for exercise in chapter.exercises for check in exercise.checks]
    header = ["student", "points", "before lateness", "of", "days late", *checks, "comments"]
    rows = []
    for mark in marks:
        parts = {name: points for name, points, _ in mark.parts}
        points = "EX" if mark.excused else mark.points
        days = f"{mark.seconds_late / DAY:.2f}"
        row = [mark.student, points, mark.before_late, mark.max_points, days]
        said = "\n".join(words for _, words in mark.comments)
        rows.append([*row, *(parts.get(check, 0) for check in checks), said])
    return csv_text(header, rows)


class Filling:
    """Puts marks into the cells of a sheet, and remembers which cells changed."""

    def __init__(self, marks: Sequence[Mark], roster: Roster, overwrite: bool):
        self.by_name = {folded(mark.student): mark for mark in marks}
        self.roster, self.overwrite = roster, overwrite
        self.used: set[str] = set()
        self.changes: list[CellChange] = []

    def find(self, keys: Sequence[str]) -> Mark | None:
        """The mark of the student whom a platform calls by one of these keys."""
        for key in filter(None, keys):
            student = self.roster.student([key]) if self.roster.rows else key
            if folded(student) in self.by_name:
                mark = self.by_name[folded(student)]
                self.used.add(mark.student)
                return mark
        return None

    def cell(self, mark: Mark | None, before: str, last: str, text: str) -> str:
        """What a cell is to hold. before: what it holds; last: what our last export wrote there."""
        held = before.strip()
        if mark is None or same(held, text):
            return before
        kept = held not in ("", "-") and not same(held, last) and not self.overwrite
        self.changes.append(CellChange(mark.student, held, text, kept or held.upper() == "EX"))
        return before if self.changes[-1].kept else text


def fill_canvas(
    sheet: Sheet, last: Sheet | None, fill: Filling, chapter: Chapter, column: str
) -> None:
    """Fill one column of Canvas's gradebook, and leave out all but that and the id columns.

    Its second rows hold the points possible (app/models/gradebook_exporter.rb).
    """
    header = sheet.rows[0]
    if "Student" not in header or "ID" not in header:
        raise AutograderError(
            "expected a Canvas gradebook with the columns Student and ID; got "
            f"{', '.join(header[:6])}. "
            "Export it with Grades → Export."
        )
    place = _place(sheet, column, lambda name: _means(name, chapter))
    ids = [i for i, name in enumerate(header) if name in CANVAS_IDS]
    keys = [i for name in CANVAS_KEYS for i in ids if header[i] == name]
    old = _last_cells(last, header[place])
    possible, rows = chapter.points, [[*(header[i] for i in ids), header[place]]]
    for row in sheet.rows[1:]:
        row = row + [""] * (len(header) - len(row))
        before = row[place]
        if row[0].strip() == "Points Possible":
            possible = number_in(before, f"{sheet.path}: points possible of {header[place]!r}")
        elif any(row[i].strip() for i in keys):
            mark = fill.find([row[i] for i in keys])
            text = scaled(mark, possible)
            before = fill.cell(mark, before, old.get(row[header.index("ID")], ""), text)
        rows.append([*(row[i] for i in ids), before])
    sheet.rows = rows


def fill_moodle(
    sheet: Sheet, last: Sheet | None, fill: Filling, chapter: Chapter, column: str
) -> None:
    """Fill the grades of Moodle's grading worksheet; all other cells stay, comments with their
    lines.

    The first column is the identifier, in the words of the site's language
    (mod/assign/gradingtable.php).
    """
    header = sheet.rows[0]
    place = sheet.column([column] if column else MOODLE_GRADE)
    if place is None or not all(MOODLE_IDENTIFIER.match(row[0]) for row in sheet.rows[1:] if row):
        raise AutograderError(
            "expected Moodle's grading worksheet with the columns Identifier and Grade; got "
            f"{', '.join(header[:8])}. "
            "Download it with 'Download grading worksheet', or name the column of grades with "
            "--column."
        )
    most, old = sheet.column(MOODLE_MAXIMUM), _last_cells(last, header[place])
    for row in sheet.rows[1:]:
        if not row:
            continue
        cells = [*row, *[""] * (len(header) - len(row))]
        number = MOODLE_IDENTIFIER.match(cells[0])
        mark = fill.find([number[1] if number else "", *cells[1:place]])
        possible = chapter.points
        if most is not None and mark:
            possible = number_in(cells[most], f"{sheet.path}: maximum of {cells[0]}")
        text = scaled(mark, possible, 2)
        text = fill.cell(mark, cells[place], old.get(cells[0], ""), text)
        if text is not cells[place]:
            row[:] = [*cells[:place], text, *cells[place + 1 :]]


def _place(sheet, column, fits: Callable[[str], bool]):
    header = sheet.rows[0]
    found = [i for i, name in enumerate(header) if (name == column if column else fits(name))]
    if len(found) != 1:
        there = ", ".join(name for name in header if name not in CANVAS_IDS) or "none"
        raise AutograderError(
            f"{sheet.path}: {len(found)} columns fit {column or 'the chapter'!r}; there are: "
            f"{there}. "
            "Name one with --column."
        )
    return found[0]


def _last_cells(last, name):
    """{identity: cell} of what our last export wrote into the column of this name."""
    if last is None or name not in last.rows[0]:
        return {}
    identity = last.rows[0].index("ID") if "ID" in last.rows[0] else 0
    place = last.rows[0].index(name)
    return {row[identity]: row[place] for row in last.rows[1:] if len(row) > place}


def scaled(mark: Mark | None, possible: float, digits: int | None = None) -> str:
    """A mark as it stands in a platform's cell, on its scale; "" for none."""
    if mark is None:
        return ""
    if mark.excused:
        return "EX" if digits is None else ""
    points = mark.points * possible / mark.max_points if mark.max_points else 0.0
    return f"{points:.{digits}f}" if digits else f"{round(points, 4):g}"


def _means(name, chapter):
    text = folded(name)
    return (
        folded(chapter.name) in text
        or folded(chapter.title) in text
        or bool(re.match(rf"{chapter.name[:4]}(?!\d)", name.strip().lower()))
    )
