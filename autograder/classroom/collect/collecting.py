"""Bring what a platform exports into ``submitted/<student>/<chapter>/``: the newest attempt of each
student, and a word on every file.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from autograder.classroom.collect.archive import ExportedFile, read_export
from autograder.classroom.collect.placing import Candidate, Placing, Row
from autograder.classroom.collect.platforms import Reader, reader, recognise
from autograder.classroom.collect.roster import Roster, remember_roster
from autograder.classroom.collect.wrappers import unwrapped
from autograder.classroom.paths import collected_path, submitted_path
from autograder.classroom.people import People
from autograder.classroom.results.lateness import read_about
from autograder.classroom.results.marks import csv_text
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SubmissionError
from autograder.course.files import write
from autograder.course.settings import Settings

MANY = 4  # notebooks of one chapter under one name: a folder around a class rather than a student


def collect(
    settings: Settings,
    source: Path | str,
    platform: str = "auto",
    roster: Path | str | None = None,
    chapter: str = "",
    dry_run: bool = False,
    accept: bool = False,
) -> list[Row]:
    """Collect an export. Returns a Row for every file in it, and for every student of a group.

    platform: one of platforms.PLATFORMS, or "auto"; roster: path of a CSV, see
    roster.py; chapter: the chapter of notebooks that do not tell. Collecting the same export
    again changes nothing. Where something is doubtful (see ``doubts``), nothing is written and
    SubmissionError is raised, unless accept says that a person has looked.
    """
    entries = unwrapped(list(read_export(source)), Roster(roster))
    platform = recognise(entries) if platform == "auto" else platform
    read = reader(platform, entries)
    return collect_files(settings, entries, read, roster, chapter, dry_run, accept)


def collect_files(
    settings: Settings,
    entries: Sequence[ExportedFile],
    read: Reader,
    roster: Path | str | None = None,
    chapter: str = "",
    dry_run: bool = False,
    accept: bool = False,
) -> list[Row]:
    """Collect files, wherever they come from. read: says of each who handed it in; the rest as in
    ``collect``.
    """
    chapters = {one.name: set(one.by_grade_id) for one in chosen_chapters(settings.root)}
    people = People(settings.root / "people.csv", roster)
    placing = Placing(read, Roster(roster), people, chapters, chapter)
    rows: list[Row] = []
    candidates: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for entry in entries:
        for placed in placing.place(entry):
            if isinstance(placed, Row):
                rows.append(placed)
            else:
                candidates[placed.student, placed.chapter].append(placed)
    planned = [(sorted(of, key=lambda one: one.order), key) for key, of in candidates.items()]
    for attempts, _ in sorted(planned, key=lambda pair: pair[1]):
        rows += [_older(one, attempts[-1]) for one in attempts[:-1]]
        rows.append(_take(settings, attempts[-1], write_it=False))
    rows.sort(key=lambda row: (row.file, row.student))
    if dry_run:
        return rows
    if doubts(rows) and not accept:
        raise SubmissionError(
            f"nothing was written: {'; '.join(doubts(rows))}. Mend the roster, people.csv or the "
            "folder and collect again; if all is as it should be, add --yes."
        )
    for attempts, _ in planned:
        _take(settings, attempts[-1], write_it=True)
    write(collected_path(settings), collected_csv(rows).encode("utf-8", "replace"))
    if roster:
        remember_roster(settings, Path(roster))
    return rows


def doubts(rows: Sequence[Row]) -> list[str]:
    """What a person should look at before these rows become submissions, in one line each."""
    said = []
    for kind, words in (("nobody", "of nobody known"), ("chapter", "of no chapter known")):
        files = [row.file for row in rows if row.doubt == kind]
        if files:
            named = ", ".join(files[:4]) + (", …" if len(files) > 4 else "")
            said.append(f"{len(files)} notebook(s) {words}: {named}")
    several = Counter((row.student, row.chapter) for row in rows if row.doubt == "several")
    for (student, chapter), count in sorted(several.items()):
        many = f"{student!r} has {count + 1} notebooks of {chapter} and nothing says which is newer"
        said.append(f"{many}: is it a folder around a class?" if count + 1 >= MANY else many)
    return said


def collected_csv(rows: Sequence[Row]) -> str:
    """The rows as a table."""
    header = ("file", "student", "chapter", "outcome", "reason", "late")
    return csv_text(
        header,
        (
            (r.file, r.student, r.chapter, r.outcome, r.reason, "late" if r.late else "")
            for r in rows
        ),
    )


def _older(one, newest):
    told = one.newness < newest.newness or one.entry.content == newest.entry.content
    return Row(
        str(one.entry.path),
        one.student,
        one.chapter,
        "older",
        f"{newest.entry.path} {'is newer' if told else 'was taken; nothing says which is newer'}",
        one.handed_in.late,
        "" if told else "several",
    )


def _take(settings, candidate, write_it):
    """A Row for the newest attempt; write the notebook and what is known of its arrival, unless a
    newer one lies there.
    """
    student, chapter = candidate.student, candidate.chapter
    folder = submitted_path(settings, student, chapter)
    handed_in, file = candidate.handed_in, str(candidate.entry.path)
    about = {
        "file": file.encode("utf-8", "replace").decode(),
        "attempt": handed_in.attempt,
        "late": handed_in.late,
        "received": handed_in.received.isoformat(sep=" ") if handed_in.received else "",
    }
    if candidate.together:
        about["together"] = list(candidate.together)
    known = read_about(folder)
    newer = (known.get("attempt", -1), known.get("received", ""))
    if newer > (about["attempt"], about["received"]):
        reason = f"{known['file']}, collected before, is newer"
        return Row(file, student, chapter, "older", reason, handed_in.late)
    target = folder / f"{chapter}.ipynb"
    same = target.is_file() and target.read_bytes() == candidate.entry.content
    if write_it:
        write(target, candidate.entry.content)
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        write(folder / "collected.json", text.encode())
        stamp = folder / "timestamp.txt"
        if about["received"]:
            write(stamp, f"{about['received']} UTC\n".encode())
        else:
            stamp.unlink(missing_ok=True)
    return Row(file, student, chapter, "unchanged" if same else "taken", "", handed_in.late)
