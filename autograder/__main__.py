"""Command line: ``python -m autograder <command>``. It hands the words to the file of
autograder/cli that knows the command.
"""

import argparse
import errno
import os
import sys
from collections.abc import Sequence

from autograder import __version__

ELSEWHERE = (
    "error: {what}. Run it with the Python that has the course's packages, as .venv/bin/python -m "
    "autograder; where there is no .venv yet, type 'make demo', or what README says under 'Learn'."
)
OURS = ("attention_built", "autograder", "coursesite")
if sys.version_info < (3, 11):  # noqa: UP036 - a clone that nobody installed runs on any Python
    version = ".".join(map(str, sys.version_info[:2]))
    sys.exit(ELSEWHERE.format(what=f"Python {version} is too old: 3.11 is needed"))
try:
    from autograder.course.environment import without_address_grammar

    without_address_grammar()  # the families import notebook libraries

    from autograder.cli import assurance, bench, build, canvas, collect, demo, export, grade
    from autograder.cli.console import never_fail_to_print, plug_ins, warn
    from autograder.course.errors import AutograderError
except ModuleNotFoundError as error:
    if str(error.name).partition(".")[0] in OURS:
        raise
    sys.exit(ELSEWHERE.format(what=f"{sys.executable} has no package {error.name}"))

MAKE_ROOM = "Make room, and run the same command again."
ALLOW = "Let this user read and write it, as with chmod u+rw, and run the same command again."
NEXT = {  # what the system refuses: what to do
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), MAKE_ROOM),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), ALLOW),
}
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
        if str(error.name).partition(".")[0] in OURS:
            raise
        windows = error.name in UNIX and os.name == "nt"
        warn(
            f"error: '{chosen.command}' needs {error.name}, which Windows does not have. Run it in "
            "WSL, or in containers: docs/cluster.md."
            if windows
            else ELSEWHERE.format(what=f"{sys.executable} has no package {error.name}"),
            "red",
        )
        return 1
    except OSError as error:
        if error.errno not in NEXT:
            raise
        where = f"{error.filename}: " * bool(error.filename)
        warn(f"error: {where}{error.strerror}. {NEXT[error.errno]}", "red")
        return 1
    except KeyboardInterrupt:
        warn("stopped", "none")
        return 130


if __name__ == "__main__":
    sys.exit(main())
