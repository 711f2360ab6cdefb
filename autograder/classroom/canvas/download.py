"""What was handed in, through Canvas's API: files with the time at which Canvas took them, and what
it knows of each student's due date, excuse, group and section.

Documented at developerdocs.instructure.com/services/canvas/resources: submissions ("List assignment
submissions"), assignments (Assignment, AssignmentOverride), users ("List users in course"),
sections. Every member of a group has a submission of their own, with the same attachment.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.classroom.canvas.api import Canvas
from autograder.classroom.collect.archive import opened
from autograder.classroom.late import parse_utc
from autograder.classroom.paths import canvas_people_path
from autograder.classroom.people import Roster
from autograder.classroom.platforms.platform import ExportedFile, HandedIn
from autograder.classroom.tables import csv_text, read_rows
from autograder.course.errors import AutograderError, first_line
from autograder.course.files import LARGEST_SUBMISSION, write
from autograder.course.settings import Settings

Json = Mapping[str, Any]  # an object of Canvas's
COLUMNS = ("student", "chapter", "due", "excused", "group", "section")
BY_A_PERSON = ("late", "extended", "none")  # late_policy_status


@dataclass(frozen=True)
class Student:
    """What Canvas says of one student and one assignment."""

    keys: tuple[str, ...]  # what may identify the student, the best first
    due: datetime | None = None  # in UTC, overrides and a person's word on lateness counted
    excused: bool = False
    group: str = ""
    section: str = ""
    name: str = ""  # as Canvas sorts by it; "" where marking is anonymous


@dataclass
class Download:
    """The files of one assignment, and its students."""

    entries: list[ExportedFile] = field(default_factory=list)
    students: list[Student] = field(default_factory=list)
    without_file: list[str] = field(default_factory=list)  # handed in as text or an address
    lost: list[str] = field(default_factory=list)  # files that could not be had
    handed_in: dict[str, HandedIn] = field(default_factory=dict)

    def read(self, entry: ExportedFile) -> Sequence[HandedIn]:
        """Who handed a file in, and when."""
        found = self.handed_in.get(entry.path.parts[0])
        return [found] if found else []


def download(
    canvas: Canvas, path: str, on_file: Callable[[int, int], None] = lambda done, total: None
) -> Download:
    """Every file of an assignment, and every student's dates. path: of the assignment; on_file:
    called with how many files are there, and how many there will be.

    A file that cannot be had becomes an entry that says why. Raises AutograderError where Canvas
    does not answer for the assignment.
    """
    made, course = Download(), path.partition("/assignments/")[0]
    assignment = canvas.get(path)
    overrides = list(canvas.pages(f"{path}/overrides"))
    sections = {str(one["id"]): one.get("name", "") for one in canvas.pages(f"{course}/sections")}
    asked = {"enrollment_type[]": "student", "include[]": ["enrollments", "email"]}
    users = {str(one["id"]): one for one in canvas.pages(f"{course}/users", asked)}
    members: dict[tuple[str, str], list[tuple[Json, Json, Student]]] = defaultdict(list)
    for one in canvas.pages(f"{path}/submissions", {"include[]": ["user", "group"]}):
        user = users.get(str(one.get("user_id")), one.get("user") or {})
        student = _student(one, user, assignment, overrides, sections)
        if student is None:
            continue
        made.students.append(student)
        if one.get("submitted_at") and not one.get("attachments"):
            kind = str(one.get("submission_type"))
            made.without_file.append(f"{student.keys[0]}: handed in as {kind}, not as a file")
        group = str((one.get("group") or {}).get("id") or "")
        for attachment in one.get("attachments") or ():
            number = str(attachment.get("id"))
            alone = "" if group else student.keys[0]
            members[group or alone, number].append((one, attachment, student))
    for done, of_one in enumerate(members.values(), 1):
        first, attachment, student = of_one[0]
        handed_in = _handed_in(first, attachment, [each.keys for _, _, each in of_one])
        name = _name(first, attachment, student, handed_in)
        made.handed_in[name] = handed_in
        entry = _fetched(canvas, attachment, name)
        if entry.problem:
            made.lost.append(f"{name}: {entry.problem}")
        made.entries += opened(entry)
        on_file(done, len(members))
    return made


def write_people(
    settings: Settings, chapter: str, students: Sequence[Student], roster: Path | str | None
) -> None:
    """Put what Canvas says of students into the table that people.csv goes before. chapter: its
    name; the rows of other chapters stay. Names are not kept.
    """
    known, path = Roster(roster), canvas_people_path(settings)
    rows = [row for _, row in read_rows(path)[1]] if path.is_file() else []
    kept = [[row[name] for name in COLUMNS] for row in rows if row["chapter"] != chapter]
    for one in students:
        student = known.student(one.keys)
        if student:
            due = one.due.isoformat(" ", "seconds") if one.due else ""
            words = (due, "yes" if one.excused else "", one.group, one.section)
            kept.append([student, chapter, *words])
    write(path, csv_text(COLUMNS, sorted(kept)).encode("utf-8", "replace"))


def keys_of(submission: Json, user: Json) -> tuple[str, ...]:
    """What may identify the student of a submission; the anonymous id where there is no user."""
    if not submission.get("user_id"):
        return tuple(filter(None, [str(submission.get("anonymous_id") or "")]))
    names = ("sis_user_id", "login_id", "email", "sortable_name", "name")
    keys = (submission["user_id"], *(user.get(name) for name in names))
    return tuple(dict.fromkeys(str(key) for key in keys if key))


def _student(
    one: Json, user: Json, assignment: Json, overrides: Sequence[Json], sections: Mapping[str, str]
) -> Student | None:
    """The student of a submission; None where nothing identifies one."""
    keys = keys_of(one, user)
    if not keys:
        return None
    group = one.get("group") or {}
    where = {str(each["course_section_id"]) for each in user.get("enrollments") or ()}
    due = _due(str(one.get("user_id")), str(group.get("id")), where, assignment, overrides)
    received = _time(one.get("submitted_at"))
    if one.get("late_policy_status") in BY_A_PERSON and received:
        late = float(one.get("seconds_late") or 0)
        due = received - timedelta(seconds=late) if late else max(due or received, received)
    section = ", ".join(sorted(filter(None, (str(sections.get(id_, "")) for id_ in where))))
    team, name = str(group.get("name") or ""), str(user.get("sortable_name") or "")
    return Student(keys, due, bool(one.get("excused")), team, section, name)


def _due(
    user: str, group: str, sections: set[str], assignment: Json, overrides: Sequence[Json]
) -> datetime | None:
    """When a student's work is due: the latest date of the overrides that hold for the student,
    else the assignment's.
    """
    dates = []
    for one in overrides:
        named = user in map(str, one.get("student_ids") or ())
        grouped = one.get("group_id") and group == str(one["group_id"])
        if named or grouped or str(one.get("course_section_id")) in sections:
            dates += [one["due_at"]] if "due_at" in one else []
    if not dates:
        return _time(assignment.get("due_at"))
    return None if None in dates else max(filter(None, map(_time, dates)), default=None)


def _handed_in(submission: Json, attachment: Json, keys: Sequence[tuple[str, ...]]) -> HandedIn:
    number = str(attachment.get("id"))
    return HandedIn(
        keys[0],
        str(attachment.get("display_name") or attachment.get("filename") or ""),
        int(number) if number.isdigit() else 0,
        bool(submission.get("late")),
        _time(submission.get("submitted_at")),
        others=tuple(keys[1:]),
    )


def _name(submission: Json, attachment: Json, student: Student, handed_in: HandedIn) -> str:
    """The name that the file has in Canvas's own zip (app/models/content_zipper.rb), so that what
    reads that zip's names reads this one.
    """
    late = "LATE_" if handed_in.late else ""
    file = re.sub(r"[/\\\x00-\x1f]", "_", handed_in.file) or "file"
    if not submission.get("user_id"):
        return f"anon_{student.keys[0]}_{late}{attachment.get('id')}_{file}"
    letters = re.sub(r"\W", "", student.name).lower()
    return f"{letters or 'student'}_{late}{student.keys[0]}_{attachment.get('id')}_{file}"


def _fetched(canvas: Canvas, attachment: Json, name: str) -> ExportedFile:
    path = PurePosixPath(name)
    if attachment.get("size", 0) > LARGEST_SUBMISSION:
        most = LARGEST_SUBMISSION >> 20
        return ExportedFile(path, problem=f"more than {most} MB; at most {most} MB are read")
    try:
        return ExportedFile(path, canvas.download(str(attachment.get("url") or "")))
    except AutograderError as error:
        return ExportedFile(path, problem=f"could not be downloaded: {first_line(error)}")


def _time(text: object) -> datetime | None:
    """A date of Canvas's in UTC, without a zone; None where there is none."""
    try:
        return parse_utc(str(text))
    except (ValueError, OverflowError):
        return None
