"""``python -m autograder bench``: our grader against its peer, and what other packages
measure: each adds its action by the entry point ``autograder.benchmarks``.
"""

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from autograder.cli.console import add_command, plug_ins, say
from autograder.course.chapter import find_chapter
from autograder.course.settings import load_settings

if TYPE_CHECKING:
    from autograder.assurance.bench import Measured

console = Console(width=130)


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser("bench", help="measure what is ours against its peers")
    actions = parser.add_subparsers(dest="action", required=True, metavar="action")
    grader = add_command(actions, "grader", "against nbgrader's own command", _grader)
    option = grader.add_argument
    option("chapters", nargs="*", default=["ch02", "ch04"])
    option("--class", dest="count", type=int, default=24, help="submissions per chapter")
    also = "also grade classes of these sizes, of the first chapter"
    option("--scale", nargs="*", type=int, default=[], metavar="N", help=also)
    option("--no-stock", action="store_true", help="leave nbgrader's command out")
    for add_action in plug_ins("autograder.benchmarks"):
        add_action(actions)


def _grader(chosen: Namespace) -> None:
    """Grade the same class with both commands and print what each took."""
    from autograder.assurance.bench import measure_ours, measure_stock, ratio

    root = load_settings().root
    say(f"load before {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    table = _table("The same class, the same machine", "chapter", "grader", ratio=True)
    for name in chosen.chapters:
        chapter = find_chapter(root, name)
        ours = measure_ours(root, chapter, chosen.count)
        say(f"{chapter.name}: autograder graded {len(ours.marks)} in {ours.usage.seconds:.0f} s")
        stock = None if chosen.no_stock else measure_stock(root, chapter, chosen.count)
        faster = f"{ratio(ours, stock):.1f}" if stock else ""
        table.add_row(chapter.name, "autograder", *_figures(ours), faster)
        if stock:
            table.add_row(chapter.name, "nbgrader", *_figures(stock), "")
    console.print(table)
    if chosen.scale:
        _scale(root, chosen.chapters[0], chosen.scale)


def _scale(root: Path, name: str, sizes: Sequence[int]) -> None:
    """Grade classes of several sizes: does cost grow in a straight line?"""
    from autograder.assurance.bench import measure_ours

    table = _table("Does cost grow in a straight line?")
    table.add_column("coordinator MB")
    for size in sizes:
        measured = measure_ours(root, find_chapter(root, name), size)
        say(f"{size} submissions: {measured.usage.seconds:.0f} s")
        table.add_row(*_figures(measured), f"{measured.usage.own_memory / 2**20:.0f}")
    console.print(table)


def _table(title: str, *first: str, ratio: bool = False) -> Table:
    figures = ("submissions", "seconds", "per minute", "median s", "95% s", "peak MB")
    return Table(*first, *figures, *(["ratio"] if ratio else []), title=title)


def _figures(measured: "Measured") -> tuple[str, ...]:
    return (
        str(len(measured.marks)),
        f"{measured.usage.seconds:.1f}",
        f"{measured.per_minute:.1f}",
        f"{measured.median:.2f}",
        f"{measured.slow:.2f}",
        f"{measured.usage.memory / 2**20:.0f}",
    )
