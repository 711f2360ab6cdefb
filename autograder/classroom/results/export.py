"""Marks and feedback pages in the form that a platform takes in. What a platform's file holds
already is never lost, and every page goes to the student whose file it is about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.collect.submitted import find_submissions
from autograder.classroom.marks import Mark, plain_csv
from autograder.classroom.paths import feedback_path
from autograder.classroom.people import Roster, folded, remembered_roster
from autograder.classroom.platforms.platform import CellChange, Filling
from autograder.classroom.platforms.registry import find_platform
from autograder.classroom.tables import read_sheet
from autograder.course.errors import AutograderError
from autograder.course.files import write, zipped
from autograder.course.model import Chapter
from autograder.course.settings import Settings


@dataclass(frozen=True)
class Export:
    """Marks for a platform, for a person to look at before they are written."""

    path: Path
    content: bytes
    changes: tuple[CellChange, ...] = ()
    unknown: tuple[str, ...] = ()  # students with a mark whom the platform's file does not know

    def write(self) -> None:
        """Write the file."""
        write(self.path, self.content)


@dataclass(frozen=True)
class Pages:
    """Feedback pages for a platform."""

    content: bytes  # of the zip
    reached: tuple[str, ...]  # who gets a page by it
    missed: tuple[str, ...]  # whose page is not in it, with the reason


def export(
    chapter: Chapter,
    platform: str,
    marks: Sequence[Mark],
    target: Path | str,
    template: Path | str | None = None,
    roster: Path | str | None = None,
    column: str = "",
    overwrite: bool = False,
) -> Export:
    """``marks`` in the form of ``platform``: the name of one that takes marks, or "csv".

    template: the file that the platform exported, which is filled in. column: header of the column
    to fill, where its name does not tell. overwrite: replace marks that a person typed. Nothing is
    written before ``Export.write`` is called. Raises AutograderError.
    """
    target = Path(target)
    if platform == "csv":
        return Export(target, plain_csv(chapter, marks).encode())
    known = find_platform(platform)
    if not known.takes_marks:
        raise AutograderError(f"{known.title} takes no file of marks; export to csv.")
    if template is None:
        raise AutograderError(
            f"--to {platform} needs the gradebook file that {known.title} exports, for its id "
            "columns: add --gradebook FILE."
        )
    sheet, last = read_sheet(Path(template)), read_sheet(target) if target.is_file() else None
    filling = Filling(marks, Roster(roster), overwrite, last)
    known.fill(sheet, filling, chapter, column)
    return Export(target, sheet.as_bytes(), tuple(filling.changes), filling.unknown)


def pages_zip(
    settings: Settings, chapter: Chapter, platform: str, worksheet: Path | None = None
) -> Pages:
    """The pages as a zip that a platform takes in.

    worksheet: the file that says which pages the members of teams get. Raises AutograderError where
    nobody gets a page.
    """
    known = find_platform(platform)
    if not known.takes_pages:
        raise AutograderError(f"{known.title} takes no zip of feedback pages.")
    roster = Roster(remembered_roster(settings))
    of_members = known.members(worksheet, roster) if worksheet else {}
    files: dict[str, bytes] = {}
    reached, missed = [], []
    for found in find_submissions(settings.root / settings.submitted, chapter.name):
        student, page = found.student, feedback_path(settings, found.student, chapter.name)
        name = known.page_name(found.collected.file)
        why = f"the file did not come from {known.title}"
        if name and known.team_needs and found.collected.together:
            name = of_members.get(folded(student), "")
            needs = "the worksheet has no row of theirs" if worksheet else known.team_needs
            why = f"handed in as a team, and {needs}"
        if not page.is_file():
            missed.append(f"{student}: not graded")
        elif not name:
            missed.append(f"{student}: {why}")
        else:
            files.setdefault(name, page.read_bytes())  # a group's members have the same page
            reached.append(student)
    if not files:
        raise AutograderError(
            f"no feedback page of {chapter.name} can go back to {known.title}: "
            f"{'; '.join(missed[:3]) or 'nothing was handed in'}. Collect the export of that "
            f"platform and run 'python -m autograder grade {chapter.name[:4]}' first."
        )
    return Pages(zipped(files), tuple(reached), tuple(missed))
