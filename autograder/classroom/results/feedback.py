"""One page per submission that a student would want to read: what is right, what is not, why, and
where to look.
"""

import re
from functools import cache
from importlib.resources import files

import jinja2

from autograder.course.model import Chapter
from autograder.grading.result import Result, Status

PASSED = Status.PASSED
LONGEST = 1500  # characters of a message
SAYS = {
    Status.UNTOUCHED: (
        "Not attempted: the cell still holds the line that raises NotImplementedError."
    ),
    Status.MISSING: (
        "The cell of this exercise is not in the file. Copy it back from a fresh notebook."
    ),
    Status.TIMEOUT: "Stopped: it ran longer than allowed. Is there a loop that never ends?",
    Status.MEMORY: (
        "Stopped: it needed more memory than allowed. Is a tensor much larger than it must be?"
    ),
    Status.DIED: "Python itself ended while this ran (a call such as exit(), or a crash).",
}


def page(chapter: Chapter, result: Result, notebook_url: str = "") -> str:
    """The feedback page for one Result, a self-contained HTML document. All text of the student's
    is escaped.
    """
    return _template().render(
        chapter=chapter,
        result=result,
        exercises=[_exercise(e, result, notebook_url) for e in chapter.exercises],
    )


@cache
def _template():
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(
        files("autograder.classroom.results")
        .joinpath("feedback_page.html")
        .read_text(encoding="utf-8")
    )


def _exercise(exercise, result, notebook_url):
    verdicts = [verdict for verdict in result.verdicts if verdict.exercise == exercise.id]
    return {
        "title": exercise.title,
        "section": exercise.section,
        "link": notebook_url,
        "points": sum(v.points for v in verdicts),
        "max_points": exercise.points,
        "state": (
            "right"
            if verdicts and all(v.status is PASSED for v in verdicts)
            else "partly right"
            if any(v.points for v in verdicts)
            else "not right yet"
        ),
        "parts": [_part(v, exercise) for v in verdicts],
    }


def _part(verdict, exercise):
    claim = next(
        (
            c.source.strip().split("\n")[0].strip('"')
            for c in exercise.checks
            if c.grade_id == verdict.check
        ),
        "",
    )
    return {
        "claim": re.sub(r"^Exercise [\d.]+[:,] ", "", claim),
        "passed": verdict.status is PASSED,
        "status": verdict.status.value,
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
    }
