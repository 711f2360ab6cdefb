"""Where the commands print: results on stdout, warnings and progress on stderr."""

import io
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterator
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from autograder.classroom.people import Roster, not_handed_in, remembered_roster, strangers
from autograder.course.chapter import find_chapter
from autograder.course.model import Chapter
from autograder.course.settings import Settings, load_settings
from autograder.sandboxed.rpc.failures import clean

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


def add_command(
    commands: Any, name: str, about: str, run: Callable[[Namespace], int | None], **more: str
) -> Any:
    """The parser of a command of its own. more: arguments that it must be given, with their help
    or, where there is nothing to say, "".
    """
    parser = commands.add_parser(name, help=about)
    parser.set_defaults(run=run)
    for argument, words in more.items():
        parser.add_argument(argument, help=words or None)
    return parser


def add_chapters(parser: Any, otherwise: str = "all") -> None:
    """Add an argument that names any number of chapters. otherwise: those that none means."""
    words = f"as ch02; default: {otherwise}"
    parser.add_argument("chapters", nargs="*", metavar="chapter", help=words)


def chosen_chapter(chosen: Namespace) -> tuple[Settings, Chapter]:
    """The settings of the course, and the chapter that a command was given."""
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
    settings: Settings, chapter: str, handed_in: Collection[str], roster: Path | str | None = None
) -> None:
    """Say which students of people.csv and of the roster have not handed in a chapter.

    roster: by default the one that collect used.
    """
    known = Roster(roster or remembered_roster(settings)).rows
    unknown = strangers(settings, known)
    if unknown:
        warn(f"{settings.people} names {', '.join(unknown)}, whom the roster does not know.")
    missing = not_handed_in(settings, chapter, {*handed_in, *unknown}, known)
    if missing:
        say(f"not handed in, {chapter}: {', '.join(missing)}")


def warn(text: object, colour: str = "yellow") -> None:
    """Print a warning on stderr, in its colour."""
    errors.print(shown(text), style=colour, markup=False, highlight=False, soft_wrap=True)


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
