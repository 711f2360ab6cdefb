"""The command that brings handed-in work in: collect."""

from argparse import ArgumentError, Namespace
from collections.abc import Callable, Iterator
from typing import Any

from autograder.classroom.collect.collecting import Collection, collect
from autograder.classroom.paths import collected_path
from autograder.classroom.people import remembered_roster
from autograder.classroom.platforms.platform import Platform
from autograder.classroom.platforms.registry import platforms
from autograder.cli.console import add_command, name_missing, say, warn
from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings

OUTCOMES = ("taken", "unchanged", "older", "skipped", "not placed")


class PlatformNames:
    """The choices of an option that names a platform: looked up, plug-ins too, when argparse asks.

    which: the platforms that it takes; more: what it takes besides.
    """

    def __init__(self, *more: str, which: Callable[[Platform], bool] = lambda one: True) -> None:
        self.more, self.which = more, which

    def __iter__(self) -> Iterator[str]:
        try:
            yield from (one.name for one in platforms() if self.which(one))
        except AutograderError as error:
            raise ArgumentError(None, str(error)) from error
        yield from self.more


def add_platform(parser: Any, names: PlatformNames, name: str = "--to", **more: Any) -> None:
    """Add an option that names a platform; ``chosen.platform`` holds it."""
    known = "%(choices)s; default: %(default)s" if "default" in more else "%(choices)s"
    about = {"dest": "platform", "metavar": "PLATFORM", "help": known}
    parser.add_argument(name, choices=names, **about, **more)


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    about = "bring a platform's export into submitted/"
    where = "zip file or folder, as the platform exports it"
    parser = add_command(commands, "collect", about, _collect, source=where)
    option = parser.add_argument
    add_platform(parser, PlatformNames("auto"), "--from", default="auto")
    names = "first column: student id; other columns: what platforms call that student"
    option("--roster", metavar="CSV", help=names)
    option("--chapter", default="", help="of notebooks that do not tell, as ch02")
    option("--dry-run", action="store_true", help="say what would be taken; write nothing")
    looked = "a file or student that looked doubtful, and is as it should be; again for each"
    option("--accept", action="append", default=[], metavar="NAME", help=looked)
    option("--yes", action="store_true", help="take it although something looked doubtful")


def _collect(chosen: Namespace) -> int:
    settings = load_settings()
    roster = chosen.roster or remembered_roster(settings)
    found = collect(settings, chosen.source, chosen.platform, roster, chosen.chapter)
    show_collected(found)
    for doubt in found.doubts_but(chosen.accept):
        warn(f"look at this: {doubt}")
    if not chosen.dry_run:
        found.write(chosen.yes, chosen.accept)
        say(f"report    {collected_path(settings)}")
    return show_missing(found)


def show_missing(found: Collection) -> int:
    """Say who has not handed in the chapters that were found. Returns the exit status: 1 where
    nothing could be taken.
    """
    submitted = found.settings.root / found.settings.submitted
    for chapter in sorted({row.chapter for row in found.rows if row.chapter}):
        there = {path.parent.name for path in submitted.glob(f"*/{chapter}")}
        placed = {row.student for row in found.rows if row.chapter == chapter}
        name_missing(found.settings, chapter, there | placed, found.roster)
    return 0 if any(row.outcome in OUTCOMES[:2] for row in found.rows) else 1


def show_collected(found: Collection) -> None:
    """Print how many files were taken, and every file that was not, with the reason."""
    counts = {name: sum(row.outcome == name for row in found.rows) for name in OUTCOMES}
    numbers = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    placed = [row for row in found.rows if row.student and row.chapter]
    students, chapters = ({row.student for row in placed}, {row.chapter for row in placed})
    say(f"read {len(students)} student(s) in {len(chapters)} chapter(s): {numbers}")
    for row in found.rows:
        if row.outcome in OUTCOMES[2:]:
            say(f"  {row.outcome}: {row.file}: {row.reason}")
