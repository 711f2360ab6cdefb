"""What nbgrader's autograde and generate_feedback start, on the command line and on formgrader's
page: our grader.

nbgrader's own would run students' code with the instructor's rights, write other marks over ours,
and other pages, which show the hidden tests.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde, BaseConverter, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.server_extensions.formgrader.handlers import ManageSubmissionsHandler
from traitlets.config import Application

from autograder.course.chapter import chapter_paths

THEIRS = 'nbgrader autograde "{}"'
OURS = ".venv/bin/python -m autograder grade {}"

NO_CHAPTER = (
    "{} is no chapter. nbgrader's own command would run students' code with your rights; where "
    "that is what you want, set AUTOGRADER_STOCK=1."
)


def grade_with_ours() -> None:
    """Have nbgrader in this process grade with our command, and formgrader's page name it.

    Called as often as nbgrader's settings are read.
    """
    Autograde.start = _start
    GenerateFeedback.start = lambda app: _start(app, "--only-changed")
    ManageSubmissionsHandler.render = _with_our_command


def _start(app: BaseConverter, *more: str) -> None:
    """Grade an assignment, or one student's. Raises NbGraderException where our command ends with
    an error; with what it says, where no terminal shows it.
    """
    course = app.coursedir
    if course.assignment_id not in [path.stem for path in chapter_paths(course.root)]:
        app.log.error(NO_CHAPTER.format(course.assignment_id))
        raise NbGraderException(NO_CHAPTER.format(course.assignment_id))
    student = [] if course.student_id == "*" else ["--student", course.student_id]
    own = Path(course.root, ".venv", "bin", "python")  # a hub's Python may lack what grade needs
    python = str(own) if own.exists() else sys.executable
    command = [python, "-m", "autograder", "grade", course.assignment_id, *student, *more]
    shown = isinstance(app.parent, Application)
    done = subprocess.run(
        command, cwd=course.root, capture_output=not shown, text=True, errors="replace"
    )
    if not shown:
        app.log.info("%s%s", done.stdout, done.stderr)
    if done.returncode:
        said = "" if shown else (done.stderr or done.stdout).strip()
        raise NbGraderException(said)


def _with_our_command(handler: ManageSubmissionsHandler, name: str, **words: Any) -> str:
    """formgrader's page, where it says how all submissions are graded."""
    page = super(ManageSubmissionsHandler, handler).render(name, **words)
    assignment = words["assignment_id"]
    return page.replace(THEIRS.format(assignment), OURS.format(assignment))
