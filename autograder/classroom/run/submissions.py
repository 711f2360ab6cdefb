"""Find what was handed in: ``submitted/<student>/<chapter>/``, one notebook each, nothing opened
that need not be.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from autograder.course.files import LARGEST_SUBMISSION
from autograder.grading.result import Submission

ODD_NAME = "the folder's name holds control characters or is not UTF-8; rename it and grade again"
STUDENT_ID = re.compile(r"^[^/\\\x00-\x1f\x7f-\x9f]{1,255}\Z")


@dataclass(frozen=True)
class Found:
    """A folder of one student, before the file is read."""

    student: str
    chapter: str
    path: Path | None  # None: no notebook there
    problem: str = ""  # why it cannot be graded, in one line
    received: datetime | None = None

    def submission(self) -> Submission:
        """Read the file. Raises OSError."""
        assert self.path is not None
        return Submission(self.student, self.chapter, self.path.read_bytes(), self.path.name)


def find_submissions(folder: Path, chapter_name: str, students: Sequence[str] = ()) -> list[Found]:
    """Found for every student with a folder for the chapter below ``folder``, in order of their
    ids.
    """
    found = []
    for path in sorted(Path(folder).glob(f"*/{chapter_name}")):
        student = path.parent.name
        if students and student not in students:
            continue
        if not _is_id(student):
            found.append(Found(quote(os.fsencode(student))[:255], chapter_name, None, ODD_NAME))
            continue
        found.append(_look(student, chapter_name, path))
    return found


def _is_id(name):
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes of the file system that are no UTF-8
        return False
    return bool(STUDENT_ID.match(name))


def _look(student, chapter, folder):
    if not folder.is_dir() or folder.is_symlink():
        return Found(student, chapter, None, f"{folder} is not a folder")
    notebooks = sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith("."))
    exact = [path for path in notebooks if path.stem == chapter]
    candidates = exact or notebooks
    if not candidates:
        others = sorted(path.name for path in folder.iterdir() if path.name != "timestamp.txt")
        return Found(
            student,
            chapter,
            None,
            f"no notebook was handed in (found: {', '.join(others[:5]) or 'an empty folder'})",
        )
    if len(candidates) > 1:
        return Found(
            student,
            chapter,
            None,
            f"several notebooks and none is named {chapter}.ipynb: "
            f"{', '.join(p.name for p in candidates[:5])}",
        )
    path = candidates[0]
    if path.is_symlink() or not path.is_file():
        return Found(
            student, chapter, None, f"{path.name} is a link or no plain file; it was not followed"
        )
    if path.stat().st_size > LARGEST_SUBMISSION:
        return Found(
            student,
            chapter,
            None,
            f"{path.name} has {path.stat().st_size / 2**20:.0f} MB; at most "
            f"{LARGEST_SUBMISSION / 2**20:.0f} MB are read",
        )
    return Found(student, chapter, path, received=_received(folder))


def _received(folder):
    """When it was handed in, as nbgrader's exchange or the platform says; None where nobody says.

    Never the date of a file: that is when it was copied, unpacked or cloned.
    """
    stamp = folder / "timestamp.txt"
    if not stamp.is_file() or stamp.is_symlink():
        return None
    try:
        return parse_utc(stamp.read_text(encoding="utf-8").strip())
    except (OSError, ValueError):  # a stamp that cannot be read is no reason to refuse the notebook
        return None


def parse_utc(text: str) -> datetime:
    """A date in UTC without a zone, as nbgrader keeps it. text: may name its zone, as "+01:00".

    Raises ValueError.
    """
    made = datetime.fromisoformat(text.removesuffix(" UTC"))
    return made.astimezone(UTC).replace(tzinfo=None) if made.tzinfo else made
