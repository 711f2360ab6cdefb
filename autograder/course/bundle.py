"""The part of the course that grading a chapter needs, as bytes: so that a worker shares nothing
with the coordinator but the package.
"""

import hashlib
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from autograder.course.bank import answers_path
from autograder.course.carry import REFERENCE, SETUP, SHARED_CHECKS, carried_chapters
from autograder.course.chapter import find_chapter
from autograder.course.files import zipped
from autograder.course.model import Chapter


@dataclass(frozen=True)
class Course:
    """The sources of a chapter and of all it carries from, zipped."""

    digest: str
    archive: bytes

    def unpack(self, folder: Path | str) -> None:
        """Write the sources below a folder, at their paths."""
        with zipfile.ZipFile(io.BytesIO(self.archive)) as archive:
            archive.extractall(folder)


def bundle(root: Path, chapter: Chapter) -> Course:
    """The sources that grading the chapter needs. The same sources give the same digest.

    >>> course = bundle(Path("."), find_chapter(".", "ch02"))
    >>> len(course.digest), zipfile.is_zipfile(io.BytesIO(course.archive))
    (64, True)
    """
    archive = zipped(sources(root, chapter))
    return Course(hashlib.sha256(archive).hexdigest(), archive)


def sources(root: Path, chapter: Chapter) -> dict[str, bytes]:
    """{path below the root: content} of the sources that grading the chapter needs: its own and
    those it carries from.
    """
    found: dict[str, bytes] = {}
    wanted = [chapter]
    while wanted:
        one = wanted.pop()
        if one.name not in found:
            found[one.name] = one.path.read_bytes()
            wanted += [find_chapter(root, name) for name in carried_chapters(one)]
    files = {f"source/{name}/{name}.py": content for name, content in found.items()}
    for shared in (SHARED_CHECKS, SETUP):
        if Path(root, shared).is_file():
            files[shared] = Path(root, shared).read_bytes()
    for exercise in chapter.exercises:  # whose slips hidden tests carry forward
        answers = answers_path(root, chapter.name, exercise.id)
        if answers.is_file() and any(REFERENCE in check.checks for check in exercise.checks):
            files[answers.relative_to(root).as_posix()] = answers.read_bytes()
    return files
