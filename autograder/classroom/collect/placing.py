"""Whose file is it, and of which chapter? Each file of an export becomes a candidate for every
student who handed it in, or a row that says why it is none.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from autograder.classroom.collect.archive import ExportedFile
from autograder.classroom.collect.platforms import HandedIn, Reader
from autograder.classroom.collect.roster import Roster
from autograder.classroom.collect.wrappers import ignored
from autograder.classroom.people import People

CHAPTER_IN_NAME = re.compile(r"ch[\s_-]?0?(\d{1,2})(?!\d)", re.IGNORECASE)
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
    handed_in: HandedIn
    student: str
    chapter: str
    together: tuple[str, ...] = ()  # all who handed it in, where there are several

    @property
    def newness(self) -> tuple[int, str]:
        """Newer attempts compare greater; equal where the platform tells none from the other."""
        received = self.handed_in.received
        return self.handed_in.attempt, received.isoformat() if received else ""

    @property
    def order(self) -> tuple[int, str, str]:
        """The path decides between equals, so that every run decides alike."""
        return (*self.newness, str(self.entry.path))


class Placing:
    """Knows the class: who is who, who is in which group, which exercises make which chapter."""

    def __init__(
        self,
        read: Reader,
        roster: Roster,
        people: People,
        chapters: Mapping[str, Collection[str]],  # {chapter: its grade_ids}
        default: str = "",  # the chapter of notebooks that do not tell
    ):
        self.read, self.roster, self.people = read, roster, people
        self.chapters, self.default = chapters, default

    def place(self, entry: ExportedFile) -> Sequence[Candidate | Row]:
        """Candidates, one for each student of a group, or the Row that says why there is none."""
        file = str(entry.path)
        if ignored(entry.path):
            return [Row(file, "", "", "skipped", "belongs to the platform or the system")]
        readings = self.read(entry)
        chapter = self._chapter(entry, readings[0].file) if readings else ""
        handed_in, students = self._who(readings, chapter)
        student = students[0] if students else ""
        if entry.problem:
            return [Row(file, student, "", "skipped", entry.problem)]
        is_notebook = _may_be_notebook(entry, readings[0].file if readings else file)
        if not students:
            nobody = self._nobody(readings, handed_in)
            return [Row(file, "", "", "not placed", nobody, doubt="nobody" * is_notebook)]
        if not is_notebook:
            reason = f"not a notebook ({entry.path.suffix or 'no suffix'})"
            return [Row(file, student, "", "skipped", reason)]
        if not chapter:
            reason = "neither its cells nor its name tell the chapter; say --chapter"
            return [Row(file, student, "", "not placed", reason, doubt="chapter")]
        together = tuple(students) if len(students) > 1 else ()
        return [Candidate(entry, handed_in, student, chapter, together) for student in students]

    def _who(self, readings, chapter):
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

    def _nobody(self, readings, handed_in):
        """Why nobody was found, in one line."""
        if not readings:
            return UNSAID
        if handed_in is None:
            said = " or ".join(f"user {one.keys[0]}" for one in readings)
            return f"reads as {said}: give a roster, or the group in people.csv"
        return self.roster.why_not(handed_in.keys)

    def _chapter(self, entry, file):
        """By the exercises that the notebook holds, else by its name, else what the instructor
        said.
        """
        text = entry.content.decode("utf-8", errors="replace")
        held = {
            name: sum(f'"{grade_id}"' in text for grade_id in ids)
            for name, ids in self.chapters.items()
        }
        if held and max(held.values(), default=0) > 0:
            return max(held, key=lambda name: held[name])
        match = CHAPTER_IN_NAME.search(file)
        number = f"ch{int(match[1]):02d}" if match else self.default
        fits = [
            name
            for name in self.chapters
            if number and (name == number or name.startswith(f"{number}_"))
        ]
        return fits[0] if len(fits) == 1 else ""


def _may_be_notebook(entry, file):
    if file.lower().endswith((".ipynb", ".ipynb.json", ".ipynb.txt", ".json")):
        return True
    return b'"cells"' in entry.content[:2_000_000] and b'"nbformat"' in entry.content
