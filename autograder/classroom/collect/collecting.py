"""Bring what a platform exports into ``submitted/<student>/<chapter>/``: the newest attempt of each
student, and a word on every file.
"""

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.collect.archive import ExportedFile, read_export
from autograder.classroom.collect.platforms import METADATA, HandedIn, reader, recognise
from autograder.classroom.collect.roster import Roster
from autograder.classroom.paths import collected_path, submitted_path
from autograder.classroom.results.marks import csv_text
from autograder.course.chapter import chosen_chapters
from autograder.course.files import write
from autograder.course.settings import Settings

CHAPTER_IN_NAME = re.compile(r"ch[\s_-]?0?(\d{1,2})(?!\d)", re.IGNORECASE)
IGNORED = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.ipynb_checkpoints/)")


@dataclass(frozen=True)
class Row:
    """What became of one file."""

    file: str
    student: str
    chapter: str
    outcome: str  # "taken", "unchanged", "older", "skipped", "not placed"
    reason: str = ""
    late: bool = False


@dataclass(frozen=True)
class Candidate:
    entry: ExportedFile
    handed_in: HandedIn
    student: str
    chapter: str

    @property
    def order(self) -> tuple[int, str, str]:
        """Newer attempts compare greater; the path decides between equals, so that every run
        decides alike.
        """
        received = self.handed_in.received
        return (
            self.handed_in.attempt,
            received.isoformat() if received else "",
            str(self.entry.path),
        )


def collect(
    settings: Settings,
    source: Path | str,
    platform: str = "auto",
    roster: Path | str | None = None,
    chapter: str = "",
    dry_run: bool = False,
) -> list[Row]:
    """Collect an export. Returns a Row for every file in it.

    platform: one of platforms.PLATFORMS, or "auto"; roster: path of a CSV, see
    roster.py; chapter: the chapter of notebooks that do not tell. Collecting the same export
    again changes nothing.
    """
    entries = list(read_export(source))
    platform = recognise(entries) if platform == "auto" else platform
    read, known = reader(platform, entries), Roster(roster)
    chapters = {known.name: set(known.by_grade_id) for known in chosen_chapters(settings.root)}
    rows, candidates = [], defaultdict(list)
    for entry in entries:
        row = _place(entry, read, known, chapters, chapter)
        if isinstance(row, Row):
            rows.append(row)
        else:
            candidates[row.student, row.chapter].append(row)
    for (student, name), attempts in sorted(candidates.items()):
        attempts.sort(key=lambda candidate: candidate.order)
        newest = attempts.pop()
        rows.append(_take(settings, newest, dry_run))
        rows += [
            Row(
                str(a.entry.path),
                student,
                name,
                "older",
                f"{newest.entry.path} is newer",
                a.handed_in.late,
            )
            for a in attempts
        ]
    rows.sort(key=lambda row: row.file)
    if not dry_run:
        write(collected_path(settings), collected_csv(rows).encode())
        if roster:
            remember_roster(settings, Path(roster))
    return rows


def remember_roster(settings: Settings, roster: Path) -> None:
    """Note where the roster lies, so that export finds it; its names are not copied."""
    write(_roster_note(settings), f"{roster.resolve()}\n".encode())


def remembered_roster(settings: Settings) -> Path | None:
    """The roster that collect used last, if it is still there."""
    note = _roster_note(settings)
    path = Path(note.read_text(encoding="utf-8").strip()) if note.is_file() else None
    return path if path and path.is_file() else None


def _roster_note(settings):
    return settings.root / settings.submitted / "roster-path.txt"


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


def _place(entry, read, known, chapters, default):
    """A Candidate, or the Row that says why the file is none."""
    file = str(entry.path)
    if IGNORED.search(file) or entry.path.name == METADATA:
        return Row(file, "", "", "skipped", "belongs to the platform or the system")
    handed_in = read(entry)
    student = known.student(handed_in.keys) if handed_in else ""
    if entry.problem:
        return Row(file, student, "", "skipped", entry.problem)
    if handed_in is None:
        return Row(
            file,
            "",
            "",
            "not placed",
            "its path does not say who handed it in; name another --from, or rename it",
        )
    if not student:
        return Row(
            file, "", "", "not placed", f"the roster knows none of {', '.join(handed_in.keys)}"
        )
    if not _may_be_notebook(entry, handed_in):
        return Row(
            file, student, "", "skipped", f"not a notebook ({entry.path.suffix or 'no suffix'})"
        )
    chapter = _chapter(entry.content, handed_in.file, chapters, default)
    if not chapter:
        return Row(
            file,
            student,
            "",
            "not placed",
            "neither its cells nor its name tell the chapter; say --chapter",
        )
    return Candidate(entry, handed_in, student, chapter)


def _may_be_notebook(entry, handed_in):
    if handed_in.file.lower().endswith((".ipynb", ".ipynb.json", ".ipynb.txt", ".json")):
        return True
    return b'"cells"' in entry.content[:2_000_000] and b'"nbformat"' in entry.content


def _chapter(content, file, chapters, default):
    """By the exercises that the notebook holds, else by its name, else what the instructor said."""
    text = content.decode("utf-8", errors="replace")
    held = {
        name: sum(f'"{grade_id}"' in text for grade_id in ids) for name, ids in chapters.items()
    }
    if held and max(held.values(), default=0) > 0:
        return max(held, key=held.get)
    match = CHAPTER_IN_NAME.search(file)
    number = f"ch{int(match[1]):02d}" if match else default
    fits = [
        name for name in chapters if number and (name == number or name.startswith(f"{number}_"))
    ]
    return fits[0] if len(fits) == 1 else ""


def _take(settings, candidate, dry_run):
    """Write the notebook and what is known of its arrival, unless a newer one lies there."""
    folder = submitted_path(settings, candidate.student, candidate.chapter)
    handed_in, file = candidate.handed_in, str(candidate.entry.path)
    about = {
        "file": file,
        "attempt": handed_in.attempt,
        "late": handed_in.late,
        "received": handed_in.received.isoformat(sep=" ") if handed_in.received else "",
    }
    known = _read_about(folder)
    if (known.get("attempt", -1), known.get("received", "")) > (
        about["attempt"],
        about["received"],
    ):
        return Row(
            file,
            candidate.student,
            candidate.chapter,
            "older",
            f"{known['file']}, collected before, is newer",
            handed_in.late,
        )
    target = folder / f"{candidate.chapter}.ipynb"
    if dry_run:
        same = target.is_file() and target.read_bytes() == candidate.entry.content
        outcome = "unchanged" if same else "taken"
        return Row(file, candidate.student, candidate.chapter, outcome, "", handed_in.late)
    changed = write(target, candidate.entry.content)
    write(
        folder / "collected.json", (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()
    )
    stamp = folder / "timestamp.txt"
    if about["received"]:
        write(stamp, f"{about['received']} UTC\n".encode())
    else:
        stamp.unlink(missing_ok=True)
    return Row(
        file,
        candidate.student,
        candidate.chapter,
        "taken" if changed else "unchanged",
        "",
        handed_in.late,
    )


def _read_about(folder):
    try:
        about = json.loads((folder / "collected.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}
