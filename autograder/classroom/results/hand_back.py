"""Feedback pages as a zip that a platform takes in, every page to the student whose file it is
about.

Canvas (Grades → assignment → Upload Submissions) finds the submission by the numbers of user and
attachment in the name that its own download gave the file (app/models/abstract_assignment.rb,
infer_comment_context_from_filename); a group's page reaches every member. Moodle (assignment →
Upload multiple feedback files in a zip) finds the participant by the folder that its own download
made (mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import). A team's folder
carries the number of the team (mod/assign/classes/downloader.php, get_student_prefix), which the
upload would take for the participant of that number: the members' own numbers come from the grading
worksheet, and without it a team gets no page.
"""

from pathlib import Path, PurePosixPath

from autograder.classroom.collect.archive import ExportedFile
from autograder.classroom.collect.platforms import MOODLE, reader
from autograder.classroom.collect.roster import Roster, folded, remembered_roster
from autograder.classroom.paths import feedback_path, submitted_path
from autograder.classroom.results.export import MOODLE_GRADE, MOODLE_IDENTIFIER
from autograder.classroom.results.lateness import read_about
from autograder.classroom.results.sheet import read_sheet
from autograder.classroom.run.submissions import find_submissions
from autograder.course.errors import AutograderError
from autograder.course.files import zipped
from autograder.course.model import Chapter
from autograder.course.settings import Settings

TEAM_NEEDS = "its folder has no member's number: add --gradebook with Moodle's grading worksheet"


def participants(worksheet: Path, roster: Roster) -> dict[str, str]:
    """{student, folded: Moodle's number for them} of a grading worksheet, as export matches it.

    The first column is the identifier, those before the grade what Moodle calls the student. Raises
    AutograderError where the file is no such worksheet.
    """
    sheet = read_sheet(worksheet)
    place = sheet.column(MOODLE_GRADE) or 3  # what comes before is who it is
    numbers: dict[str, str] = {}
    for row in filter(None, sheet.rows[1:]):
        identifier = MOODLE_IDENTIFIER.match(row[0])
        if not identifier:
            raise AutograderError(
                f"{worksheet}: expected Moodle's grading worksheet, whose first column is the "
                f"identifier, as 'Participant 123'; got {row[0]!r}. Download it with 'Download "
                "grading worksheet'."
            )
        keys = [identifier[1], *filter(None, row[1:place])]
        for key in keys if not roster.rows else [roster.student([key]) for key in keys]:
            if key:
                numbers.setdefault(folded(key), identifier[1])
    return numbers


def pages_zip(
    settings: Settings, chapter: Chapter, platform: str, worksheet: Path | None = None
) -> tuple[bytes, list[str], list[str]]:
    """(the zip, who gets a page by it, whose page is not in it, with the reason).

    platform: "canvas" or "moodle"; worksheet: Moodle's grading worksheet, for the members of teams.
    Raises AutograderError where nobody gets a page.
    """
    numbers = participants(worksheet, Roster(remembered_roster(settings))) if worksheet else {}
    files: dict[str, bytes] = {}
    reached, missed = [], []
    for found in find_submissions(settings.root / settings.submitted, chapter.name):
        student, page = found.student, feedback_path(settings, found.student, chapter.name)
        about = read_about(submitted_path(settings, student, chapter.name))
        name = _name(str(about.get("file", "")), platform)
        team = platform == "moodle" and about.get("together")
        if name and team:
            number = numbers.get(folded(student), "")
            name = f"Participant_{number}_assignsubmission_file_/feedback.html" if number else ""
        if not page.is_file():
            missed.append(f"{student}: not graded")
        elif not name and team:
            missed.append(
                f"{student}: handed in as a team, and "
                + ("the worksheet has no row of theirs" if worksheet else TEAM_NEEDS)
            )
        elif not name:
            missed.append(f"{student}: the file did not come from {platform.capitalize()}")
        else:
            files.setdefault(name, page.read_bytes())  # a group's members have the same page
            reached.append(student)
    if not files:
        raise AutograderError(
            f"no feedback page of {chapter.name} can go back to {platform.capitalize()}: "
            f"{'; '.join(missed[:3]) or 'nothing was handed in'}. Collect the export of that "
            f"platform and run 'python -m autograder grade {chapter.name[:4]}' first."
        )
    return zipped(files), reached, missed


def _name(file, platform):
    """What the platform must read as the page's name; "" where the file is not from there."""
    parts = PurePosixPath(file).parts
    if platform == "canvas":
        known = parts and reader("canvas", [])(ExportedFile(PurePosixPath(parts[0])))
        return f"{PurePosixPath(parts[0]).stem}.html" if known else ""
    part = next((part for part in parts if MOODLE.match(part)), "")
    flat = part == parts[-1] if parts else False
    return (f"{PurePosixPath(part).stem}.html" if flat else f"{part}/feedback.html") if part else ""
