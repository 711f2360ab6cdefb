"""`check` runs with what the student extra brings, on systems that have no Unix modules too."""

import subprocess
import sys

from autograder.build.release import release, student_path
from tests.conftest import ROOT

UNIX = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "syslog")  # not on Windows
GRADERS = ("distributed", "dask", "nbgrader", "sqlalchemy", "psycopg", "playwright", "sphinx")
PROGRAM = """
import sys
for name in sys.argv[1].split(","):
    sys.modules[name] = None
from autograder.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def run(course, *words):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, ",".join((*UNIX, *GRADERS)), *words],
        cwd=course,
        env={"PATH": "", "PYTHONPATH": str(ROOT), "HOME": str(course)},
        capture_output=True,
        text=True,
    )


def test_a_student_checks_without_unix_modules_and_without_what_graders_install(course):
    release(course, ["ch01"])
    done = run(course, "check", str(student_path(course, "ch01_small")))
    assert done.returncode == 0 and "The file would be accepted" in done.stdout, done.stderr
    done = run(course, "check", "nothing.ipynb")
    assert "nothing.ipynb cannot be read" in done.stdout, done.stderr
