"""What formgrader's page starts: our grader, in place of nbgrader's autograde.

nbgrader's own would run students' code in the instructor's server, with the instructor's rights,
and write other marks over ours; its generate_feedback would write other pages. Inside a Jupyter
server both buttons grade with us, and the page names our command. nbgrader's command line stays as
it is.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from nbgrader.converters import Autograde, BaseConverter, GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.server_extensions.formgrader.handlers import ManageSubmissionsHandler

THEIRS = 'nbgrader autograde "{}"'
OURS = ".venv/bin/python -m autograder grade {}"


def grade_with_ours(root: Path) -> None:
    """Have the buttons of formgrader in this process grade with our command, in a course.

    Called as often as formgrader reads its settings.
    """

    def start(app: BaseConverter, *more: str) -> None:
        coursedir = app.coursedir
        student = [] if coursedir.student_id == "*" else ["--student", coursedir.student_id]
        command = [sys.executable, "-m", "autograder", "grade", coursedir.assignment_id]
        done = subprocess.run(
            [*command, *student, *more], cwd=root, capture_output=True, text=True, errors="replace"
        )
        app.log.info("%s%s", done.stdout, done.stderr)
        if done.returncode:
            raise NbGraderException((done.stderr or done.stdout).strip())

    Autograde.start = start
    GenerateFeedback.start = lambda app: start(app, "--only-changed")
    ManageSubmissionsHandler.render = _with_our_command


def _with_our_command(handler: ManageSubmissionsHandler, name: str, **words: Any) -> str:
    """formgrader's page, where it says how all submissions are graded."""
    page = super(ManageSubmissionsHandler, handler).render(name, **words)
    assignment = words["assignment_id"]
    return page.replace(THEIRS.format(assignment), OURS.format(assignment))
