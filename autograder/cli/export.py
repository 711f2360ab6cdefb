"""The commands that take marks and pages out: export, return, term."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.late import POLICIES, parse_due, parse_policy
from autograder.classroom.marks import Mark
from autograder.classroom.people import remembered_roster
from autograder.classroom.platforms.platform import CellChange
from autograder.cli.collect import PlatformNames, add_platform
from autograder.cli.console import add_command, chosen_chapter, say, warn
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings, load_settings


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    about = "marks out of the gradebook for a platform"
    parser = add_command(commands, "export", about, _export, chapter="as ch02")
    option = parser.add_argument
    add_platform(parser, PlatformNames("csv", which=lambda one: one.takes_marks), default="csv")
    whose = "the gradebook file that the platform exports, for its id columns"
    option("--gradebook", metavar="CSV", help=whose)
    which = "header of the column to fill, where its name does not tell"
    option("--column", default="", help=which)
    option("--roster", metavar="CSV", help="as for collect; default: the one that collect used")
    add_late_options(parser)
    option("--output", metavar="PATH", help="default: marks/<chapter>-<platform>.csv")
    typed = "replace marks that were typed on the platform, too (EX stays)"
    option("--overwrite", action="store_true", help=typed)
    option("--dry-run", action="store_true", help="say what would change, no more")
    about = "students and chapters of the term, what is missing"
    add_late_options(add_command(commands, "term", about, _term), due=False)
    about = "feedback pages as the zip that a platform takes in"
    back = add_command(commands, "return", about, _return, chapter="as ch02")
    option = back.add_argument
    add_platform(back, PlatformNames(which=lambda one: one.takes_pages), required=True)
    whose = "the grading worksheet that the platform exports: whose pages those of a team are"
    option("--gradebook", metavar="CSV", type=Path, help=whose)
    where = "default: marks/<chapter>-feedback-<platform>.zip"
    option("--output", metavar="ZIP", help=where)


def add_late_options(parser: Any, due: bool = True) -> None:
    """Add --late, --grace and --due; ``chosen_marks`` reads them."""
    policies = POLICIES.replace("%", "%%")
    parser.add_argument("--late", default="none", metavar="POLICY", help=policies)
    grace = "lateness that costs nothing, such as 1h30m"
    parser.add_argument("--grace", default="0s", metavar="TIME", help=grace)
    if due:
        zoned = "'2026-11-20 23:59' in UTC, or '2026-11-20 23:59 Europe/Berlin'"
        words = f"{zoned}; default: the due date in the gradebook"
        parser.add_argument("--due", metavar="DATE", help=words)


def chosen_marks(settings: Settings, chapter: Chapter, chosen: Namespace) -> list[Mark]:
    """The marks of a chapter by the options on lateness. Raises AutograderError."""
    from autograder.classroom.results.gradebook import read_marks

    due = parse_due(chosen.due) if chosen.due else None
    marks = read_marks(settings, chapter, parse_policy(chosen.late, chosen.grace), due)
    if not marks:
        raise AutograderError(
            f"the gradebook holds no marks for {chapter.name}; "
            f"run 'python -m autograder grade {chapter.name[:4]}' first."
        )
    return marks


def _export(chosen: Namespace) -> None:
    from autograder.classroom.results.export import export

    settings, chapter = chosen_chapter(chosen)
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

    settings, chapter = chosen_chapter(chosen)
    pages = pages_zip(settings, chapter, chosen.platform, chosen.gradebook)
    default = settings.root / settings.marks / f"{chapter.name}-feedback-{chosen.platform}.zip"
    target = Path(chosen.output or default)
    write(target, pages.content)
    for line in pages.missed:
        warn(f"not in the zip: {line}")
    say(f"pages for {len(pages.reached)} student(s): {target}")


def show_changes(changes: Sequence[CellChange], unknown: Sequence[str], place: str) -> None:
    """Print what will change in a platform's file or on the platform, before it does."""
    for change in changes:
        if change.stays:
            held = change.before or "nothing"
            say(f"  {change.student}: {held} stays ({change.stays}), ours is {change.after}")
        elif change.before:
            say(f"  {change.student}: {change.before} becomes {change.after}")
    filled = sum(not change.stays and not change.before for change in changes)
    kept = sum(bool(change.stays) for change in changes)
    if changes:
        say(f"{filled} empty cell(s) to fill, {len(changes) - filled - kept} to replace")
    if kept:
        warn(f"warning: {kept} mark(s) stay; --overwrite replaces those that were typed there.")
    if unknown:
        warn(f"warning: not in {place}: {', '.join(unknown)}")


def _term(chosen: Namespace) -> None:
    from autograder.classroom.results.term import term, term_csv, term_page

    settings = load_settings()
    chapters = chosen_chapters(settings.root)
    rows = term(settings, chapters, parse_policy(chosen.late, chosen.grace))
    folder = settings.root / settings.marks
    write(folder / "term.csv", term_csv(chapters, rows).encode())
    reported = {path.stem for path in folder.glob("ch*.html")}
    write(folder / "term.html", term_page(chapters, rows, reported).encode())
    for i, chapter in enumerate(chapters):
        cells = [row.cells[i] for row in rows]
        missing = [row.student for row in rows if row.cells[i] == "missing"]
        handed_in = sum(isinstance(cell, float) for cell in cells)
        if handed_in:
            named = f", {len(missing)} missing: {', '.join(missing)}" if missing else ""
            say(f"{chapter.name}: {handed_in} of {len(rows)} graded{named}")
    say(f"table     {folder / 'term.csv'}\npage      {folder / 'term.html'}")
