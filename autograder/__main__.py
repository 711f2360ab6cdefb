"""Command line: ``python -m autograder <command>``. It parses, shows progress and prints; the work is done in the modules it calls."""

import argparse
import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from autograder import __version__
from autograder.cli import bench, pages, properties
from autograder.course.environment import without_address_grammar
from autograder.course.errors import AutograderError

console = Console()
errors = Console(stderr=True)


def main(arguments=None):
    """Run one command. Returns the exit status: 0 done, 1 a known error (one line on stderr), 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="autograder", description=__doc__.split(":")[0] + " of the course's build and grader."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for add in (
        _release,
        _fresh,
        _collect,
        _grade,
        _export,
        _check,
        _gradescope,
        _quality,
        _survivors,
        _stability,
        _narration,
        pages.add,
        bench.add,
        properties.add,
        _site,
        _offline,
        _demo,
    ):
        add(commands)
    chosen = parser.parse_args(arguments)
    without_address_grammar()
    try:
        return chosen.run(chosen) or 0
    except AutograderError as error:
        errors.print(f"error: {error}", style="red", markup=False, highlight=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        errors.print("stopped")
        return 130


def _release(commands):
    parser = commands.add_parser(
        "release", help="build student notebooks and executed solutions from source/"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.add_argument(
        "--force", action="store_true", help="execute solutions again even where nothing changed"
    )
    parser.set_defaults(run=_run_release)


def _run_release(chosen):
    from autograder.build.release import release
    from autograder.course.settings import load_settings

    settings = load_settings()
    with _bar() as bar:
        for built in release(settings.root, chosen.chapters, chosen.force, _ReleaseProgress(bar)):
            state = "executed" if built.executed else "outputs kept"
            files = f"{len(built.changed)} file(s) written" if built.changed else "unchanged"
            bar.console.print(f"{built.chapter:24} {state:13} {files}", highlight=False)


class _ReleaseProgress:
    def __init__(self, bar):
        self.bar, self.task = bar, None

    def chapter(self, name):
        if self.task is not None:
            self.bar.remove_task(self.task)
        self.task = self.bar.add_task(name, total=None)

    def cell(self, done, total):
        self.bar.update(self.task, completed=done, total=total)


def _fresh(commands):
    parser = commands.add_parser(
        "fresh", help="check that notebooks/ and solutions/ are what the source gives"
    )
    parser.set_defaults(run=_run_fresh)


def _run_fresh(chosen):
    from autograder.build.fresh import stale_files
    from autograder.course.settings import load_settings

    stale = stale_files(load_settings().root)
    if stale:
        raise AutograderError(
            f"{len(stale)} built file(s) are not what the source gives: {', '.join(map(str, stale[:4]))}. Run 'make release' and commit."
        )
    console.print("The committed release is fresh.")


def _collect(commands):
    parser = commands.add_parser("collect", help="bring a platform's export into submitted/")
    parser.add_argument("source", help="zip file or folder, as the platform exports it")
    parser.add_argument(
        "--from",
        dest="platform",
        default="auto",
        choices=["canvas", "moodle", "gradescope", "folder", "auto"],
    )
    parser.add_argument(
        "--roster",
        metavar="CSV",
        help="first column: student id; other columns: what platforms call that student",
    )
    parser.add_argument("--chapter", default="", help="of notebooks that do not tell, as ch02")
    parser.set_defaults(run=_run_collect)


def _run_collect(chosen):
    from autograder.classroom.collect.collecting import collect, report_path
    from autograder.course.settings import load_settings

    settings = load_settings()
    rows = collect(settings, chosen.source, chosen.platform, chosen.roster, chosen.chapter)
    show_collected(rows, report_path(settings))
    return 0 if any(row.outcome in ("taken", "unchanged") for row in rows) else 1


def show_collected(rows, path):
    """Print how many files were taken, and every file that was not, with the reason."""
    counts = {
        outcome: sum(row.outcome == outcome for row in rows)
        for outcome in ("taken", "unchanged", "older", "skipped", "not placed")
    }
    console.print(
        "collected "
        + ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
        + f"  (report: {path})",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    for row in rows:
        if row.outcome in ("skipped", "not placed"):
            console.print(
                f"  {row.outcome}: {row.file}: {row.reason}",
                highlight=False,
                soft_wrap=True,
                markup=False,
            )


def _grade(commands):
    parser = commands.add_parser(
        "grade", help="grade submitted/<student>/<chapter>/ into the gradebook"
    )
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument(
        "--student",
        action="append",
        default=[],
        metavar="ID",
        help="only this student (may be repeated)",
    )
    parser.add_argument(
        "--only-changed",
        action="store_true",
        help="only what is new, was handed in again, or has other tests than last time",
    )
    parser.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="a running Dask scheduler, as tcp://head:8786; default: the cores of this machine",
    )
    parser.add_argument(
        "--workers",
        type=int,
        metavar="N",
        help="submissions at a time on this machine; default: one per core",
    )
    parser.add_argument(
        "--no-sandbox",
        action="store_true",
        help="run students' code with your own rights; for code you trust",
    )
    parser.set_defaults(run=_run_grade)


def _run_grade(chosen):
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    results = grade_with_progress(
        settings,
        find_chapter(settings.root, chosen.chapter),
        chosen.student,
        not chosen.no_sandbox,
        chosen.scheduler,
        chosen.workers,
        chosen.only_changed,
    )
    return 0 if results else 1


def grade_with_progress(
    settings, chapter, students=(), sandbox=True, scheduler="", count=None, only_changed=False
):
    """Grade one chapter, show a bar, a row per student, marks that changed, and where the results are."""
    from autograder.classroom.run.grade import (
        changes_path,
        feedback_path,
        grade,
        marks_path,
        report_path,
    )
    from autograder.classroom.run.workers import Workers

    if not sandbox:
        errors.print(
            "warning: --no-sandbox runs students' code with your own rights, files and network.",
            style="yellow",
        )
    table = Table(
        "student",
        *[e.title.partition(" · ")[0].removeprefix("Exercise ") for e in chapter.exercises],
        "points",
        "remark",
        title=chapter.title,
    )
    changed = []
    with (
        _bar() as bar,
        Workers(
            settings.root,
            scheduler,
            sandbox,
            count,
            notice=lambda text: bar.console.print(text, markup=False),
        ) as workers,
    ):
        task = bar.add_task(chapter.name, total=None)
        results = grade(
            settings,
            chapter,
            None,
            students,
            lambda _, done, total: bar.update(task, completed=done, total=total),
            workers=workers,
            only_changed=only_changed,
            on_changes=changed.extend,
        )
    if not results:
        raise AutograderError(
            f"expected submissions in {settings.root / settings.submitted}/<student>/{chapter.name}/; found none. "
            "Put them there, or run 'python -m autograder collect'."
        )
    for result in results:
        cells = [
            "{:g}/{:g}".format(
                sum(v.points for v in result.verdicts if v.exercise == e.id), e.points
            )
            for e in chapter.exercises
        ]
        table.add_row(
            result.student, *cells, f"{result.points:g}/{chapter.points:g}", _remark(result)
        )
    console.print(table)
    if changed:
        console.print(_changes_table(changed))
        console.print(
            f"changes   {changes_path(settings, chapter)}", highlight=False, soft_wrap=True
        )
    console.print(f"marks     {marks_path(settings, chapter)}", highlight=False, soft_wrap=True)
    console.print(f"report    {report_path(settings, chapter)}", highlight=False, soft_wrap=True)
    console.print(
        f"feedback  {feedback_path(settings, results[0]).parents[1].parent}/<student>/{chapter.name}/{chapter.name}.html",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    return results


def _changes_table(changes, most=40):
    from rich.text import Text

    more = f" (the first {most} of {len(changes)})" if len(changes) > most else ""
    table = Table(
        "student", "exercise", "before", "after", "of", "why", title=f"Marks that changed{more}"
    )
    for change in changes[:most]:
        table.add_row(
            Text(change.student),
            change.exercise,
            f"{change.before:g}",
            f"{change.after:g}",
            f"{change.of:g}",
            change.reason,
        )
    return table


def _remark(result):
    from rich.text import Text

    worst = [v.status.value for v in result.verdicts if v.status.value not in ("passed", "wrong")]
    return Text(
        result.problem
        or ", ".join(dict.fromkeys([*worst, *(["tampering suspected"] if result.flags else [])]))
    )


def _export(commands):
    parser = commands.add_parser("export", help="marks out of the gradebook for a platform")
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument(
        "--to", dest="platform", default="csv", choices=["canvas", "moodle", "gradescope", "csv"]
    )
    parser.add_argument(
        "--gradebook",
        metavar="CSV",
        help="the gradebook file that Canvas or Moodle exports, for its id columns",
    )
    parser.add_argument("--column", default="", help="Canvas: header of the column to fill")
    parser.add_argument("--roster", metavar="CSV", help="as for collect")
    parser.add_argument(
        "--late",
        default="none",
        metavar="POLICY",
        help="none, zero, or a percentage per day such as 10%%",
    )
    parser.add_argument(
        "--grace", default="0s", metavar="TIME", help="lateness that costs nothing, such as 15m"
    )
    parser.add_argument(
        "--due",
        metavar="DATE",
        help="'2026-11-20 23:59' in UTC; default: the due date in the gradebook",
    )
    parser.add_argument(
        "--output",
        metavar="PATH",
        help="default: marks/<chapter>-<platform>.csv, or a folder for gradescope",
    )
    parser.set_defaults(run=_run_export)


def _run_export(chosen):
    from autograder.classroom.results.export import export, parse_due, read_marks
    from autograder.classroom.results.late import parse_policy
    from autograder.course.chapter import find_chapter
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    marks = read_marks(
        settings,
        chapter,
        parse_policy(chosen.late, chosen.grace),
        parse_due(chosen.due) if chosen.due else None,
    )
    suffix = "" if chosen.platform == "gradescope" else ".csv"
    target = (
        chosen.output
        or settings.root / settings.marks / f"{chapter.name}-{chosen.platform}{suffix}"
    )
    path, unknown = export(
        settings,
        chapter,
        chosen.platform,
        marks,
        target,
        chosen.gradebook,
        chosen.roster,
        chosen.column,
    )
    console.print(
        f"{len(marks) - len(unknown)} marks written to {path}",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )
    if unknown:
        errors.print(
            f"warning: not in {chosen.gradebook}: {', '.join(unknown)}",
            style="yellow",
            markup=False,
            soft_wrap=True,
        )


def _check(commands):
    parser = commands.add_parser(
        "check", help="students: would this notebook be accepted, and which visible checks pass?"
    )
    parser.add_argument("notebook")
    parser.set_defaults(run=_run_check)


def _run_check(chosen):
    from autograder.classroom.self_check import report
    from autograder.course.settings import load_settings

    accepted, lines = report(load_settings().root, chosen.notebook)
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    return 0 if accepted else 1


def _gradescope(commands):
    parser = commands.add_parser(
        "gradescope", help="pack the grader as a Gradescope autograder, or run as one"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="pack|run")
    packing = actions.add_parser("pack", help="write the zip that Gradescope asks for")
    packing.add_argument("chapter")
    packing.add_argument(
        "--output", metavar="ZIP", help="default: marks/<chapter>-gradescope-autograder.zip"
    )
    running = actions.add_parser("run", help="grade one submission inside Gradescope's container")
    running.add_argument("chapter")
    running.add_argument("submission")
    running.add_argument("results")
    parser.set_defaults(run=_run_gradescope)


def _run_gradescope(chosen):
    from pathlib import Path

    from autograder.classroom.results.gradescope import pack, problem_json, run
    from autograder.course.chapter import find_chapter
    from autograder.course.files import write
    from autograder.course.settings import load_settings
    from autograder.grading import Engine

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    if chosen.action == "pack":
        target = Path(
            chosen.output
            or settings.root / settings.marks / f"{chapter.name}-gradescope-autograder.zip"
        )
        write(target, pack(settings.root, chapter))
        console.print(
            f"upload this under Configure Autograder: {target}",
            highlight=False,
            soft_wrap=True,
            markup=False,
        )
        return
    try:
        with Engine(settings.root) as engine:
            text = run(settings.root, chapter.name, chosen.submission, engine)
    except AutograderError as error:
        text = problem_json(
            f"The grader could not run here; your work is safe, tell your instructor: {error}"
        )
    write(Path(chosen.results), text.encode())


def _quality(commands):
    parser = commands.add_parser(
        "quality", help="grade the bank of right and wrong answers; the table goes into README.md"
    )
    parser.add_argument(
        "chapters",
        nargs="*",
        metavar="chapter",
        help="as ch02; default: all, and README.md is written",
    )
    parser.set_defaults(run=_run_quality)


def _run_quality(chosen):
    from autograder.assurance.quality import measure, table
    from autograder.build.readme import with_quality
    from autograder.course.chapter import chosen_chapters
    from autograder.course.files import write
    from autograder.course.settings import load_settings
    from autograder.grading import Engine

    root = load_settings().root
    chapters = chosen_chapters(root, chosen.chapters)
    rows = []
    with Engine(root) as engine, _bar() as bar:
        for chapter in chapters:
            task = bar.add_task(chapter.name, total=None)
            rows.append(measure(engine, root, chapter, on_answer=lambda: bar.advance(task)))
            bar.remove_task(task)
            hidden = [f"only hidden tests find {line}" for line in rows[-1].hidden_only]
            for line in [*rows[-1].faults, *hidden]:
                bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
    console.print(table(rows), markup=False, highlight=False, soft_wrap=True)
    if not chosen.chapters:
        readme = root / "README.md"
        write(readme, with_quality(readme.read_text(encoding="utf-8"), table(rows)).encode())


def _survivors(commands):
    parser = commands.add_parser(
        "survivors",
        help="change reference solutions in small places: which changes do the checks not see?",
    )
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="only so many changes, always the same ones"
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="exercises whose id contains this"
    )
    parser.set_defaults(run=_run_survivors)


def _run_survivors(chosen):
    from autograder.assurance.survivors import ENOUGH, hunt
    from autograder.course.settings import load_settings

    result = hunt(
        load_settings().root,
        chosen.chapter,
        chosen.sample,
        chosen.only,
        lambda exercise, change: _say(f"survives  {exercise}: {change}"),
    )
    for line in result.dead:
        _say(f"refused, though explained  {line}")
    _say(
        f"{result.chapter}: {result.tried} changed answers, {result.equivalent} of them equivalent, {100 * result.rate:.1f}% of the others refused"
    )
    return 1 if result.found or result.dead or not (chosen.sample or result.rate >= ENOUGH) else 0


def _stability(commands):
    parser = commands.add_parser(
        "stability",
        help="run every check on the reference again and again, each time with other seeds",
    )
    parser.add_argument("chapter", help="as ch02")
    parser.add_argument(
        "--times", type=int, default=200, metavar="N", help="how many seeds; default 200"
    )
    parser.add_argument(
        "--threads",
        type=int,
        nargs="+",
        default=[1, 2],
        metavar="N",
        help="each seed with so many threads; default 1 and 2",
    )
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="exercises whose id contains this"
    )
    parser.add_argument(
        "--under-load", action="store_true", help="while a process keeps each core busy"
    )
    parser.set_defaults(run=_run_stability)


def _run_stability(chosen):
    from autograder.assurance.stability import unstable
    from autograder.course.settings import load_settings

    lines = unstable(
        load_settings().root,
        chosen.chapter,
        chosen.times,
        chosen.threads,
        chosen.only,
        _say,
        chosen.under_load,
    )
    _say(
        f"{chosen.chapter}: {chosen.times} seeds with {' and '.join(map(str, chosen.threads))} thread(s): {len(lines)} failures"
    )
    return 1 if lines else 0


def _say(line):
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def _narration(commands):
    parser = commands.add_parser(
        "narration", help="speak what changed in narration/ (needs festival and ffmpeg)"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.set_defaults(run=_run_narration)


def _run_narration(chosen):
    from autograder.course.settings import load_settings
    from autograder.narration.audio import make_audio

    made = make_audio(
        load_settings(),
        chosen.chapters,
        lambda segment: console.print(segment.audio, highlight=False),
    )
    console.print(f"{len(made)} segment(s) spoken")


def _site(commands):
    parser = commands.add_parser("site", help="build the course site into _build/site")
    parser.add_argument(
        "--answers",
        choices=["folded", "open", "none"],
        default="",
        help="what the pages show of the answers to exercises; default: the setting site_answers",
    )
    parser.add_argument(
        "--serve", action="store_true", help="and show it on this machine until Ctrl-C"
    )
    parser.add_argument("--port", type=int, default=8000)
    parser.set_defaults(run=_run_site)


def _run_site(chosen):
    from threading import Event

    from autograder.course.settings import load_settings
    from autograder.site.build import build
    from autograder.site.server import serving

    folder = build(load_settings(), answers=chosen.answers)
    console.print(f"built: {folder / 'index.html'}", highlight=False, soft_wrap=True, markup=False)
    if chosen.serve:
        with serving(folder, chosen.port) as address:
            console.print(
                f"open {address}  (Ctrl-C ends it)", highlight=False, soft_wrap=True, markup=False
            )
            Event().wait()


def _offline(commands):
    parser = commands.add_parser(
        "offline",
        help="build the site and pack it with notebooks, audio and interactive pages into one zip",
    )
    parser.set_defaults(run=_run_offline)


def _run_offline(chosen):
    from autograder.course.settings import load_settings
    from autograder.site.build import build
    from autograder.site.offline import write_offline_zip

    settings = load_settings()
    path = write_offline_zip(settings.root, build(settings))
    console.print(
        f"packed: {path} ({path.stat().st_size / 1e6:.0f} MB)",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )


def _demo(commands):
    parser = commands.add_parser("demo", help="grade a bundled sample class and show the results")
    parser.add_argument(
        "chapters", nargs="*", metavar="chapter", help="as ch04; default: the first two"
    )
    parser.add_argument("--no-sandbox", action="store_true", help="where bubblewrap cannot be had")
    parser.set_defaults(run=_run_demo)


def _run_demo(chosen):
    from functools import partial

    from autograder.cli.demo import demo
    from autograder.course.errors import SandboxError
    from autograder.grading.host.bubblewrap import start_student_server

    sandbox = not chosen.no_sandbox
    if sandbox:
        try:
            start_student_server().close()
        except SandboxError as error:
            errors.print(
                f"note: {error} The sample class is our own code: it is graded without the sandbox.",
                style="yellow",
                markup=False,
                soft_wrap=True,
            )
            sandbox = False
    demo(partial(grade_with_progress, sandbox=sandbox), show_collected, chosen.chapters)


def _bar():
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    )


if __name__ == "__main__":
    sys.exit(main())
