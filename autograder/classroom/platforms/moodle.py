"""Moodle: "Download all submissions", the grading worksheet, the zip of feedback files.

``Jane Doe_123456_assignsubmission_file_/ch02.ipynb``: full name, participant id
(mod/assign/classes/downloader.php, get_student_prefix), or the same in one flat name. A team's file
has the team's name and number, or "Default group" and no number.
"""

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from autograder.classroom.people import Roster, folded
from autograder.classroom.platforms.platform import (
    ExportedFile,
    Filling,
    HandedIn,
    Platform,
    most,
    scaled,
)
from autograder.classroom.tables import Sheet, number_in, read_sheet
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter

PREFIX = re.compile(
    r"^(?P<name>.+?)(?:_(?P<id>\d+))?_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)$"
)
NO = {"no", "nein", "non", "nee", "não"}  # under "Grade can be changed", behind the maximum
IDENTIFIER = re.compile(r"\D*(\d+)$")
GRADE = ("Grade", "Bewertung", "Note", "Calificación", "Valutazione", "Cijfer", "Nota")
MAXIMUM = (
    "Maximum Grade|Beste Bewertung|Note maximale|Calificación máxima|Valutazione massima|"
    "Maximumcijfer|Nota máxima"
).split("|")


class Moodle(Platform):
    name, title = "moodle", "Moodle"
    takes_marks = takes_pages = True
    team_needs = (
        "its folder has no member's number: add --gradebook with Moodle's grading worksheet"
    )

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        return most(any(map(PREFIX.match, path.parts)) for path in notebooks)

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        for match in filter(None, map(PREFIX.match, entry.path.parts)):
            flat = match["file"] and len(entry.path.parts) == 1
            keys = tuple(filter(None, (match["id"], match["name"])))
            file = match["file"] if flat else entry.path.name
            return [HandedIn(keys, file, group=match["name"])]
        return []

    def fill(self, sheet: Sheet, filling: Filling, chapter: Chapter, column: str) -> None:
        """Fill the grades of the worksheet; all other cells stay, comments with their lines.

        The first column is the identifier, the maximum stands behind the grade, and behind it
        whether the grade can be changed, in the words of the site's language
        (mod/assign/gradingtable.php).
        """
        header = sheet.rows[0]
        place = sheet.column([column] if column else GRADE)
        if place is None or not all(IDENTIFIER.match(row[0]) for row in sheet.rows[1:] if row):
            raise AutograderError(
                "expected Moodle's grading worksheet with the columns Identifier and Grade; got "
                f"{', '.join(header[:8])}. Download it with 'Download grading worksheet', or name "
                "the column of grades with --column."
            )
        most, last = sheet.column(MAXIMUM), filling.last_cells(header[place])
        most = place + 1 if most is None else most
        behind = [row[most + 1].strip().casefold() for row in sheet.rows[1:] if len(row) > most + 1]
        lockable = len({*behind} - NO) <= 1 and "" not in behind  # no comments
        for row in filter(None, sheet.rows[1:]):
            cells = [*row, *[""] * (len(header) - len(row))]
            number = IDENTIFIER.match(cells[0])
            mark = filling.find([number[1] if number else "", *cells[1:place]])
            maximum, changeable, *_ = [*cells[most:], "", ""]
            locked = lockable and changeable.strip().casefold() in NO
            where = f"{sheet.path}: maximum of {cells[0]}, behind the column {header[place]!r}"
            ours = scaled(mark, number_in(maximum, where), 2) if mark else ""
            text = filling.cell(mark, cells[place], last.get(cells[0], ""), ours, locked)
            if text is not cells[place]:
                row[:] = [*cells[:place], text, *cells[place + 1 :]]

    def page_name(self, file: str) -> str:
        """Moodle finds the participant by the folder that its own download made
        (mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import).
        """
        parts = PurePosixPath(file).parts
        part = next(filter(PREFIX.match, parts), "")
        if not part:
            return ""
        return f"{PurePosixPath(part).stem}.html" if part == parts[-1] else f"{part}/feedback.html"

    def members(self, worksheet: Path, roster: Roster) -> dict[str, str]:
        """A team's folder carries the number of the team (get_student_prefix), which the upload
        would take for the participant of that number: the members' own numbers come from the
        worksheet, matched as ``fill`` does. Its first column is the identifier, those before the
        grade what Moodle calls the student.
        """
        sheet = read_sheet(worksheet)
        place = sheet.column(GRADE) or 3  # what comes before is who it is
        pages: dict[str, str] = {}
        for row in filter(None, sheet.rows[1:]):
            identifier = IDENTIFIER.match(row[0])
            if not identifier:
                raise AutograderError(
                    f"{worksheet}: expected Moodle's grading worksheet, whose first column is the "
                    f"identifier, as 'Participant 123'; got {row[0]!r}. Download it with 'Download "
                    "grading worksheet'."
                )
            page = f"Participant_{identifier[1]}_assignsubmission_file_/feedback.html"
            keys = [identifier[1], *filter(None, row[1:place])]
            for key in keys if not roster.rows else [roster.student([key]) for key in keys]:
                if key:
                    pages.setdefault(folded(key), page)
        return pages
