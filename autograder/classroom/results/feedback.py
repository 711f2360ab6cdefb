"""One page per submission that a student would want to read: what is right, what is not, why, and
where to look. And what nbgrader's release_feedback wants beside it.
"""

import ast
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import jinja2

from autograder.classroom.collect.submitted import Found
from autograder.classroom.late import in_words
from autograder.classroom.marks import ByHand, marked_by_hand
from autograder.course.files import write
from autograder.course.model import Cell, Chapter, Exercise, plain
from autograder.grading.result import Result, Status

TEMPLATES = jinja2.PackageLoader("autograder.classroom.results", "")
PAGES = jinja2.Environment(loader=TEMPLATES, autoescape=True, trim_blocks=True, lstrip_blocks=True)
LONGEST = 1500  # characters of a message
LONGEST_ANSWER = 6000  # characters of a student's own code
LARGEST_STAMP = 4096  # bytes that are read of a file that release_feedback wants
SAYS = {
    Status.UNTOUCHED: "The cell still holds the line that raises NotImplementedError.",
    Status.MISSING: (
        "The cell of this exercise is not in the file. Copy it back from a fresh notebook."
    ),
    Status.TIMEOUT: "Stopped: it ran longer than allowed. Is there a loop that never ends?",
    Status.MEMORY: (
        "Stopped: it needed more memory than allowed. Is a tensor much larger than it must be?"
    ),
    Status.DIED: "Python itself ended while this ran (a call such as exit(), or a crash).",
}


@dataclass(frozen=True)
class Handed:
    """What is known of a submission beside its Result."""

    answers: Mapping[str, str] = field(default_factory=dict)  # {exercise: the student's text}
    by_hand: ByHand = field(default_factory=ByHand)
    received: datetime | None = None  # in UTC
    seconds_late: float = 0.0
    excused: bool = False
    together: tuple[str, ...] = ()  # who handed it in, where it was a group


def page(
    chapter: Chapter, result: Result, notebook_url: str = "", handed: Handed | None = None
) -> str:
    """The feedback page for one Result, a self-contained HTML document. All text of the student's
    is escaped.
    """
    handed = handed or Handed()
    given = handed.by_hand.comments
    comments = {
        one.id: [given[cell.id] for cell in (one.solution, *one.checks) if cell.id in given]
        for one in chapter.exercises
    }
    return PAGES.get_template("feedback_page.html").render(
        chapter=chapter,
        result=marked_by_hand(result, handed.by_hand),
        handed=handed,
        late=in_words(handed.seconds_late),
        claims={check.grade_id: claim(check) for check in chapter.checks},
        links={e.id: _section_link(chapter, e, notebook_url) for e in chapter.exercises},
        answers={name: _shortened(text) for name, text in handed.answers.items()},
        comments=comments,
        message=lambda verdict: SAYS.get(verdict.status) or verdict.message[:LONGEST],
    )


def claim(check: Cell) -> str:
    """What a check claims: the first paragraph of its docstring, in one line, without the number of
    its exercise.
    """
    said = ast.get_docstring(ast.parse(check.visible)) or ""
    return re.sub(r"^Exercise [\d.]+[:,] ", "", " ".join(said.partition("\n\n")[0].split()))


def ready_to_release(found: Found, folder: Path) -> None:
    """Put into the folder of a feedback page what release_feedback reads there
    (nbgrader/exchange/default/release_feedback.py, copy_files): timestamp.txt, and
    submission_secret.txt, by which fetch_feedback finds the student's page in the exchange.

    A submission that did not come through the exchange gets a secret of its own, which nobody asks
    for.
    """
    for name in ("timestamp.txt", "submission_secret.txt"):
        source = found.path.parent / name if found.path else None
        target = folder / name
        if source and source.is_file() and not source.is_symlink():
            with source.open("rb") as file:
                write(target, file.read(LARGEST_STAMP))
        elif name == "timestamp.txt":
            write(target, b"")
        elif not target.is_file():
            write(target, secrets.token_hex(64).encode())


def _shortened(answer: str) -> str:
    return answer[:LONGEST_ANSWER] + (" …" if len(answer) > LONGEST_ANSWER else "")


def _section_link(chapter: Chapter, exercise: Exercise, notebook_url: str) -> str:
    """The notebook, opened in Colab at the heading (cells keep their ids in a release)."""
    for cell in chapter.cells if notebook_url else ():
        if cell.kind == "markdown" and any(
            plain(line[3:]).strip() == exercise.section
            for line in cell.source.splitlines()
            if line.startswith("## ")
        ):
            return f"{notebook_url}#scrollTo={cell.id}"
    return notebook_url
