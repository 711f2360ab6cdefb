"""The commands that speak with Canvas's API: canvas collect, canvas send."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rich.progress import Progress

from autograder.classroom.people import remembered_roster
from autograder.cli.collect import show_collected, show_missing
from autograder.cli.console import add_command, chosen_chapter, progress_bar, say, warn
from autograder.cli.export import add_late_options, chosen_marks, show_changes
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter
from autograder.course.settings import Settings

if TYPE_CHECKING:
    from autograder.classroom.canvas.api import Canvas


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser("canvas", help="collect from Canvas and send to it by its API")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="collect|send")
    about = "bring an assignment's files into submitted/"
    fetch = add_command(verbs, "collect", about, _collect, chapter="as ch02")
    fetch.add_argument("--roster", metavar="CSV", help="as for collect")
    fetch.add_argument("--dry-run", action="store_true", help="say what would be taken, no more")
    fetch.add_argument("--yes", action="store_true", help="take it although something is doubtful")
    about = "marks and feedback pages to an assignment"
    give = add_command(verbs, "send", about, _send, chapter="as ch02")
    give.add_argument("--only", choices=["marks", "pages"], help="default: both")
    give.add_argument("--roster", metavar="CSV", help="default: the one that collect used")
    add_late_options(give)
    give.add_argument("--overwrite", action="store_true", help="as for export")
    give.add_argument("--yes", action="store_true", help="send it; without, only say what it is")


def _opened(chosen: Namespace, bar: Progress) -> "tuple[Settings, Chapter, Canvas, str]":
    """(settings, chapter, canvas, path of the assignment)."""
    from autograder.classroom.canvas.api import assignment_path, open_canvas

    settings, chapter = chosen_chapter(chosen)
    canvas = open_canvas(settings, lambda text: say(text, bar.console))
    return settings, chapter, canvas, assignment_path(settings, chapter.name)


def _collect(chosen: Namespace) -> int:
    from autograder.classroom.canvas.download import download, write_people
    from autograder.classroom.collect.collecting import collect_files

    with progress_bar() as bar:
        settings, chapter, canvas, path = _opened(chosen, bar)
        task = bar.add_task("download", total=None)
        got = download(
            canvas, path, lambda done, total: bar.update(task, completed=done, total=total)
        )
    roster = chosen.roster or remembered_roster(settings)
    found = collect_files(settings, got.entries, got.read, roster, chapter.name)
    show_collected(found)
    for line in got.without_file:
        warn(line)
    for doubt in [*got.lost, *found.doubts]:
        warn(f"look at this: {doubt}")
    if not chosen.dry_run:
        if got.lost and not chosen.yes:
            raise AutograderError(
                f"nothing was written: {len(got.lost)} file(s) could not be downloaded. Collect "
                "again; to go on without them, add --yes."
            )
        found.write(chosen.yes)
        write_people(settings, chapter.name, got.students, roster)
    return show_missing(found)


def _send(chosen: Namespace) -> int:
    from autograder.classroom.canvas.send import plan, send

    with progress_bar() as bar:
        settings, chapter, canvas, path = _opened(chosen, bar)
        marks = chosen_marks(settings, chapter, chosen)
        roster = chosen.roster or remembered_roster(settings)
        what = (chosen.only,) if chosen.only else ("marks", "pages")
        made = plan(settings, chapter, canvas, path, marks, roster, what, chosen.overwrite)
    show_changes(made.changes, made.unknown, "Canvas")
    for line in made.remarks:
        warn(line)
    pages = sum(bool(parcel.page) for parcel in made.parcels)
    points = sum(bool(parcel.points) for parcel in made.parcels)
    say(f"to send: {points} mark(s), {pages} page(s)")
    if not chosen.yes:
        say("nothing was sent; add --yes to send it")
        return 0
    with progress_bar() as bar:
        task = bar.add_task("send", total=len(made.parcels))
        refused = send(
            settings, chapter, canvas, made, lambda done, _: bar.update(task, completed=done)
        )
    for line in refused:
        warn(line)
    say(f"sent: {points - len(refused)} mark(s), {pages} page(s)")
    return 1 if refused else 0
