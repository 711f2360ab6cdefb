"""``python -m autograder bench``: our grader and our checks against their peers, and what other
packages measure: each adds its action by the entry point ``autograder.benchmarks``.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from autograder.cli.console import plug_ins, say

if TYPE_CHECKING:
    from autograder.assurance.bench.grader import Measured

console = Console(width=130)


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser("bench", help="measure what is ours against its peers")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    grader = actions.add_parser("grader", help="against nbgrader's own command")
    grader.add_argument("chapters", nargs="*", default=["ch02", "ch04"])
    grader.add_argument(
        "--class", dest="count", type=int, default=24, help="submissions per chapter"
    )
    grader.add_argument(
        "--scale",
        nargs="*",
        type=int,
        default=[],
        metavar="N",
        help="also grade classes of these sizes, of the first chapter",
    )
    grader.add_argument("--no-stock", action="store_true", help="leave nbgrader's command out")
    checks = actions.add_parser(
        "checks", help="the bank's answers, judged by another course's checks and by ours"
    )
    checks.add_argument(
        "adapter", type=Path, help="a Python file that calls the other checks: see bank/README.md"
    )
    checks.add_argument("--csv", type=Path, metavar="FILE", help="write a line for each answer")
    parser.set_defaults(run=run)
    for add_action in plug_ins("autograder.benchmarks"):
        add_action(actions)


def run(chosen: argparse.Namespace) -> None:
    """Measure, and print a table."""
    from autograder.course.settings import load_settings

    root = load_settings().root
    if chosen.action == "checks":
        show_checks(root, chosen.adapter, chosen.csv)
    else:
        show_grader(root, chosen.chapters, chosen.count, not chosen.no_stock)
        if chosen.scale:
            show_scale(root, chosen.chapters[0], chosen.scale)


def show_grader(root: Path, chapters: Sequence[str], count: int, with_stock: bool) -> None:
    """Grade the same class with both commands and print what each took."""
    from autograder.assurance.bench.grader import measure_ours, measure_stock, ratio
    from autograder.course.chapter import find_chapter

    say(f"load before {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    table = _table("The same class, the same machine", "chapter", "grader", ratio=True)
    for name in chapters:
        chapter = find_chapter(root, name)
        ours = measure_ours(root, chapter, count)
        say(f"{chapter.name}: autograder graded {len(ours.marks)} in {ours.seconds:.0f} s")
        if with_stock:
            stock = measure_stock(root, chapter, count)
            faster = f"{ratio(ours, stock):.1f}"
            table.add_row(chapter.name, "autograder", *_figures(ours), faster)
            table.add_row(chapter.name, "nbgrader", *_figures(stock), "")
        else:
            table.add_row(chapter.name, "autograder", *_figures(ours), "")
    console.print(table)


def show_scale(root: Path, name: str, sizes: Sequence[int]) -> None:
    """Grade classes of several sizes: does cost grow in a straight line?"""
    from autograder.assurance.bench.grader import measure_ours
    from autograder.course.chapter import find_chapter

    table = _table("Does cost grow in a straight line?")
    table.add_column("coordinator MB")
    for size in sizes:
        measured = measure_ours(root, find_chapter(root, name), size)
        say(f"{size} submissions: {measured.seconds:.0f} s")
        table.add_row(*_figures(measured), f"{measured.own_memory / 2**20:.0f}")
    console.print(table)


def show_checks(root: Path, adapter_path: Path, csv_path: Path | None = None) -> None:
    """Print false refusals and false accepts of both graders, and which answers they were."""
    from autograder.assurance.bench.checks import as_csv, compare, read_adapter, tallies
    from autograder.cli.console import progress_bar
    from autograder.course.files import write

    adapter = read_adapter(adapter_path)
    with progress_bar() as bar:
        task = bar.add_task("answers", total=None)
        judged = compare(root, adapter, lambda: bar.advance(task))
    for one in judged:
        for accepted, who in ((one.ours, "ours"), (one.theirs, adapter.name)):
            if accepted != one.right:
                words = "accepts a wrong answer" if accepted else "refuses a right answer"
                said = f": {one.said[:150]}" if who is adapter.name and one.said else ""
                say(f"{one.exercise}/{one.answer}: {who} {words}{said}")
    table = Table(title=f"The bank's answers, judged by our checks and by {adapter.name}")
    for name in ("exercise", "right", "refused: ours", "theirs", "wrong", "accepted: ours"):
        table.add_column(name, justify="left" if name == "exercise" else "right")
    table.add_column("theirs", justify="right")
    table.add_column("left out", justify="right")
    for row in tallies(adapter, judged):
        refusals, accepts = map(str, row.false_refusals), map(str, row.false_accepts)
        table.add_row(
            row.exercise, str(row.right), *refusals, str(row.wrong), *accepts, str(row.left_out)
        )
    console.print(table)
    for exercise, answers in adapter.left_out.items():
        for answer, why in answers.items():
            say(f"left out: {exercise}/{answer}: {why}")
    if csv_path:
        write(csv_path, as_csv(judged).encode())


def _table(title: str, *first: str, ratio: bool = False) -> Table:
    figures = ("submissions", "seconds", "per minute", "median s", "95% s", "peak MB")
    return Table(*first, *figures, *(["ratio"] if ratio else []), title=title)


def _figures(measured: "Measured") -> tuple[str, ...]:
    return (
        str(len(measured.marks)),
        f"{measured.seconds:.1f}",
        f"{measured.per_minute:.1f}",
        f"{measured.median:.2f}",
        f"{measured.slow:.2f}",
        f"{measured.memory / 2**20:.0f}",
    )
