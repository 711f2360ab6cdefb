"""Marks out of the gradebook, in the form that a platform takes in."""

import csv
import io
import json
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.classroom.collect.roster import Roster, folded
from autograder.classroom.results.gradebook import Book
from autograder.classroom.results.gradescope import mark_json
from autograder.classroom.results.late import DAY, LatePolicy
from autograder.classroom.results.marks import defuse
from autograder.course.errors import AutograderError
from autograder.course.files import write

NO_POLICY = LatePolicy()
CANVAS_IDS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section")
MOODLE_PARTICIPANT = re.compile(r"\d+")


@dataclass(frozen=True)
class Mark:
    """One student's mark on a chapter, manual marks counted, lateness applied."""

    student: str
    points: float
    before_late: float
    max_points: float
    seconds_late: float
    parts: tuple[tuple[str, float, float], ...]  # (check, points, of) before lateness


def read_marks(settings, chapter, policy=NO_POLICY, due=None):
    """Marks of all submissions of a chapter, sorted by student.

    due: datetime in UTC, or None for the due date that the gradebook holds. A file that the
    platform called late, where no date says by how much, counts as one day late.
    """
    with Book(settings.database, settings.course_id) as book:
        marks = []
        for submission in book.submissions(chapter.name):
            late = _seconds_late(settings, submission, chapter.name, due)
            score = sum(points for _, points, _ in submission.parts)
            marks.append(
                Mark(
                    submission.student,
                    round(policy.mark(score, late), 4),
                    score,
                    submission.max_score,
                    late,
                    submission.parts,
                )
            )
    if not marks:
        raise AutograderError(
            f"the gradebook holds no marks for {chapter.name}; run 'python -m autograder grade "
            f"{chapter.name[:4]}' first."
        )
    return sorted(marks, key=lambda mark: mark.student)


def export(settings, chapter, platform, marks, target, template=None, roster=None, column=""):
    """Write ``marks`` to ``target`` in the form of ``platform``: "canvas", "moodle", "gradescope"
    or "csv".

    template: the gradebook file that the platform exported (needed for Canvas and Moodle, whose
    id columns are copied). Returns (path or folder written, students in the marks that the
    template does not know).
    """
    target = Path(target)
    if platform == "csv":
        write(target, plain_csv(chapter, marks).encode())
        return target, []
    if platform == "gradescope":
        for mark in marks:
            write(target / mark.student / "results.json", mark_json(chapter, mark).encode())
        return target, []
    if template is None:
        raise AutograderError(
            f"--to {platform} needs the gradebook file that {platform.capitalize()} exports, for "
            "its id columns: add --gradebook FILE."
        )
    rows = _read_table(template)
    fill = _fill_canvas if platform == "canvas" else _fill_moodle
    table, used = fill(rows, chapter, marks, Roster(roster), column)
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(
        [[defuse(cell) for cell in row] for row in table]
    )
    write(target, out.getvalue().encode())
    return target, sorted({mark.student for mark in marks} - used)


def plain_csv(chapter, marks):
    """One row per student: points after lateness, points before, maximum, days late, and a column
    per check.
    """
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    checks = [
        check for exercise in chapter.exercises for check in (c.grade_id for c in exercise.checks)
    ]
    table.writerow(["student", "points", "before lateness", "of", "days late", *checks])
    for mark in marks:
        parts = {name: points for name, points, _ in mark.parts}
        table.writerow(
            [
                defuse(mark.student),
                f"{mark.points:g}",
                f"{mark.before_late:g}",
                f"{mark.max_points:g}",
                f"{mark.seconds_late / DAY:.2f}",
                *(f"{parts.get(check, 0):g}" for check in checks),
            ]
        )
    return out.getvalue()


def _fill_canvas(rows, chapter, marks, roster, column):
    """Canvas: the id columns of its gradebook file and one column of points; a second row holds the
    points possible.
    """
    header = rows[0]
    ids = [i for i, name in enumerate(header) if name in CANVAS_IDS]
    if "Student" not in header or "ID" not in header:
        raise AutograderError(
            "expected a Canvas gradebook with the columns Student and ID; got "
            f"{', '.join(header[:6])}. Export it with Grades → Export."
        )
    wanted = column or next((name for name in header if _means(name, chapter)), chapter.title)
    find = _finder(marks, roster)
    table, used = [[*(header[i] for i in ids), wanted]], set()
    for row in rows[1:]:
        identity = [row[i] if i < len(row) else "" for i in ids]
        if identity[0].strip() == "Points Possible":
            table.append([*identity, f"{chapter.points:g}"])
            continue
        mark = find(
            [
                identity[k]
                for k, i in enumerate(ids)
                if header[i] in ("ID", "SIS User ID", "SIS Login ID", "Student")
            ]
        )
        used |= {mark.student} if mark else set()
        table.append([*identity, f"{mark.points:g}" if mark else ""])
    return table, used


def _fill_moodle(rows, chapter, marks, roster, column):
    """Moodle's grading worksheet: all its columns, the grade filled in."""
    header = rows[0]
    if "Identifier" not in header or "Grade" not in header:
        raise AutograderError(
            "expected Moodle's grading worksheet with the columns Identifier and Grade; got "
            f"{', '.join(header[:6])}. "
            "Download it with 'Download grading worksheet'."
        )
    find = _finder(marks, roster)
    table, used = [header], set()
    for row in rows[1:]:
        values = dict(zip(header, row, strict=False))
        number = MOODLE_PARTICIPANT.search(values.get("Identifier", ""))
        mark = find(
            [
                number[0] if number else "",
                values.get("ID number", ""),
                values.get("Email address", ""),
                values.get("Full name", ""),
            ]
        )
        if mark:
            used.add(mark.student)
            values["Grade"] = f"{mark.points:.2f}"
            if "Maximum Grade" in values and mark.max_points:
                values["Grade"] = (
                    f"{mark.points * float(values['Maximum Grade'].replace(',', '.') or mark.max_points) / mark.max_points:.2f}"
                )
        table.append([values.get(name, "") for name in header])
    return table, used


def _finder(marks, roster):
    """A function from what a platform calls a student to that student's Mark, or None."""
    by_name = {folded(mark.student): mark for mark in marks}

    def find(keys):
        for key in filter(None, keys):
            student = roster.student([key]) if roster.rows else key
            if folded(student) in by_name:
                return by_name[folded(student)]
        return None

    return find


def _means(name, chapter):
    text = folded(name)
    return (
        folded(chapter.name) in text
        or folded(chapter.title) in text
        or re.match(rf"{chapter.name[:4]}(?!\d)", name.strip().lower())
    )


def _read_table(path):
    try:
        rows = list(csv.reader(Path(path).read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise AutograderError(f"{path}: cannot be read as a CSV in UTF-8: {error}.") from error
    if not rows:
        raise AutograderError(f"{path}: is empty; export the gradebook from the platform again.")
    return rows


def _seconds_late(settings, submission, chapter_name, due):
    due = due or submission.due
    if due and submission.received:
        return max(0.0, (submission.received - due).total_seconds())
    about = (
        settings.root / settings.submitted / submission.student / chapter_name / "collected.json"
    )
    try:
        said = json.loads(about.read_text(encoding="utf-8")).get("late")
    except (OSError, ValueError, AttributeError):
        said = False
    return float(DAY) if said else 0.0


def parse_due(text):
    """A due date such as "2026-11-20 23:59", taken as UTC."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise AutograderError(f"due date {text!r}: expected YYYY-MM-DD HH:MM (UTC).") from error
