"""Canvas: the zip of "Download Submissions", the gradebook's CSV, the zip of "Upload Submissions".

``doejane_LATE_123_456_ch02.ipynb``: name, LATE, user id, attachment id, file name
(app/models/content_zipper.rb, zip_assignment); ``anon_a1B2c_LATE_456_ch02.ipynb`` or
``LATE_anon_a1B2c_456_ch02.ipynb`` where marking is anonymous. A group's file has the group's name,
and the id of the member who stands for it (get_user_name).
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.classroom.people import folded
from autograder.classroom.platforms.platform import (
    ExportedFile,
    Filling,
    HandedIn,
    Platform,
    most,
    scaled,
)
from autograder.classroom.tables import Sheet, number_in
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter

NAMED = re.compile(
    r"^(?P<late>LATE_)?(?P<user>\d{1,20})_(?P<attachment>\d{1,20})_(?P<file>.+)$", re.IGNORECASE
)
ANONYMOUS = re.compile(
    r"^(?P<late>LATE_)?anon_(?P<user>[A-Za-z0-9]{5})_(?P<after>LATE_)?(?P<attachment>\d{1,20})_(?P<file>.+)$"
)
IDS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section")
KEYS = ("ID", "SIS User ID", "SIS Login ID", "Student")


class Canvas(Platform):
    name, title = "canvas", "Canvas"
    takes_marks = takes_pages = True

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        return most(_readings(path.parts[0]) for path in notebooks)

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        """Canvas numbers attachments as they come in: the greater number is the later file.

        It adds "-1" and so on to names that a student used before, which a name may also end in.
        An account is older than what it hands in: of two readings, the one with the greater user
        id goes.
        """
        readings = _readings(entry.path.parts[0])
        likely = [
            (name, match)
            for name, match in readings
            if not match["user"].isdigit() or int(match["user"]) < int(match["attachment"])
        ]
        found = []
        for name, match in likely or readings:
            keys = (match["user"], name) if name else (match["user"],)
            file = match["file"] if len(entry.path.parts) == 1 else entry.path.name
            late = bool(match["late"] or match.groupdict().get("after"))
            found.append(HandedIn(keys, file, int(match["attachment"]), late, group=name))
        return found

    def fill(self, sheet: Sheet, filling: Filling, chapter: Chapter, column: str) -> None:
        """Fill one column of the gradebook, and leave out all but that and the id columns.

        Its second rows hold the points possible (app/models/gradebook_exporter.rb).
        """
        header = sheet.rows[0]
        if "Student" not in header or "ID" not in header:
            raise AutograderError(
                "expected a Canvas gradebook with the columns Student and ID; got "
                f"{', '.join(header[:6])}. Export it with Grades → Export."
            )
        place = _place(sheet, chapter, column)
        ids = [i for i, name in enumerate(header) if name in IDS]
        keys = [i for name in KEYS for i in ids if header[i] == name]
        last = filling.last_cells(header[place], "ID")
        possible, rows = chapter.points, [[*(header[i] for i in ids), header[place]]]
        for row in sheet.rows[1:]:
            row = row + [""] * (len(header) - len(row))
            before = row[place]
            if row[0].strip() == "Points Possible":
                possible = number_in(before, f"{sheet.path}: points possible of {header[place]!r}")
                if not possible:
                    raise AutograderError(
                        f"{sheet.path}: {header[place]!r} has 0 points possible, so every mark "
                        f"would be 0; give the assignment its points in Canvas (ours are "
                        f"{chapter.points:g}) and export the gradebook again."
                    )
            elif any(row[i].strip() for i in keys):
                mark = filling.find([row[i] for i in keys])
                ours = scaled(mark, possible)
                before = filling.cell(mark, before, last.get(row[header.index("ID")], ""), ours)
            rows.append([*(row[i] for i in ids), before])
        sheet.rows = rows

    def page_name(self, file: str) -> str:
        """Canvas finds the submission by the numbers of user and attachment in the name that its
        own download gave the file (app/models/abstract_assignment.rb,
        infer_comment_context_from_filename); a group's page reaches every member.
        """
        first = next(iter(PurePosixPath(file).parts), "")
        return f"{PurePosixPath(first).stem}.html" if _readings(first) else ""


def _readings(part: str) -> list[tuple[str, re.Match[str]]]:
    """[(name, match)]: more than one where a name or a file's name holds numbers between
    underscores, as ``team_1_101_9001_ch02.ipynb``.
    """
    anonymous = ANONYMOUS.match(part)
    if anonymous:
        return [("", anonymous)]
    readings = []
    for i in (i for i, letter in enumerate(part) if letter == "_"):
        match = NAMED.match(part[i + 1 :])
        if match and not (match["late"] is None and part[:i].upper().endswith("_LATE")):
            readings.append((part[:i], match))
    return readings


def _place(sheet: Sheet, chapter: Chapter, column: str) -> int:
    """The index of the column to fill."""
    header = sheet.rows[0]
    fits = [name == column if column else _means(name, chapter) for name in header]
    found = [i for i, fit in enumerate(fits) if fit]
    if len(found) != 1:
        there = ", ".join(name for name in header if name not in IDS) or "none"
        raise AutograderError(
            f"{sheet.path}: {len(found)} columns fit {column or 'the chapter'!r}; there are: "
            f"{there}. Name one with --column."
        )
    return found[0]


def _means(name: str, chapter: Chapter) -> bool:
    numbered = re.match(rf"{chapter.name[:4]}(?!\d)", name.strip().lower())
    known = (folded(chapter.name), folded(chapter.title))
    return bool(numbered) or any(one in folded(name) for one in known)
