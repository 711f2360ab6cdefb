"""``python -m autograder corpus``: hostile and broken submissions against the chapters."""

import argparse
from typing import Any

from autograder.cli.console import say


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser(
        "corpus", help="grade the corpus of hostile, broken and oddly edited submissions"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch07; default: all")
    parser.set_defaults(run=_corpus)


def _corpus(chosen: argparse.Namespace) -> int:
    """Print every case that does not hold, then a table of groups. 1 where one does not hold."""
    from autograder.assurance.corpus import run, table
    from autograder.course.chapter import chosen_chapters
    from autograder.course.settings import load_settings
    from autograder.grading import Engine, Limits

    root = load_settings().root
    names = [chapter.name for chapter in chosen_chapters(root, chosen.chapters)]
    limits = Limits(cell_seconds=8, check_seconds=15, notebook_seconds=90, total_bytes=2 << 30)
    rows = []
    with Engine(root, limits=limits) as engine:
        for held in run(engine, root, names):
            rows.append(held)
            for fault in held.faults:
                say(f"{held.chapter} {held.case}: {fault}")
    say(table(rows))
    return 1 if any(row.faults for row in rows) else 0
