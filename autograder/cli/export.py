"""The command that takes marks out: export."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograder.cli.console import say, warn

if TYPE_CHECKING:
    from autograder.classroom.results.export import CellChange


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser("export", help="marks out of the gradebook for a platform")
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument("--to", dest="platform", default="csv", choices=["canvas", "moodle", "csv"])
    parser.add_argument(
        "--gradebook",
        metavar="CSV",
        help="the gradebook file that Canvas or Moodle exports, for its id columns",
    )
    parser.add_argument(
        "--column", default="", help="header of the column to fill, where its name does not tell"
    )
    parser.add_argument(
        "--roster", metavar="CSV", help="as for collect; default: the one that collect used"
    )
    parser.add_argument(
        "--late",
        default="none",
        metavar="POLICY",
        help="none, zero, or a percentage per day such as 10%%",
    )
    parser.add_argument(
        "--grace", default="0s", metavar="TIME", help="lateness that costs nothing, such as 1h30m"
    )
    parser.add_argument(
        "--due",
        metavar="DATE",
        help=(
            "'2026-11-20 23:59' in UTC, or '2026-11-20 23:59 Europe/Berlin'; default: the due "
            "date "
            "in the gradebook"
        ),
    )
    parser.add_argument(
        "--output",
        metavar="PATH",
        help="default: marks/<chapter>-<platform>.csv",
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace marks that were typed on the platform, too (EX stays)",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would change, no more")
    parser.set_defaults(run=_export)


def _export(chosen):
    from autograder.classroom.collect.roster import remembered_roster
    from autograder.classroom.results.class_marks import read_marks
    from autograder.classroom.results.export import export
    from autograder.classroom.results.late import parse_due, parse_policy
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    policy = parse_policy(chosen.late, chosen.grace)
    due = parse_due(chosen.due) if chosen.due else None
    marks = read_marks(settings, chapter, policy, due)
    folder = settings.root / settings.marks
    target = chosen.output or folder / f"{chapter.name}-{chosen.platform}.csv"
    roster = chosen.roster or remembered_roster(settings)

    def run(dry_run):
        return export(
            chapter,
            chosen.platform,
            marks,
            target,
            chosen.gradebook,
            roster,
            chosen.column,
            chosen.overwrite,
            dry_run,
        )

    planned = run(dry_run=True)
    show_changes(planned.changes, planned.unknown, chosen.gradebook)
    if not chosen.dry_run:
        exported = run(dry_run=False)
        say(f"{len(marks) - len(exported.unknown)} marks written to {exported.path}")


def show_changes(changes: "Sequence[CellChange]", unknown: Sequence[str], place: str) -> None:
    """Print what will change in a platform's file or on the platform, before it does."""
    for change in changes:
        if change.kept:
            say(f"  {change.student}: {change.before} stays (typed there), ours is {change.after}")
        elif change.before:
            say(f"  {change.student}: {change.before} becomes {change.after}")
    filled = sum(not change.kept and not change.before for change in changes)
    kept = sum(change.kept for change in changes)
    if changes:
        say(f"{filled} empty cell(s) to fill, {len(changes) - filled - kept} to replace")
    if kept:
        warn(f"warning: {kept} mark(s) typed on the platform stay; --overwrite replaces them.")
    if unknown:
        warn(f"warning: not in {place}: {', '.join(unknown)}")
