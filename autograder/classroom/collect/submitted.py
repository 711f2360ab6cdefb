"""What was handed in, as it lies in ``submitted/<student>/<chapter>/``: one notebook each, when it
came, and what collect noted about it, in ``submitted/collected.json``. Nothing is opened that need
not be.
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from autograder.classroom.late import parse_utc
from autograder.classroom.paths import notes_path
from autograder.course.errors import AutograderError, first_line
from autograder.course.files import LARGEST_SUBMISSION, UNSEEN, readable, write
from autograder.course.regions import STUB
from autograder.grading.result import Submission

ODD_NAME = "the folder's name holds characters that are not seen; rename it and grade again"
STAMP = "timestamp.txt"  # what nbgrader's exchange puts beside a notebook
LONGEST_STAMP = 64  # bytes
MOST_NOTEBOOKS = 10  # of one student that are compared
STUDENT_ID = re.compile(rf"^[^/\\{UNSEEN}]{{1,255}}\Z")


@dataclass(frozen=True)
class Collected:
    """What collect noted about a submission."""

    file: str = ""  # its path in the export; "" where it was not collected
    attempt: int = -1
    late: bool = False  # the platform called it so
    received: str = ""  # in UTC; "" where the platform does not say
    together: tuple[str, ...] = ()  # all who handed it in, where there are several

    @property
    def newness(self) -> tuple[int, str]:
        """Newer attempts compare greater; equal where the platform tells none from the other."""
        return self.attempt, self.received


class Notes(dict[str, Collected]):
    """{"student/chapter": what collect noted about it}, of all submissions below a folder."""

    def __init__(self, handed_in: Path) -> None:
        self.path = notes_path(handed_in)
        try:
            said = json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}
            for name, note in said.items():
                self[name] = Collected(**{**note, "together": tuple(note["together"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise AutograderError(
                f"{self.path}: expected what collect wrote; got {first_line(error)}. Delete it and "
                "collect again."
            ) from error

    def about(self, folder: Path) -> Collected:
        """The note on a submission's folder; an empty one where it came by another way since."""
        own = self.get("/".join(folder.parts[-2:]))
        return own if own and not (folder / STAMP).exists() else Collected()

    def write(self) -> None:
        """Write all notes."""
        said = {name: asdict(note) for name, note in sorted(self.items())}
        text = json.dumps(said, ensure_ascii=False, indent=1)
        write(self.path, f"{text}\n".encode("utf-8", "replace"))


@dataclass(frozen=True)
class Found:
    """A folder of one student, before the file is read."""

    student: str
    chapter: str
    path: Path | None  # None: no notebook there
    problem: str = ""  # why it cannot be graded, in one line
    received: datetime | None = None  # in UTC
    collected: Collected = Collected()
    note: str = ""  # why this file counts, where there were several

    def submission(self) -> Submission:
        """Read the file. Raises OSError."""
        assert self.path is not None
        return Submission(self.student, self.chapter, self.path.read_bytes())


def find_submissions(folder: Path, chapter_name: str, students: Sequence[str] = ()) -> list[Found]:
    """Found for every student with a folder for the chapter below ``folder``, in order of their
    ids.
    """
    found, notes = [], Notes(folder)
    for path in sorted(Path(folder).glob(f"*/{chapter_name}")):
        student = path.parent.name
        if students and student not in students:
            continue
        if not _is_id(student):
            found.append(Found(quote(os.fsencode(student))[:255], chapter_name, None, ODD_NAME))
            continue
        found.append(_look(student, chapter_name, path, notes.about(path)))
    return found


def _is_id(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:  # bytes of the file system that are no UTF-8
        return False
    return bool(STUDENT_ID.match(name))


def _look(student: str, chapter: str, folder: Path, collected: Collected) -> Found:
    path, said = _notebook(chapter, folder)
    if path is None:
        return Found(student, chapter, None, said)
    received = parse_utc(collected.received) if collected.received else _received(folder)
    return Found(student, chapter, path, received=received, collected=collected, note=said)


def _notebook(chapter: str, folder: Path) -> tuple[Path | None, str]:
    """(the notebook of a folder, or None; why there is none that can be graded, or why this one of
    several counts).
    """
    if not folder.is_dir() or folder.is_symlink():
        return None, f"{folder} is not a folder"
    notebooks = sorted(path for path in folder.glob("*.ipynb") if not path.name.startswith("."))
    if not notebooks:
        others = sorted(readable(path.name) for path in folder.iterdir() if path.name != STAMP)
        there = ", ".join(others[:5]) or "an empty folder"
        return None, f"no notebook was handed in (found: {there})"
    named = [path for path in notebooks if path.stem == chapter]
    names = ", ".join(readable(path.name) for path in notebooks[:5])
    path = (named or notebooks)[0]
    if len(notebooks) > 1:
        stubs = {}
        for one in notebooks[:MOST_NOTEBOOKS]:
            data = b"" if _unreadable(one) else one.read_bytes()
            if one in named or f'"{chapter[:5]}'.encode() in data:
                stubs[one] = data.count(STUB[1].encode() + b'"')
        fewest = [one for one, count in stubs.items() if count == min(stubs.values())]
        if len(fewest) != 1 and not named:
            return None, f"several notebooks and none is named {chapter}.ipynb: {names}"
        path = fewest[0] if len(fewest) == 1 else path
    if problem := _unreadable(path):
        return None, problem
    several = f"several notebooks were handed in ({names}): {readable(path.name)} counts"
    return path, several if len(notebooks) > 1 else ""


def _unreadable(path: Path) -> str:
    """Why a file is not read, or ""."""
    name = readable(path.name)
    if path.is_symlink() or not path.is_file():
        return f"{name} is a link or no plain file; it was not followed"
    size, most = path.stat().st_size / 2**20, LARGEST_SUBMISSION / 2**20
    return f"{name} has {size:.0f} MB; at most {most:.0f} MB are read" if size > most else ""


def _received(folder: Path) -> datetime | None:
    """When it was handed in, as nbgrader's exchange says; None where nobody says.

    Never the date of a file: that is when it was copied, unpacked or cloned.
    """
    stamp = folder / STAMP
    if not stamp.is_file() or stamp.is_symlink():
        return None
    try:
        with stamp.open("rb") as file:
            return parse_utc(file.read(LONGEST_STAMP).decode())
    except (OSError, ValueError, OverflowError):  # no reason to refuse the notebook
        return None
