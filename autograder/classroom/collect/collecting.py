"""Bring what a platform exports into ``submitted/<student>/<chapter>/``: the newest attempt of each
student, and a word on every file.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.collect.archive import read_export
from autograder.classroom.collect.placing import Candidate, Placing, Row, unwrapped
from autograder.classroom.collect.submitted import STAMP, Notes
from autograder.classroom.paths import collected_path, submitted_path
from autograder.classroom.people import People, Roster, remember_roster
from autograder.classroom.platforms.platform import ExportedFile, Reader
from autograder.classroom.platforms.registry import find_platform, recognise
from autograder.classroom.tables import csv_text
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SubmissionError
from autograder.course.files import write
from autograder.course.settings import Settings

MANY = 4  # notebooks of one chapter under one name: a folder around a class rather than a student


@dataclass(frozen=True)
class Collection:
    """What an export holds, for a person to look at before it is written.

    rows: one for every file, and for every student of a group; newest: what each student handed in
    last; roster: the one by which it was read.
    """

    settings: Settings
    rows: Sequence[Row]
    newest: Sequence[Candidate]
    roster: Path | str | None

    @property
    def doubts(self) -> list[str]:
        """What a person should look at before these rows become submissions, in one line each."""
        return self.doubts_but(())

    def doubts_but(self, settled: Iterable[str]) -> list[str]:
        """The doubts about all other files and students than those that a person has looked at."""
        said = []
        known = set(settled)
        doubtful = [row for row in self.rows if row.doubt and not {row.file, row.student} & known]
        for kind, words in (("nobody", "of nobody known"), ("chapter", "of no chapter known")):
            files = [row.file for row in doubtful if row.doubt == kind]
            if files:
                named = ", ".join(files[:4]) + (", …" if len(files) > 4 else "")
                said.append(f"{len(files)} notebook(s) {words}: {named}")
        several = Counter((r.student, r.chapter) for r in doubtful if r.doubt == "several")
        for (student, chapter), count in sorted(several.items()):
            many = f"{student!r} has {count + 1} notebooks of {chapter}"
            many += " and nothing says which is newer"
            said.append(f"{many}: is it a folder around a class?" if count + 1 >= MANY else many)
        return said

    def write(self, accept: bool = False, settled: Iterable[str] = ()) -> None:
        """Write the newest attempts, and the table of all files; writing again changes nothing.

        Where something is doubtful, nothing is written and SubmissionError is raised, unless a
        person has looked at it: settled names files or students, accept stands for all of them.
        """
        if not accept and (left := self.doubts_but(settled)):
            raise SubmissionError(
                f"nothing was written: {'; '.join(left)}. Mend the roster, people.csv or the folder"
                " and collect again; if one is as it should be, add --accept with that file or"
                " student; if all are, --yes."
            )
        notes = Notes(self.settings.root / self.settings.submitted)
        for one in self.newest:
            folder = submitted_path(self.settings, one.student, one.chapter)
            if notes.about(folder).newness <= one.collected.newness:
                write(folder / f"{one.chapter}.ipynb", one.entry.content)
                (folder / STAMP).unlink(missing_ok=True)
                notes[f"{one.student}/{one.chapter}"] = one.collected
        notes.write()
        table = collected_csv(self.rows).encode("utf-8", "replace")
        write(collected_path(self.settings), table)
        if self.roster:
            remember_roster(self.settings, Path(self.roster))


def collect(
    settings: Settings,
    source: Path | str,
    platform: str = "auto",
    roster: Path | str | None = None,
    chapter: str = "",
) -> Collection:
    """Read an export; nothing is written before ``Collection.write`` is called.

    platform: a name of registry.platforms, or "auto"; roster: path of a CSV, see roster.py;
    chapter: the chapter of notebooks that do not tell. Raises SubmissionError.
    """
    entries = unwrapped(list(read_export(source)), Roster(roster))
    known = recognise(entries) if platform == "auto" else find_platform(platform)
    return collect_files(settings, entries, known.reader(entries), roster, chapter)


def collect_files(
    settings: Settings,
    entries: Sequence[ExportedFile],
    read: Reader,
    roster: Path | str | None = None,
    chapter: str = "",
) -> Collection:
    """Files that come from anywhere. read: says of each who handed it in; the rest as in
    ``collect``.
    """
    chapters = {one.name: set(one.by_grade_id) for one in chosen_chapters(settings.root)}
    people = People(settings.root / settings.people, roster)
    placing = Placing(read, Roster(roster), people, chapters, chapter)
    notes = Notes(settings.root / settings.submitted)
    rows: list[Row] = []
    candidates: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for entry in entries:
        for placed in placing.place(entry):
            if isinstance(placed, Row):
                rows.append(placed)
            else:
                candidates[placed.student, placed.chapter].append(placed)
    planned = [sorted(of, key=lambda one: one.order) for _, of in sorted(candidates.items())]
    for *older, newest in planned:
        rows += [_older(one, newest) for one in older]
        rows.append(_newest(settings, newest, notes))
    rows.sort(key=lambda row: (row.file, row.student))
    return Collection(settings, rows, [attempts[-1] for attempts in planned], roster)


def collected_csv(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    header = ("file", "student", "chapter", "outcome", "reason", "late")
    return csv_text(
        header,
        ((r.file, r.student, r.chapter, r.outcome, r.reason, "late" * r.late) for r in rows),
    )


def _older(one: Candidate, newest: Candidate) -> Row:
    told = (
        one.collected.newness < newest.collected.newness
        or one.entry.content == newest.entry.content
    )
    reason = "is newer" if told else "was taken; nothing says which is newer"
    return Row(
        one.collected.file,
        one.student,
        one.chapter,
        "older",
        f"{newest.entry.path} {reason}",
        one.collected.late,
        "" if told else "several",
    )


def _newest(settings: Settings, newest: Candidate, notes: Notes) -> Row:
    """A Row for the newest attempt: it is taken unless a newer one lies there."""
    student, chapter, collected = newest.student, newest.chapter, newest.collected
    folder = submitted_path(settings, student, chapter)
    known = notes.about(folder)
    if known.newness > collected.newness:
        reason = f"{known.file}, collected before, is newer"
        return Row(collected.file, student, chapter, "older", reason, collected.late)
    target = folder / f"{chapter}.ipynb"
    same = target.is_file() and target.read_bytes() == newest.entry.content
    outcome = "unchanged" if same else "taken"
    return Row(collected.file, student, chapter, outcome, late=collected.late)
