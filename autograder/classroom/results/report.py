"""The class at a glance, for the instructor: one self-contained page with marks, mistakes,
failures, flags, repairs, look-alikes, and what students made of the open task.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from statistics import mean, median

import jinja2

from autograder.classroom.results.open_tasks import OpenAnswer
from autograder.classroom.results.similarity import Pair
from autograder.course.errors import first_line
from autograder.course.model import Chapter, Exercise
from autograder.grading.result import Result, Status, Verdict

MOST_MISTAKES = 6


def class_page(
    chapter: Chapter,
    results: Sequence[Result],
    pairs: Sequence[Pair] = (),
    lateness: Mapping[str, float] | None = None,
    opened: Sequence[OpenAnswer] | None = None,
) -> str:
    """The report on one chapter as an HTML document. All text that comes from students is escaped.

    results: list of Result; pairs: look-alikes; lateness: {student: seconds}; opened: what was
    written for the chapter's open task, without names (None: the chapter has none).
    """
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(
        files("autograder.classroom.results")
        .joinpath("report_page.html")
        .read_text(encoding="utf-8")
    )
    marks = [result.points for result in results]
    return template.render(
        chapter=chapter,
        results=sorted(results, key=lambda r: r.student),
        pairs=pairs,
        late=dict(lateness or {}),
        count=len(results),
        mean=mean(marks) if marks else 0,
        median=median(marks) if marks else 0,
        bins=distribution(marks, chapter.points),
        exercises=[about_exercise(exercise, results) for exercise in chapter.exercises],
        seconds=sorted(result.seconds for result in results),
        failures=failures(results),
        flagged=[r for r in results if r.flags],
        repaired=[r for r in results if r.repairs],
        refused=[r for r in results if r.problem],
        opened=opened,
    )


def distribution(marks: Sequence[float], most: float) -> list[tuple[str, int, float]]:
    """How many students got how many points: [(label, count, share of the fullest bin)], at most 20
    bins.
    """
    steps = max(1, min(20, round(most)))
    counts = Counter(min(steps, int(mark / most * steps + 1e-9)) if most else 0 for mark in marks)
    fullest = max(counts.values(), default=1)
    return [
        (f"{i * most / steps:g}", counts.get(i, 0), counts.get(i, 0) / fullest)
        for i in range(steps + 1)
    ]


def about_exercise(exercise: Exercise, results: Sequence[Result]) -> dict:
    """Success rate of an exercise, and its commonest mistakes in the words that students read."""
    verdicts = [v for result in results for v in result.verdicts if v.exercise == exercise.id]
    right = sum(
        all(v.status is Status.PASSED for v in result.verdicts if v.exercise == exercise.id)
        and not result.problem
        for result in results
    )
    tried = [v for v in verdicts if v.status not in (Status.UNTOUCHED, Status.MISSING)]
    said: Counter[str] = Counter()
    example: dict[str, str] = {}
    for verdict in tried:
        if verdict.status is not Status.PASSED:
            words = mistake(verdict)
            key = re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", words)
            said[key] += 1
            example.setdefault(key, words)
    return {
        "title": exercise.title,
        "points": exercise.points,
        "right": right,
        "rate": right / len(results) if results else 0,
        "tried": len(
            {
                r.student
                for r in results
                for v in r.verdicts
                if v.exercise == exercise.id and v in tried
            }
        ),
        "mistakes": [(example[key], n) for key, n in said.most_common(MOST_MISTAKES)],
        "id": exercise.id,
    }


def mistake(verdict: Verdict) -> str:
    """A verdict's mistake in one line."""
    first = first_line(verdict.message)
    if verdict.failed_property:
        return f"{verdict.failed_property}" + (
            f": {first}" if first and first != verdict.failed_property else ""
        )
    return re.sub(r"^AssertionError: ", "", first) or verdict.status.value


def failures(results: Sequence[Result]) -> list[tuple[str, int]]:
    """How checks ended other than right or wrong: [(words, count)]."""
    counts = Counter(
        v.status.value
        for r in results
        for v in r.verdicts
        if v.status not in (Status.PASSED, Status.WRONG)
    )
    return counts.most_common()
