"""The command for students: check."""

from argparse import Namespace
from typing import Any

from autograder.cli.console import say


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser(
        "check", help="students: would this notebook be accepted, and which visible checks pass?"
    )
    parser.add_argument("notebook")
    parser.set_defaults(run=_check)


def _check(chosen: Namespace) -> int:
    from autograder.classroom.self_check import report
    from autograder.course.settings import load_settings

    accepted, lines = report(load_settings().root, chosen.notebook)
    for line in lines:
        say(line)
    return 0 if accepted else 1
