"""Command line: ``python -m autograder <command>``. It hands the words to the file of
autograder/cli that knows the command.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from autograder import __version__
from autograder.course.environment import without_address_grammar
from autograder.course.errors import AutograderError

without_address_grammar()  # the families import notebook libraries

from autograder.cli import assurance, bench, build, canvas, collect, demo, export, grade
from autograder.cli.console import never_fail_to_print, plug_ins, warn

FAMILIES = (build, collect, canvas, grade, export, assurance, bench, demo)
UNIX = ("fcntl", "grp", "pwd", "resource", "termios")  # modules of Python that Windows lacks


def command_line() -> argparse.ArgumentParser:
    """The parser that knows every command."""
    parser = argparse.ArgumentParser(
        prog="autograder", description="Command line of the course's build and grader."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for family in FAMILIES:
        family.add(commands)
    for add_commands in plug_ins("autograder.commands"):
        add_commands(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0 done, 1 a known error (one line on stderr), 2
    wrong usage.
    """
    never_fail_to_print()
    chosen = command_line().parse_args(arguments)
    try:
        return chosen.run(chosen) or 0
    except AutograderError as error:
        warn(f"error: {error}", "red")
        return 1
    except ModuleNotFoundError as error:
        if error.name not in UNIX or os.name != "nt":
            raise
        warn(
            f"error: '{chosen.command}' needs {error.name}, which Windows does not have. Run it in "
            "WSL, or in containers: docs/cluster.md.",
            "red",
        )
        return 1
    except KeyboardInterrupt:
        warn("stopped", "none")
        return 130


if __name__ == "__main__":
    sys.exit(main())
