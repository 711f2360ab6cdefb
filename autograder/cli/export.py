"""The command that takes marks out: export."""

from autograder.cli.console import say, warn


def add(commands) -> None:
    """Add the command of this file to the parser."""
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
    parser.set_defaults(run=_export)


def _export(chosen):
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
    say(f"{len(marks) - len(unknown)} marks written to {path}")
    if unknown:
        warn(f"warning: not in {chosen.gradebook}: {', '.join(unknown)}")
