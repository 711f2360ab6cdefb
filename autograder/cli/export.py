"""The commands that take marks and pages out: export, return."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.classroom.late import POLICIES
from autograder.cli.collect import PlatformNames
from autograder.cli.console import say, warn

if TYPE_CHECKING:
    from autograder.classroom.late import LatePolicy
    from autograder.classroom.marks import Mark
    from autograder.classroom.platforms.platform import CellChange
    from autograder.course.model import Chapter
    from autograder.course.settings import Settings


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser("export", help="marks out of the gradebook for a platform")
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument(
        "--to",
        dest="platform",
        default="csv",
        metavar="PLATFORM",
        choices=PlatformNames("csv", which=lambda one: one.takes_marks),
        help="%(choices)s (default)",
    )
    parser.add_argument(
        "--gradebook",
        metavar="CSV",
        help="the gradebook file that the platform exports, for its id columns",
    )
    parser.add_argument(
        "--column", default="", help="header of the column to fill, where its name does not tell"
    )
    parser.add_argument(
        "--roster", metavar="CSV", help="as for collect; default: the one that collect used"
    )
    add_late_options(parser)
    add_due_option(parser)
    parser.add_argument("--output", metavar="PATH", help="default: marks/<chapter>-<platform>.csv")
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace marks that were typed on the platform, too (EX stays)",
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would change, no more")
    parser.set_defaults(run=_export)
    back = commands.add_parser("return", help="feedback pages as the zip that a platform takes in")
    back.add_argument("chapter", help="as ch02")
    back.add_argument(
        "--to",
        dest="platform",
        required=True,
        metavar="PLATFORM",
        choices=PlatformNames(which=lambda one: one.takes_pages),
        help="%(choices)s",
    )
    back.add_argument(
        "--gradebook",
        metavar="CSV",
        type=Path,
        help="Moodle's grading worksheet: whose pages those of a team are",
    )
    back.add_argument(
        "--output", metavar="ZIP", help="default: marks/<chapter>-feedback-<platform>.zip"
    )
    back.set_defaults(run=_return)


def add_late_options(parser: Any) -> None:
    """Add --late and --grace; ``late_policy`` reads them."""
    parser.add_argument(
        "--late", default="none", metavar="POLICY", help=POLICIES.replace("%", "%%")
    )
    parser.add_argument(
        "--grace", default="0s", metavar="TIME", help="lateness that costs nothing, such as 1h30m"
    )


def add_due_option(parser: Any) -> None:
    """Add --due; ``chosen_marks`` reads it."""
    parser.add_argument(
        "--due",
        metavar="DATE",
        help="'2026-11-20 23:59' in UTC, or '2026-11-20 23:59 Europe/Berlin'; default: the due "
        "date in the gradebook",
    )


def late_policy(chosen: Namespace) -> "LatePolicy":
    """The policy that the options say. Raises AutograderError."""
    from autograder.classroom.late import parse_policy

    return parse_policy(chosen.late, chosen.grace)


def chosen_marks(settings: "Settings", chapter: "Chapter", chosen: Namespace) -> "list[Mark]":
    """The marks of a chapter by the options on lateness. Raises AutograderError."""
    from autograder.classroom.late import parse_due
    from autograder.classroom.results.gradebook import read_marks

    due = parse_due(chosen.due) if chosen.due else None
    return read_marks(settings, chapter, late_policy(chosen), due)


def _export(chosen: Namespace) -> None:
    from autograder.classroom.results.export import export
    from autograder.classroom.roster import remembered_roster
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    marks = chosen_marks(settings, chapter, chosen)
    default = settings.root / settings.marks / f"{chapter.name}-{chosen.platform}.csv"
    exported = export(
        chapter,
        chosen.platform,
        marks,
        chosen.output or default,
        chosen.gradebook,
        chosen.roster or remembered_roster(settings),
        chosen.column,
        chosen.overwrite,
    )
    show_changes(exported.changes, exported.unknown, chosen.gradebook)
    if not chosen.dry_run:
        exported.write()
        say(f"{len(marks) - len(exported.unknown)} marks written to {exported.path}")


def _return(chosen: Namespace) -> None:
    from autograder.classroom.results.export import pages_zip
    from autograder.course.chapter import find_chapter
    from autograder.course.files import write
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    pages = pages_zip(settings, chapter, chosen.platform, chosen.gradebook)
    default = settings.root / settings.marks / f"{chapter.name}-feedback-{chosen.platform}.zip"
    target = Path(chosen.output or default)
    write(target, pages.content)
    for line in pages.missed:
        warn(f"not in the zip: {line}")
    say(f"pages for {len(pages.reached)} student(s): {target}")


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
