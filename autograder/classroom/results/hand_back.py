"""Feedback pages as a zip that a platform takes in, every page to the student whose file it is
about.

Canvas (Grades → assignment → Upload Submissions) finds the submission by the numbers of user and
attachment in the name that its own download gave the file (app/models/abstract_assignment.rb,
infer_comment_context_from_filename); a group's page reaches every member. Moodle (assignment →
Upload multiple feedback files in a zip) finds the participant by the folder that its own download
made (mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import), where a team's
folder carries the number of the team, which may be that of a stranger: teams get no page there.
"""

from pathlib import PurePosixPath

from autograder.classroom.collect.archive import ExportedFile
from autograder.classroom.collect.platforms import MOODLE, reader
from autograder.classroom.paths import feedback_path, submitted_path
from autograder.classroom.results.lateness import read_about
from autograder.classroom.run.submissions import find_submissions
from autograder.course.errors import AutograderError
from autograder.course.files import zipped
from autograder.course.model import Chapter
from autograder.course.settings import Settings


def pages_zip(
    settings: Settings, chapter: Chapter, platform: str
) -> tuple[bytes, list[str], list[str]]:
    """(the zip, who gets a page by it, whose page is not in it, with the reason).

    platform: "canvas" or "moodle". Raises AutograderError where nobody gets one.
    """
    files: dict[str, bytes] = {}
    reached, missed = [], []
    for found in find_submissions(settings.root / settings.submitted, chapter.name):
        student, page = found.student, feedback_path(settings, found.student, chapter.name)
        about = read_about(submitted_path(settings, student, chapter.name))
        name = _name(str(about.get("file", "")), platform)
        if not page.is_file():
            missed.append(f"{student}: not graded")
        elif not name:
            missed.append(f"{student}: the file did not come from {platform.capitalize()}")
        elif platform == "moodle" and about.get("together"):
            missed.append(f"{student}: handed in as a team; Moodle tells teams by another number")
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
