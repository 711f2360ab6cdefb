"""The commands about what students and the term have: term, return."""

from pathlib import Path
from typing import Any

from autograder.cli.console import say, warn


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser("term", help="students and chapters of the term, what is missing")
    parser.add_argument(
        "--late",
        default="none",
        metavar="POLICY",
        help="none, zero, or a percentage per day such as 10%%",
    )
    parser.add_argument("--grace", default="0s", metavar="TIME", help="as for export")
    parser.set_defaults(run=_term)
    back = commands.add_parser("return", help="feedback pages as the zip that a platform takes in")
    back.add_argument("chapter", help="as ch02")
    back.add_argument("--to", dest="platform", required=True, choices=["canvas", "moodle"])
    back.add_argument(
        "--gradebook",
        metavar="CSV",
        type=Path,
        help="Moodle's grading worksheet: whose pages those of a team are",
    )
    back.add_argument(
        "--output", metavar="ZIP", help="default: marks/<chapter>-feedback-<platform>.zip"
    )
    back.set_defaults(run=_return)


def _term(chosen):
    from autograder.classroom.results.late import parse_policy
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


def _return(chosen):
    from autograder.classroom.results.hand_back import pages_zip
    from autograder.course.chapter import find_chapter
    from autograder.course.files import write
    from autograder.course.settings import load_settings

    settings = load_settings()
    chapter = find_chapter(settings.root, chosen.chapter)
    content, reached, missed = pages_zip(settings, chapter, chosen.platform, chosen.gradebook)
    default = settings.root / settings.marks / f"{chapter.name}-feedback-{chosen.platform}.zip"
    target = Path(chosen.output or default)
    write(target, content)
    for line in missed:
        warn(f"not in the zip: {line}")
    say(f"pages for {len(reached)} student(s): {target}")
