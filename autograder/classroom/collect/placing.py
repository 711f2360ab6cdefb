"""Whose file is it, and of which chapter? Each file of an export becomes a candidate for every
student who handed it in, or a row that says why it is none. Folders around an export that belong to
nobody are taken away before: an export that was unpacked and zipped again, a Drive folder, a folder
for the assignment.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from autograder.classroom.collect.submitted import Collected
from autograder.classroom.people import People, Roster
from autograder.classroom.platforms.folder import CLONE, Folder, names_a_chapter
from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform, Reader
from autograder.classroom.platforms.registry import platforms, recognise
from autograder.course.chapter import DEEPER

CHAPTER_IN_NAME = re.compile(r"ch[\s_-]?0?(\d{1,2})(?!\d)", re.IGNORECASE)
QUOTED = re.compile(rb'"([\w.-]{1,128})(?=")')  # what may be an id of a cell, in bytes of any kind
IGNORED = re.compile(
    r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.ipynb_checkpoints/)"
)
BESIDE = re.compile(rf"(^|[/_]){DEEPER}(-\d+| ?\(\d+\))?\.ipynb$")  # as platforms rename it
UNSAID = "its path does not say who handed it in; name another --from, or rename it"


@dataclass(frozen=True)
class Row:
    """What became of one file for one student."""

    file: str
    student: str
    chapter: str
    outcome: str  # "taken", "unchanged", "older", "skipped", "not placed"
    reason: str = ""
    late: bool = False
    doubt: str = ""  # "nobody", "chapter", "several" or "": for a person to look at


@dataclass(frozen=True)
class Candidate:
    """A notebook that a student handed in."""

    entry: ExportedFile
    collected: Collected
    student: str
    chapter: str

    @property
    def order(self) -> tuple[tuple[int, str], str]:
        """The path decides between equals, so that every run decides alike."""
        return self.collected.newness, self.collected.file


class Placing:
    """Knows the class: who is who, who is in which group, which exercises make which chapter."""

    def __init__(
        self,
        read: Reader,
        roster: Roster,
        people: People,
        chapters: Mapping[str, Collection[str]],  # {chapter: its grade_ids}
        default: str = "",  # the chapter of notebooks that do not tell
    ) -> None:
        self.read, self.roster, self.people = read, roster, people
        self.chapters, self.default, self.platforms = chapters, default, platforms()

    def place(self, entry: ExportedFile) -> Sequence[Candidate | Row]:
        """Candidates, one for each student of a group, or the Row that says why there is none."""
        file = str(entry.path)
        if _ignored(entry.path, self.platforms):
            return [Row(file, "", "", "skipped", "belongs to the platform or the system")]
        chapter = self._held(entry)
        if not chapter and BESIDE.search(file):
            return [Row(file, "", "", "skipped", f"{DEEPER}.ipynb, which holds no exercise")]
        readings = self.read(entry)
        if readings:
            chapter = chapter or self._named(readings[0].file)
        handed_in, students = self._who(readings, chapter)
        student = students[0] if students else ""
        if entry.problem:
            return [Row(file, student, "", "skipped", entry.problem)]
        is_notebook = _may_be_notebook(entry, readings[0].file if readings else file)
        if handed_in is None or not students:
            nobody = self._nobody(readings, handed_in)
            return [Row(file, "", "", "not placed", nobody, doubt="nobody" * is_notebook)]
        if not is_notebook:
            reason = f"not a notebook ({entry.path.suffix or 'no suffix'})"
            return [Row(file, student, "", "skipped", reason)]
        if not chapter:
            reason = "neither its cells nor its name tell the chapter; say --chapter"
            return [Row(file, student, "", "not placed", reason, doubt="chapter")]
        received = handed_in.received.isoformat(sep=" ") if handed_in.received else ""
        together = tuple(students) if len(students) > 1 else ()
        collected = Collected(file, handed_in.attempt, handed_in.late, received, together)
        return [Candidate(entry, collected, student, chapter) for student in students]

    def _who(self, readings: Sequence[HandedIn], chapter: str) -> tuple[HandedIn | None, list[str]]:
        """(reading, students): the first reading in which somebody is known; (None, []) where
        several could be right and nothing tells.
        """
        for one in readings:
            members = self.people.members(one.group, chapter) if one.group else []
            if members:
                stands_for_it = self.roster.student(one.keys[:1]) if self.roster.rows else ""
                return one, sorted({*members, *filter(None, [stands_for_it])})
        if not self.roster.rows and len({one.keys[0] for one in readings}) > 1:
            return None, []
        for one in readings:
            found = [self.roster.student(keys) for keys in (one.keys, *one.others)]
            if any(found):
                return one, list(dict.fromkeys(filter(None, found)))
        return (readings[0] if readings else None), []

    def _nobody(self, readings: Sequence[HandedIn], handed_in: HandedIn | None) -> str:
        """Why nobody was found, in one line."""
        if not readings:
            return UNSAID
        if handed_in is None:
            said = " or ".join(f"user {one.keys[0]}" for one in readings)
            return f"reads as {said}: give a roster, or the group in people.csv"
        return self.roster.why_not(handed_in.keys)

    def _held(self, entry: ExportedFile) -> str:
        """The chapter whose exercises a file holds; "" where it holds none."""
        known = {grade_id.encode() for ids in self.chapters.values() for grade_id in ids}
        there = {found[1] for found in QUOTED.finditer(entry.content) if found[1] in known}
        held = {
            name: sum(grade_id.encode() in there for grade_id in ids)
            for name, ids in self.chapters.items()
        }
        most = max(held, key=lambda name: held[name], default="")
        return most if held.get(most) else ""

    def _named(self, file: str) -> str:
        """The chapter that a file's name tells, else what the instructor said."""
        match = CHAPTER_IN_NAME.search(file)
        number = f"ch{int(match[1]):02d}" if match else self.default
        fits = [
            name
            for name in self.chapters
            if number and (name == number or name.startswith(f"{number}_"))
        ]
        return fits[0] if len(fits) == 1 else ""


