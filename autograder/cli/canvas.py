"""The commands that speak with Canvas's API: canvas collect, canvas send."""

from typing import Any

from autograder.cli.collect import show_collected, show_missing
from autograder.cli.console import say, warn
from autograder.cli.export import show_changes
from autograder.cli.progress import progress_bar
from autograder.course.errors import AutograderError


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser("canvas", help="collect from Canvas and send to it by its API")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="collect|send")
    fetch = verbs.add_parser("collect", help="bring an assignment's files into submitted/")
    fetch.add_argument("chapter", help="as ch02")
    fetch.add_argument("--roster", metavar="CSV", help="as for collect")
    fetch.add_argument("--dry-run", action="store_true", help="say what would be taken, no more")
    fetch.add_argument("--yes", action="store_true", help="take it although something is doubtful")
    fetch.set_defaults(run=_collect)
    give = verbs.add_parser("send", help="marks and feedback pages to an assignment")
    give.add_argument("chapter", help="as ch02")
    give.add_argument("--only", choices=["marks", "pages"], help="default: both")
    give.add_argument("--roster", metavar="CSV", help="default: the one that collect used")
    give.add_argument("--late", default="none", metavar="POLICY", help="as for export")
    give.add_argument("--grace", default="0s", metavar="TIME", help="as for export")
    give.add_argument("--due", metavar="DATE", help="as for export")
    give.add_argument("--overwrite", action="store_true", help="as for export")
    give.add_argument("--yes", action="store_true", help="send it; without, only say what it is")
    give.set_defaults(run=_send)


def _opened(chosen, bar):
    """(settings, chapter, canvas, path of the assignment)."""
    from autograder.classroom.canvas.api import assignment_path, open_canvas
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    canvas = open_canvas(settings, lambda text: say(text, bar.console))
    return settings, chapter, canvas, assignment_path(settings, chapter.name)


def _collect(chosen):
    from autograder.classroom.canvas.download import download, write_people
    from autograder.classroom.collect.collecting import collect_files, doubts
    from autograder.classroom.collect.roster import remembered_roster

    with progress_bar() as bar:
        settings, chapter, canvas, path = _opened(chosen, bar)
        task = bar.add_task("download", total=None)
        got = download(
            canvas, path, lambda done, total: bar.update(task, completed=done, total=total)
        )
    roster = chosen.roster or remembered_roster(settings)
    words = settings, got.entries, got.read, roster, chapter.name
    rows = collect_files(*words, dry_run=True)
    show_collected(rows)
    for line in got.without_file:
        warn(line)
    for doubt in [*got.lost, *doubts(rows)]:
        warn(f"look at this: {doubt}")
    if not chosen.dry_run:
        if got.lost and not chosen.yes:
            raise AutograderError(
                f"nothing was written: {len(got.lost)} file(s) could not be downloaded. Collect "
                "again; to go on without them, add --yes."
            )
        collect_files(*words, accept=chosen.yes)
        write_people(settings, chapter.name, got.students, roster)
    show_missing(settings, rows, roster)
    return 0 if any(row.outcome in ("taken", "unchanged") for row in rows) else 1


def _send(chosen):
    from autograder.classroom.canvas.send import plan, send
    from autograder.classroom.collect.roster import remembered_roster
    from autograder.classroom.results.class_marks import read_marks
    from autograder.classroom.results.late import parse_due, parse_policy

    with progress_bar() as bar:
        settings, chapter, canvas, path = _opened(chosen, bar)
        due = parse_due(chosen.due) if chosen.due else None
        marks = read_marks(settings, chapter, parse_policy(chosen.late, chosen.grace), due)
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
