"""What a platform is to the course: a class with all its facts, of which one object is registered
(registry.py says how).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.classroom.marks import Mark
from autograder.classroom.people import Roster, folded
from autograder.classroom.tables import Sheet, same
from autograder.course.model import Chapter


@dataclass(frozen=True)
class ExportedFile:
    """One file of an export: its path there, and either its bytes or why it was not read.

    The date of an entry or a file is not kept: Canvas (content_zipper.rb) and Moodle
    (zip_writer.php) stamp the entries of a zip when they build it, and a copy has the date of the
    copy. What is kept of a clone is when the file was last committed.
    """

    path: PurePosixPath
    content: bytes = b""
    problem: str = ""
    committed: datetime | None = None  # in UTC; by the clock of who committed it


@dataclass(frozen=True)
class HandedIn:
    """A file of an export with what the platform says about it."""

    keys: tuple[str, ...]  # what may identify the student, the best first
    file: str  # the file name as the student had it
    attempt: int = 0  # greater for what was handed in later, where the platform numbers it
    late: bool = False
    received: datetime | None = None  # in UTC; None where the platform does not say
    group: str = ""  # what may be the name of a group
    others: tuple[tuple[str, ...], ...] = ()  # the keys of each further student of the same file


def most(found: Iterable[object]) -> bool:
    """Whether more than half of some things are true: a few files may be named as another platform
    would name them.
    """
    said = [bool(one) for one in found]
    return sum(said) * 2 > len(said)


Reader = Callable[[ExportedFile], Sequence[HandedIn]]


@dataclass(frozen=True)
class CellChange:
    """A cell of a platform's file that holds something else than our mark."""

    student: str
    before: str
    after: str
    stays: str = ""  # why it stays as it is: "typed there"; "" where our mark goes in


class Filling:
    """Puts marks into the cells of a platform, and remembers which cells changed.

    A cell is filled where it is empty, or where it holds what the last export wrote there; any
    other mark was typed by a person, and stays unless it is to be replaced.
    """

    def __init__(
        self, marks: Sequence[Mark], roster: Roster, overwrite: bool, last: Sheet | None = None
    ) -> None:
        self.by_name = {folded(mark.student): mark for mark in marks}
        self.roster, self.overwrite, self.last = roster, overwrite, last
        self.used: set[str] = set()
        self.changes: list[CellChange] = []

    @property
    def unknown(self) -> tuple[str, ...]:
        """Students with a mark of whom the platform did not ask."""
        return tuple(sorted({mark.student for mark in self.by_name.values()} - self.used))

    def find(self, keys: Sequence[str]) -> Mark | None:
        """The mark of the student whom a platform calls by one of these keys."""
        for key in filter(None, keys):
            student = self.roster.student([key]) if self.roster.rows else key
            if folded(student) in self.by_name:
                mark = self.by_name[folded(student)]
                self.used.add(mark.student)
                return mark
        return None

    def cell(
        self, mark: Mark | None, before: str, last: str, text: str, locked: bool = False
    ) -> str:
        """What a cell is to hold. before: what it holds; last: what our last export wrote there;
        locked: the platform would not take another mark.
        """
        held = before.strip()
        if mark is None or same(held, text):
            return before
        typed = held not in ("", "-") and not same(held, last) and not self.overwrite
        typed = typed or held.upper() == "EX"
        stays = "locked there" if locked else "typed there" if typed else ""
        self.changes.append(CellChange(mark.student, held, text, stays))
        return before if stays else text

    def last_cells(self, header: str, identity: str = "") -> dict[str, str]:
        """{cell of the column ``identity``, or of the first one: what our last export wrote into
        the column ``header``}.
        """
        if self.last is None or header not in self.last.rows[0]:
            return {}
        names, *rows = self.last.rows
        who, place = names.index(identity) if identity in names else 0, names.index(header)
        return {row[who]: row[place] for row in rows if len(row) > place}


class Platform:
    """The facts of one platform. Subclasses say what holds for theirs: ``name`` and ``read`` at
    least; ``fill`` where marks go into a file of the platform's, ``page_name`` where feedback does.
    """

    name: str  # as --from and --to call it
    title: str  # as people write it
    takes_marks = False  # whether it has ``fill``
    takes_pages = False  # whether it has ``page_name``
    team_needs = ""  # what a team's member needs for a page; "": the name of the file is enough

    def owns(self, path: PurePosixPath) -> bool:
        """Whether a file of an export belongs to the platform, and to no student."""
        return False

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        """Whether files with these paths were exported by the platform, as far as paths tell."""
        return False

    def read(self, entry: ExportedFile) -> Sequence[HandedIn]:
        """The ways in which a file's path can be read, the likeliest first; none where it does not
        say who handed the file in.
        """
        raise NotImplementedError

    def reader(self, entries: Sequence[ExportedFile]) -> Reader:
        """What reads the files of one export: ``read``, where paths tell all. Raises
        SubmissionError.
        """
        return self.read

    def fill(self, sheet: Sheet, filling: Filling, chapter: Chapter, column: str) -> None:
        """Put marks into the rows of a file that the platform exported. column: header of the
        column to fill; "": its name tells. Raises AutograderError.
        """
        raise NotImplementedError

    def page_name(self, file: str) -> str:
        """How a page must be called so that the platform gives it to who handed ``file`` in; ""
        where the file is not from there.
        """
        raise NotImplementedError

    def members(self, worksheet: Path, roster: Roster) -> dict[str, str]:
        """{student, folded: name of the page} for the members of teams, out of a file that the
        platform exported. Raises AutograderError.
        """
        return {}


def scaled(mark: Mark | None, possible: float, digits: int | None = None) -> str:
    """A mark as it stands in a platform's cell, on its scale; "" for none."""
    if mark is None:
        return ""
    if mark.excused:
        return "EX" if digits is None else ""
    points = mark.points * possible / mark.max_points if mark.max_points else 0.0
    return f"{points:.{digits}f}" if digits else f"{round(points, 4):g}"
