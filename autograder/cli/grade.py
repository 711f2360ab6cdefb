"""The commands that grade: a class, a student's own notebook, inside Gradescope's container."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Column, Table
from rich.text import Text

from autograder.classroom.late import parse_due
from autograder.classroom.marks import Change
from autograder.classroom.paths import changes_path, class_page_path, feedback_path, marks_path
from autograder.cli.console import (
    add_command,
    chosen_chapter,
    console,
    name_missing,
    progress_bar,
    say,
    shown,
    warn,
)
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import AutograderError, SandboxError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings, load_settings
from autograder.grading import Engine
from autograder.grading.parents import Parents
from autograder.grading.result import Result

if TYPE_CHECKING:
    from autograder.classroom.run.grade import GradeOptions

MOST_CHANGES = 40  # rows of changed marks that are printed


@dataclass(frozen=True)
class Workplace:
    """Where a class is graded, in the words of Workers."""

    sandbox: bool = True
    scheduler: str = ""
    count: int | None = None


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    about = (
        "students: would your notebook be accepted, and which visible checks pass? Runs it as you"
    )
    add_command(commands, "check", about, _check, notebook="")
    about = "pack the grader as a Gradescope autograder, or run as one"
    parser = commands.add_parser("gradescope", help=about)
    actions = parser.add_subparsers(dest="action", required=True, metavar="pack|run")
    about = "write the zip that Gradescope asks for"
    packing = add_command(actions, "pack", about, _pack, chapter="as ch02")
    where = "default: marks/<chapter>-gradescope-autograder.zip"
    packing.add_argument("--output", metavar="ZIP", help=where)
    about = "grade one submission inside Gradescope's container"
    add_command(actions, "run", about, _run_there, chapter="as ch02", submission="", results="")
    about = "grade submitted/<student>/<chapter>/ into the gradebook"
    parser = add_command(commands, "grade", about, _grade)
    option = parser.add_argument
    option("chapters", nargs="+", metavar="chapter", help="as ch02, or all")
    only = "only this student (may be repeated)"
    option("--student", action="append", default=[], metavar="ID", help=only)
    changed = "only what is new, was handed in again, or has other tests than last time"
    option("--only-changed", action="store_true", help=changed)
    due = "'2026-11-20 23:59' in UTC, or with a zone; kept in the gradebook"
    option("--due", metavar="DATE", help=due)
    dask = "a running Dask scheduler, as tcp://head:8786; default: the cores of this machine"
    option("--scheduler", default="", metavar="ADDRESS", help=dask)
    count = "submissions at a time on this machine; default: one per core"
    option("--workers", type=int, metavar="N", help=count)
    trusted = "run students' code with your own rights; for code you trust"
    option("--no-sandbox", action="store_true", help=trusted)


def _grade(chosen: Namespace) -> int:
    from autograder.classroom.run.grade import GradeOptions

    settings = load_settings()
    everything = chosen.chapters == ["all"]
    chapters = chosen_chapters(settings.root, [] if everything else chosen.chapters)
    if everything:
        handed_in = settings.root / settings.submitted
        chapters = [chapter for chapter in chapters if any(handed_in.glob(f"*/{chapter.name}"))]
        if not chapters:
            raise AutograderError(f"expected submissions in {handed_in}/<student>/; found none.")
    due = parse_due(chosen.due) if chosen.due else None
    options = GradeOptions(chosen.student, chosen.only_changed, due)
    workplace = Workplace(not chosen.no_sandbox, chosen.scheduler, chosen.workers)
    for chapter in chapters:
        grade_with_progress(settings, chapter, workplace, options)
    return 0


def grade_with_progress(
    settings: Settings, chapter: Chapter, place: Workplace, options: "GradeOptions | None" = None
) -> None:
    """Grade one chapter, show a bar, a row per student, marks that changed, and where the results
    are.
    """
    from autograder.classroom.run.grade import GradeOptions, grade
    from autograder.classroom.run.workers import Workers

    options = options or GradeOptions()
    if not place.sandbox:
        warn("warning: --no-sandbox runs students' code with your own rights, files and network.")
    with (
        progress_bar() as bar,
        Workers(settings.root, **vars(place), notice=partial(say, to=bar.console)) as workers,
    ):
        task = bar.add_task(chapter.name, total=None)

        def show(_: Result, done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        graded = grade(settings, chapter, workers, options, show)
    results = graded.results
    if not results:
        raise AutograderError(
            "expected submissions in "
            f"{settings.root / settings.submitted}/<student>/{chapter.name}/; found none. "
            "Put them there, or run 'python -m autograder collect'."
        )
    console.print(results_table(chapter, results))
    if graded.changes:
        console.print(_changes_table(graded.changes))
        say(f"changes   {changes_path(settings, chapter.name)}")
    for one in graded.overruled:
        warn(f"{one.student}: {one.cell}: {one.given}; {one.why}. Look again in formgrader.")
    if busy := [result.student for result in results if result.busy]:
        warn(
            f"not graded in full, since the machine was too busy: {', '.join(busy)}. Run the same "
            "command again when it is less so; --only-changed grades these alone."
        )
    say(f"marks     {marks_path(settings, chapter.name)}")
    say(f"report    {class_page_path(settings, chapter.name)}")
    say(f"feedback  {feedback_path(settings, '<student>', chapter.name)}")
    if not options.students:
        name_missing(settings, chapter.name, {result.student for result in results})


def plain(text: str) -> Text:
    """Text for a cell of a table: no markup is read in it, and a terminal obeys nothing in it."""
    return Text(shown(text))


def results_table(chapter: Chapter, results: Sequence[Result]) -> Table:
    """The points of a class: a row for each student, a column for each exercise."""
    columns = [Column(plain(exercise.number)) for exercise in chapter.exercises]
    table = Table("student", *columns, "points", "remark", title=plain(chapter.title))
    for result in results:
        points = result.points_by_exercise(chapter)
        cells = [f"{points[e.id]:g}/{e.points:g}" for e in chapter.exercises]
        total = f"{result.points:g}/{chapter.points:g}"
        table.add_row(plain(result.student), *cells, total, plain(_remark(result)))
    return table


def _changes_table(changes: Sequence[Change]) -> Table:
    more = f" (the first {MOST_CHANGES} of {len(changes)})" if len(changes) > MOST_CHANGES else ""
    columns = ("student", "exercise", "before", "after", "of", "why")
    table = Table(*columns, title=f"Marks that changed{more}")
    for change in changes[:MOST_CHANGES]:
        points = [f"{number:g}" for number in (change.before, change.after, change.of)]
        words = [plain(text) for text in (change.student, change.exercise)]
        table.add_row(*words, *points, plain(change.reason))
    return table


def _remark(result: Result) -> str:
    worst = [v.status.value for v in result.verdicts if v.status.value not in ("passed", "wrong")]
    if result.flags:
        worst.append("tampering suspected")
    return result.problem or ", ".join(dict.fromkeys(worst))


def _check(chosen: Namespace) -> int:
    from autograder.classroom.self_check import report

    settings = load_settings()
    handed_in = settings.root / settings.submitted
    if Path(chosen.notebook).resolve().is_relative_to(handed_in.resolve()):
        raise AutograderError(
            f"{chosen.notebook}: check runs a notebook with your own rights, unsealed, and this one"
            " was handed in by a student. Use grade; for a file of yours, copy it elsewhere."
        )
    warn("check runs the notebook as you, without the sandbox: use it on your own file alone")
    accepted, lines = report(settings.root, chosen.notebook)
    for line in lines:
        say(line)
    return 0 if accepted else 1


def _pack(chosen: Namespace) -> None:
    from autograder.classroom.results.gradescope import autograder_zip

    settings, chapter = chosen_chapter(chosen)
    default = settings.root / settings.marks / f"{chapter.name}-gradescope-autograder.zip"
    target = Path(chosen.output or default)
    write(target, autograder_zip(settings.root, chapter))
    say(f"upload this under Configure Autograder: {target}")


def _run_there(chosen: Namespace) -> None:
    from autograder.classroom.results.gradescope import grade_folder, problem_json
    from autograder.grading.host.other_user import LOST, STUDENT, close_off

    settings, chapter = chosen_chapter(chosen)
    root = settings.root
    results = Path(chosen.results)
    try:
        try:
            with Engine(root) as engine:
                text = grade_folder(chapter, chosen.submission, engine)
        except SandboxError as refused:
            say(f"no sandbox here: {refused}")  # instructors alone see what is printed
            close_off([root / "source", results.resolve().parent])
            with Engine(parents=Parents(root, sandbox=False, user=STUDENT)) as engine:
                text = grade_folder(chapter, chosen.submission, engine, LOST)
    except AutograderError as error:
        say(f"error: {error}")
        text = problem_json("The grader could not run. Your work is safe: tell your instructor.")
    write(results, text.encode())