def _may_be_notebook(entry: ExportedFile, file: str) -> bool:
    if file.lower().endswith((".ipynb", ".ipynb.json", ".ipynb.txt")):
        return True
    return b'"cells"' in entry.content[:2_000_000] and b'"nbformat"' in entry.content


def _ignored(path: PurePosixPath, known: Sequence[Platform]) -> bool:
    """Whether a file belongs to the platform or the system."""
    return bool(IGNORED.search(str(path))) or any(one.owns(path) for one in known)


def unwrapped(entries: Sequence[ExportedFile], roster: Roster) -> list[ExportedFile]:
    """The entries without the folders that stand around all of them and are no student's."""
    left = list(entries)
    while (outer := _around_all(left)) and _is_wrapper(outer, _inside(left), roster):
        left = _inside(left)
    return left


def _around_all(entries: Sequence[ExportedFile]) -> str:
    """The folder in which all entries lie; "" where there is none."""
    paths = [one.path for one in entries if not IGNORED.search(str(one.path))]
    first = {path.parts[0] for path in paths if path.parts}
    return first.pop() if len(first) == 1 and all(len(path.parts) > 1 for path in paths) else ""


def _inside(entries: Sequence[ExportedFile]) -> list[ExportedFile]:
    """The entries without the folder in which all of them lie."""
    outer = _around_all(entries)
    return [
        replace(one, path=PurePosixPath(*one.path.parts[1:]))
        if one.path.parts[:1] == (outer,) and len(one.path.parts) > 1
        else one
        for one in entries
    ]


def _is_wrapper(outer: str, inner: Sequence[ExportedFile], roster: Roster) -> bool:
    """Whether the folder around all is no student's, given the entries without it."""
    if _exported([ExportedFile(PurePosixPath(outer, "x"))]) or CLONE.match(outer):
        return False
    known = platforms()
    inner = [one for one in inner if not _ignored(one.path, known)]
    innermost = inner
    while _around_all(innermost):
        innermost = _inside(innermost)
    if _exported(inner) or _exported(innermost):
        return True
    notebooks = [one.path for one in inner if one.path.suffix == ".ipynb"]
    below = {path.parts[0] if len(path.parts) > 1 else path.stem for path in notebooks}
    if roster.rows:
        members = [name for name in below if roster.student((name, name.partition(" - ")[0]))]
        return not roster.student((outer,)) and bool(members)
    return len([name for name in below if not names_a_chapter(name)]) > 1


def _exported(entries: Sequence[ExportedFile]) -> bool:
    """Whether a platform is recognised in these files."""
    return not isinstance(recognise(entries), Folder)
