"""The command that brings handed-in work in: collect."""

from pathlib import Path

from autograder.cli.console import say


def add(commands) -> None:
    """Add the command of this file to the parser."""
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
    parser.set_defaults(run=_collect)


def _collect(chosen):
    from autograder.classroom.collect.collecting import collect
    from autograder.classroom.paths import collected_path
    from autograder.course.settings import load_settings

    settings = load_settings()
    rows = collect(settings, chosen.source, chosen.platform, chosen.roster, chosen.chapter)
    show_collected(rows, collected_path(settings))
    return 0 if any(row.outcome in ("taken", "unchanged") for row in rows) else 1


def show_collected(rows, path: Path) -> None:
    """Print how many files were taken, and every file that was not, with the reason."""
    counts = {
        outcome: sum(row.outcome == outcome for row in rows)
        for outcome in ("taken", "unchanged", "older", "skipped", "not placed")
    }
    numbers = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    say(f"collected {numbers}  (report: {path})")
    for row in rows:
        if row.outcome in ("skipped", "not placed"):
            say(f"  {row.outcome}: {row.file}: {row.reason}")
