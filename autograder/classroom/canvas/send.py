"""Marks and feedback pages to Canvas, through its API: what a person typed there stays, and nothing
is sent that a person has not seen in the list of changes.

Documented at developerdocs.instructure.com/services/canvas/resources/submissions ("Grade or comment
on a submission", "Grade or comment on a submission by anonymous id", "Upload a file") and
services/canvas/basics/file.file_uploads.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.classroom.canvas.api import Canvas
from autograder.classroom.canvas.download import Json, keys_of
from autograder.classroom.marks import Mark
from autograder.classroom.paths import feedback_path
from autograder.classroom.people import Roster
from autograder.classroom.platforms.platform import CellChange, Filling, scaled
from autograder.classroom.tables import same
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings

WITH_POINTS = ("points", "percent")  # grading_type: a number is taken as points in both


@dataclass(frozen=True)
class Parcel:
    """What one student is to get."""

    student: str
    at: str  # the path of the submission
    number: str  # of the user, or the anonymous id
    points: str = ""  # "7.5", "EX", or "" for no change
    page: Path | None = None


@dataclass
class Plan:
    """What would be sent, for a person to look at first."""

    parcels: list[Parcel] = field(default_factory=list)
    changes: list[CellChange] = field(default_factory=list)
    unknown: Sequence[str] = ()  # students with a mark, unknown to Canvas
    remarks: list[str] = field(default_factory=list)


class Sent:
    """What was sent before, kept beside the marks: by it a mark of ours is told from a person's."""

    def __init__(self, settings: Settings, chapter: str) -> None:
        self.path = settings.root / settings.marks / f"{chapter}-canvas-sent.json"
        try:
            self.known: dict[str, dict[str, str]] = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            self.known = {}

    def last(self, number: str, what: str) -> str:
        """What was sent last: "points", or the hash of the "page"."""
        return self.known.get(number, {}).get(what, "")

    def record(self, number: str, what: str, value: str) -> None:
        """Write down what was sent."""
        self.known.setdefault(number, {})[what] = value
        write(self.path, json.dumps(self.known, indent=1, sort_keys=True).encode())


def plan(
    settings: Settings,
    chapter: Chapter,
    canvas: Canvas,
    path: str,
    marks: Sequence[Mark],
    roster: Path | str | None = None,
    what: Sequence[str] = ("marks", "pages"),
    overwrite: bool = False,
) -> Plan:
    """What is to be sent to an assignment, and what Canvas holds that stays. path: of the
    assignment; overwrite: replace marks that a person typed, too (EX stays).

    Raises AutograderError where the assignment takes no points.
    """
    assignment = canvas.get(path)
    possible = float(assignment.get("points_possible") or 0)
    kind = assignment.get("grading_type", "points")
    if "marks" in what and (kind not in WITH_POINTS or not possible):
        raise AutograderError(
            f"{path}: expected an assignment with points; Canvas grades it as {kind!r} out of "
            f"{possible:g}. Set it to points, with points possible, in Canvas."
        )
    made, sent = Plan(), Sent(settings, chapter.name)
    fill = Filling(marks, Roster(roster), overwrite)
    together: dict[str, set[str]] = {}
    for one in canvas.pages(f"{path}/submissions", {"include[]": ["user", "group"]}):
        keys = keys_of(one, one.get("user") or {})
        mark = fill.find(keys)
        if mark is None:
            continue
        named = bool(one.get("user_id"))
        at = f"{path}/{'submissions' if named else 'anonymous_submissions'}/{keys[0]}"
        points = ""
        if "marks" in what:
            before, ours = _held(one), scaled(mark, possible)
            points = fill.cell(mark, before, sent.last(keys[0], "points"), ours)
            points = "" if points == before else points
            together.setdefault(str((one.get("group") or {}).get("id") or keys), set()).add(ours)
            if one.get("points_deducted"):
                made.remarks.append(
                    f"{mark.student}: Canvas takes {one['points_deducted']:g} points off by its "
                    "own late policy; export without --late, or switch that policy off"
                )
        page = None
        if "pages" in what:
            page, remark = _page(settings, chapter, mark.student, keys[0], named, sent)
            made.remarks += [remark] if remark else []
        if points or page:
            made.parcels.append(Parcel(mark.student, at, keys[0], points, page))
    made.changes = fill.changes
    made.unknown = fill.unknown
    one_mark = assignment.get("group_category_id")
    one_mark = one_mark and not assignment.get("grade_group_students_individually")
    if one_mark and any(len(given) > 1 for given in together.values()):
        raise AutograderError(
            f"{path}: Canvas gives a group one mark, and members of a group have different ones. "
            "Set 'Assign grades to each student individually' in the assignment."
        )
    return made


def send(
    settings: Settings,
    chapter: Chapter,
    canvas: Canvas,
    made: Plan,
    on_sent: Callable[[int, int], None] = lambda done, total: None,
) -> list[str]:
    """Send a plan. Returns a line for each student whose mark Canvas did not keep.

    Called again after an error, ``plan`` holds what is left.
    """
    sent, refused = Sent(settings, chapter.name), []
    for done, parcel in enumerate(made.parcels, 1):
        fields: dict[str, Any] = {}
        if parcel.points == "EX":
            fields["submission[excuse]"] = "true"
        elif parcel.points:
            fields["submission[posted_grade]"] = parcel.points
        if parcel.page:
            content = parcel.page.read_bytes()
            at, name = f"{parcel.at}/comments/files", f"{chapter.name}-feedback.html"
            fields["comment[file_ids][]"] = canvas.upload(at, name, content, "text/html")
            fields["comment[text_comment]"] = f"Feedback on {chapter.title}"
        held = _held(canvas.put(parcel.at, fields))
        if parcel.points and not same(held, parcel.points):
            refused.append(f"{parcel.student}: sent {parcel.points}, Canvas holds {held or '-'}")
        elif parcel.points:
            sent.record(parcel.number, "points", parcel.points)
        if parcel.page:
            sent.record(parcel.number, "page", hashlib.sha256(content).hexdigest())
        on_sent(done, len(made.parcels))
    return refused


def _held(submission: Json) -> str:
    """A submission's mark as a cell: before Canvas's own late policy, where it says so."""
    if submission.get("excused"):
        return "EX"
    score = submission.get("entered_score", submission.get("score"))
    return "" if score is None else f"{round(float(score), 4):g}"


def _page(
    settings: Settings, chapter: Chapter, student: str, number: str, named: bool, sent: Sent
) -> tuple[Path | None, str]:
    """(the page to send or None, a remark or "")."""
    page = feedback_path(settings, student, chapter.name)
    if not page.is_file():
        return None, f"{student}: no feedback page; not graded"
    if not named:
        return None, f"{student}: Canvas takes no file while names are hidden; send pages later"
    if hashlib.sha256(page.read_bytes()).hexdigest() == sent.last(number, "page"):
        return None, ""
    return page, ""
