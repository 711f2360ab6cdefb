"""One page per submission that a student would want to read: what is right, what is not, why, and
where to look.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from importlib.resources import files

import jinja2

from autograder.classroom.results.by_hand import ByHand, marked_by_hand
from autograder.classroom.results.late import DAY
from autograder.course.errors import first_line
from autograder.course.model import Chapter, plain
from autograder.grading.result import Result, Status

PASSED = Status.PASSED
LONGEST = 1500  # characters of a message
LONGEST_ANSWER = 6000  # characters of a student's own code
SAYS = {
    Status.UNTOUCHED: ("The cell still holds the line that raises NotImplementedError."),
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
    result = marked_by_hand(result, handed.by_hand)
    return _template().render(
        chapter=chapter,
        result=result,
        handed=handed,
        days_late=handed.seconds_late / DAY,
        exercises=[_exercise(e, result, chapter, notebook_url, handed) for e in chapter.exercises],
    )


@cache
def _template():
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(
        files("autograder.classroom.results")
        .joinpath("feedback_page.html")
        .read_text(encoding="utf-8")
    )


def _exercise(exercise, result, chapter, notebook_url, handed):
    verdicts = [verdict for verdict in result.verdicts if verdict.exercise == exercise.id]
    ids = [exercise.id, *(check.grade_id for check in exercise.checks)]
    points, answer = result.points_of(exercise.id), handed.answers.get(exercise.id, "")
    return {
        "title": exercise.title,
        "section": exercise.section,
        "link": _section_link(chapter, exercise.section, notebook_url),
        "points": points,
        "max_points": exercise.points,
        "right": points >= exercise.points,
        "parts": [_part(v, exercise, handed.by_hand) for v in verdicts],
        "answer": answer[:LONGEST_ANSWER] + (" …" if len(answer) > LONGEST_ANSWER else ""),
        "comments": [handed.by_hand.comments[i] for i in ids if i in handed.by_hand.comments],
    }


def _section_link(chapter, section, notebook_url):
    """The notebook, opened in Colab at the heading (cells keep their ids in a release)."""
    for cell in chapter.cells if notebook_url else ():
        if cell.kind == "markdown" and any(
            plain(line[3:]).strip() == section
            for line in cell.source.splitlines()
            if line.startswith("## ")
        ):
            return f"{notebook_url}#scrollTo={cell.id}"
    return notebook_url


def _part(verdict, exercise, by_hand):
    claim = next(
        (first_line(c.source).strip('"') for c in exercise.checks if c.grade_id == verdict.check),
        "",
    )
    return {
        "claim": re.sub(r"^Exercise [\d.]+[:,] ", "", claim),
        "passed": verdict.status is PASSED,
        "status": "not begun" if verdict.status is Status.UNTOUCHED else verdict.status.value,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "hidden": verdict.hidden,
        "property": verdict.failed_property,
        "message": (
            ""
            if verdict.status is PASSED
            else SAYS.get(verdict.status) or verdict.message[:LONGEST]
        ),
        "instead": verdict.instead_of_earlier,
        "by_hand": verdict.check in by_hand.points,
    }
