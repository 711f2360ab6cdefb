"""The command about what students and the term have: term."""

from argparse import Namespace
from typing import Any

from autograder.cli.console import say
from autograder.cli.export import add_late_options


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser("term", help="students and chapters of the term, what is missing")
    add_late_options(parser, due=False)
    parser.set_defaults(run=_term)


def _term(chosen: Namespace) -> None:
    from autograder.classroom.late import parse_policy
    from autograder.classroom.results.term import term, term_csv, term_page
    from autograder.course.chapter import chosen_chapters
    from autograder.course.files import write
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapters = chosen_chapters(settings.root)
    rows = term(settings, chapters, parse_policy(chosen.late, chosen.grace))
    folder = settings.root / settings.marks
    write(folder / "term.csv", term_csv(chapters, rows).encode())
    write(folder / "term.html", term_page(chapters, rows).encode())
    for i, chapter in enumerate(chapters):
        cells = [row.cells[i] for row in rows]
        missing = [row.student for row in rows if row.cells[i] == "missing"]
        handed_in = sum(isinstance(cell, float) for cell in cells)
        if handed_in:
            named = f", {len(missing)} missing: {', '.join(missing)}" if missing else ""
            say(f"{chapter.name}: {handed_in} of {len(rows)} graded{named}")
    say(f"table     {folder / 'term.csv'}\npage      {folder / 'term.html'}")
