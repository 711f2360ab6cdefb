"""The command that brings handed-in work in: collect."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.cli.console import name_missing, say, warn

if TYPE_CHECKING:
    from autograder.classroom.collect.placing import Row
    from autograder.course.settings import Settings

PLATFORMS = ("canvas", "moodle", "gradescope", "blackboard", "brightspace", "folder")


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser("collect", help="bring a platform's export into submitted/")
    parser.add_argument("source", help="zip file or folder, as the platform exports it")
    parser.add_argument(
        "--from",
        dest="platform",
        default="auto",
        choices=[*PLATFORMS, "auto"],
    )
    parser.add_argument(
        "--roster",
        metavar="CSV",
        help="first column: student id; other columns: what platforms call that student",
    )
    parser.add_argument("--chapter", default="", help="of notebooks that do not tell, as ch02")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be taken; write nothing"
    )
    parser.add_argument(
        "--yes", action="store_true", help="take it although something looked doubtful"
    )
    parser.set_defaults(run=_collect)


def _collect(chosen):
    from autograder.classroom.collect.collecting import collect, doubts
    from autograder.classroom.collect.roster import remembered_roster
    from autograder.classroom.paths import collected_path
    from autograder.course.settings import load_settings

    settings = load_settings()
    roster = chosen.roster or remembered_roster(settings)
    words = settings, chosen.source, chosen.platform, roster, chosen.chapter
    rows = collect(*words, dry_run=True)
    show_collected(rows, "" if chosen.dry_run else f"  (report: {collected_path(settings)})")
    for doubt in doubts(rows):
        warn(f"look at this: {doubt}")
    if not chosen.dry_run:
        collect(*words, accept=chosen.yes)
    show_missing(settings, rows, roster)
    return 0 if any(row.outcome in ("taken", "unchanged") for row in rows) else 1


def show_missing(
    settings: "Settings", rows: "Sequence[Row]", roster: Path | str | None = None
) -> None:
    """Say who has not handed in the chapters of these rows. roster: as for name_missing."""
    for chapter in sorted({row.chapter for row in rows if row.chapter}):
        submitted = {
            path.parent.name for path in (settings.root / settings.submitted).glob(f"*/{chapter}")
        }
        placed = {row.student for row in rows if row.chapter == chapter}
        name_missing(settings, chapter, submitted | placed, roster)


def show_collected(rows: "Sequence[Row]", report: str = "") -> None:
    """Print how many files were taken, and every file that was not, with the reason."""
    counts = {
        outcome: sum(row.outcome == outcome for row in rows)
        for outcome in ("taken", "unchanged", "older", "skipped", "not placed")
    }
    numbers = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    placed = [row for row in rows if row.student and row.chapter]
    students, chapters = ({row.student for row in placed}, {row.chapter for row in placed})
    say(f"read {len(students)} student(s) in {len(chapters)} chapter(s): {numbers}{report}")
    for row in rows:
        if row.outcome in ("older", "skipped", "not placed"):
            say(f"  {row.outcome}: {row.file}: {row.reason}")
