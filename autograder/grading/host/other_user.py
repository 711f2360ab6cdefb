"""Students' code as another user of this machine: what is left where no sandbox can be had, as in a
container that refuses user namespaces. Only root can do it.

What holds then
    Students' code reads no folder that is closed to other users: the sources with the hidden tests,
    the results. It reaches no process of the grader, and verdicts are computed there.

What does not hold
    It can open network connections, see which processes run, and leave files and processes behind.
    Two submissions on one machine could see each other: each needs a container of its own.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from autograder.course.errors import SandboxError

STUDENT = 64123  # no user of that number is on any system that we know of
LOST = (
    "This container refuses the sandbox, so the student's code ran as another user in it. It could "
    "not read the hidden tests, write results or reach the grader's processes. It could open "
    "network connections, see which processes run, and leave files and processes behind in this "
    "container."
)


def close_off(folders: Iterable[Path]) -> None:
    """Close folders to other users, and see that they are closed. Raises SandboxError."""
    if os.geteuid() != 0:
        raise SandboxError(
            "students' code can run as another user only where the grader is root; it is not."
        )
    for folder in folders:
        folder.chmod(0o700)
        look = f"import os; os.listdir({str(folder)!r})"
        try:
            looked = subprocess.run(
                [sys.executable, "-I", "-c", look],
                user=STUDENT,
                group=STUDENT,
                extra_groups=[],
                cwd="/",
                capture_output=True,
                text=True,
            )
        except OSError as error:
            raise SandboxError(
                f"another user may not run {sys.executable} ({error.strerror}); install Python "
                "where every user may read it."
            ) from error
        if "PermissionError" not in looked.stderr:
            said = looked.stderr.strip().split("\n")[-1] or "it can be read"
            raise SandboxError(f"{folder} is not closed to another user here: {said}")
