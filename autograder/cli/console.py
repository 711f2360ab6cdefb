"""Where the commands print: results on stdout, warnings and progress on stderr."""

import io
import sys
from argparse import Namespace
from collections.abc import Collection, Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from autograder.sandboxed.rpc.failures import clean

if TYPE_CHECKING:
    from autograder.course.model import Chapter
    from autograder.course.settings import Settings

LONGEST = 1 << 20  # characters

console = Console()
errors = Console(stderr=True)


def never_fail_to_print() -> None:
    """A sign that stdout cannot write comes out as "?", and the command goes on. On Windows output
    into a file or a pipe is cp1252, which has no √.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # stderr writes such signs escaped already
        sys.stdout.reconfigure(errors="replace")


def say(text: object, to: Console = console) -> None:
    """Print text on stdout, or on the console of a bar: no colours guessed, no markup read, no line
    broken, and nothing that a terminal would obey.
    """
    to.print(shown(text), markup=False, highlight=False, soft_wrap=True)


def chosen_chapter(chosen: Namespace) -> "tuple[Settings, Chapter]":
    """The settings of the course, and the chapter that a command was given."""
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    return settings, find_chapter(settings.root, chosen.chapter)


def plug_ins(group: str) -> Iterator[Any]:
    """What other packages add to the command line by an entry point. One that is not there, as in
    Gradescope's container, adds nothing.
    """
    for one in entry_points(group=group):
        if find_spec(one.module.partition(".")[0]):
            yield one.load()


def name_missing(
    settings: "Settings", chapter: str, handed_in: Collection[str], roster: Path | str | None = None
) -> None:
    """Say which students of people.csv and of the roster have not handed in a chapter.

    roster: by default the one that collect used.
    """
    from autograder.classroom.people import Roster, not_handed_in, remembered_roster, strangers

    known = Roster(roster or remembered_roster(settings)).rows
    unknown = strangers(settings, known)
    if unknown:
        warn(f"{settings.people} names {', '.join(unknown)}, whom the roster does not know.")
    missing = not_handed_in(settings, chapter, {*handed_in, *unknown}, known)
    if missing:
        say(f"not handed in, {chapter}: {', '.join(missing)}")


def warn(text: object) -> None:
    """Print a warning on stderr, in yellow."""
    errors.print(shown(text), style="yellow", markup=False, highlight=False, soft_wrap=True)


def shown(text: object) -> str:
    """Text that may hold names of files as it is safe to show: no control characters, nothing that
    is not UTF-8.
    """
    return clean(text, LONGEST)


def progress_bar() -> Progress:
    """A bar with a count and the time it took; use it as a context manager."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    )


class ReleaseProgress:
    """Shows which chapter is built and which of its cells runs."""

    def __init__(self, bar: Progress) -> None:
        self.bar = bar
        self.tasks: dict[str, TaskID] = {}

    def __call__(self, chapter: str, done: int, total: int) -> None:
        if chapter not in self.tasks:
            for task in self.tasks.values():
                self.bar.update(task, visible=False)
            self.tasks[chapter] = self.bar.add_task(chapter)
        self.bar.update(self.tasks[chapter], completed=done, total=total or None)
