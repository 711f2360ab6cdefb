"""The class at a glance, for the instructor: one self-contained page with marks, mistakes,
failures, flags, repairs, look-alikes, and what students made of the open task.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, mean, median

from autograder.classroom.late import in_words
from autograder.classroom.marks import Overruled
from autograder.classroom.results.feedback import PAGES
from autograder.classroom.results.open_tasks import OpenAnswer
from autograder.classroom.results.similarity import Cluster
from autograder.course.errors import first_line
from autograder.course.model import Chapter, Exercise
from autograder.grading.result import Result, Status, Verdict

MOST_MISTAKES = 6
NOT_TRIED = (Status.UNTOUCHED, Status.MISSING, Status.BUSY)
FEWEST = 10  # students from whom an exercise's discrimination says anything


@dataclass(frozen=True)
class AboutExercise:
    """How a class did in one exercise."""

    exercise: Exercise
    right: int
    rate: float  # right of all
    tried: int
    mistakes: list[tuple[str, int]]  # the commonest, in the words that students read
    discrimination: float | None = None


@dataclass(frozen=True)
class AboutClass:
    """What the report shows beside results. Keys are student ids; what is not there is left out."""

    late: Mapping[str, float] = field(default_factory=dict)  # seconds
    sections: Mapping[str, str] = field(default_factory=dict)
    by_hand: Mapping[str, Sequence[str]] = field(default_factory=dict)  # a person's comments
    overruled: Sequence[Overruled] = ()
    pages: Mapping[str, str] = field(default_factory=dict)  # links, seen from the report
    submissions: Mapping[str, str] = field(default_factory=dict)
    together: Mapping[str, Sequence[str]] = field(default_factory=dict)  # who handed in with them


def class_page(
    chapter: Chapter,
    results: Sequence[Result],
    alike: Sequence[Cluster] = (),
    about: AboutClass | None = None,
    opened: Sequence[OpenAnswer] | None = None,
) -> str:
    """The report on one chapter as an HTML document. All text that comes from students is escaped.

    results: list of Result; alike: look-alikes; opened: what was written for the chapter's open
    task, without names (None: the chapter has none).
    """
    about = about or AboutClass()
    marks = [result.points for result in results]
    return PAGES.get_template("report_page.html").render(
        chapter=chapter,
        results=sorted(results, key=lambda r: r.student),
        alike=alike,
        about=about,
        late={student: (seconds, in_words(seconds)) for student, seconds in about.late.items()},
        sections=by_section(results, about.sections),
        titles={exercise.id: exercise.number for exercise in chapter.exercises},
        count=len(results),
        mean=mean(marks) if marks else 0,
        median=median(marks) if marks else 0,
        bins=distribution(marks, chapter.points),
        exercises=[about_exercise(one, results, about.together) for one in chapter.exercises],
        seconds=sorted(result.seconds for result in results),
        failures=failures(results),
        opened=opened,
    )


def by_section(
    results: Sequence[Result], sections: Mapping[str, str]
) -> list[tuple[str, int, float, float]]:
    """[(section, students, mean, median)] in order; [] where nobody has a section."""
    marks: dict[str, list[float]] = defaultdict(list)
    for result in results:
        marks[sections.get(result.student, "")].append(result.points)
    if not any(marks):
        return []
    named = ((name or "no section", own) for name, own in sorted(marks.items()))
    return [(name, len(own), mean(own), median(own)) for name, own in named]


def discrimination(
    exercise: Exercise,
    results: Sequence[Result],
    together: Mapping[str, Sequence[str]] | None = None,
) -> float | None:
    """How well an exercise tells strong from weak work: the correlation of its points with those of
    all the others (corrected item-total correlation), -1 to 1. Who handed in together counts once.
    None where too few students or no spread say nothing.
    """
    groups = together or {}
    graded = {
        frozenset(groups.get(result.student) or [result.student]): result
        for result in results
        if not result.problem
    }.values()
    if len(graded) < FEWEST:
        return None
    own = [result.points_of(exercise.id) for result in graded]
    rest = [result.points - points for result, points in zip(graded, own, strict=True)]
    try:
        return correlation(own, rest)
    except StatisticsError:  # everybody has the same
        return None


def distribution(marks: Sequence[float], most: float) -> list[tuple[str, int, float]]:
    """How many students got how many points: [(label, count, share of the fullest bin)], at most 20
    bins.
    """
    steps = max(1, min(20, round(most)))
    counts = Counter(min(steps, int(mark / most * steps + 1e-9)) if most else 0 for mark in marks)
    fullest = max(counts.values(), default=1)
    bins = range(steps + 1)
    return [(f"{i * most / steps:g}", counts[i], counts[i] / fullest) for i in bins]


def about_exercise(
    exercise: Exercise,
    results: Sequence[Result],
    together: Mapping[str, Sequence[str]] | None = None,
) -> AboutExercise:
    """Success rate of an exercise, and its commonest mistakes."""
    right = tried = 0
    said: dict[str, list[str]] = defaultdict(list)  # {words without their numbers: as they came}
    for result in results:
        own = [v for v in result.verdicts if v.exercise == exercise.id]
        begun = [v for v in own if v.status not in NOT_TRIED]
        failed = [v for v in own if v.status is not Status.PASSED]
        right += not result.problem and not failed
        tried += bool(begun)
        for words in (mistake(verdict) for verdict in begun if verdict in failed):
            said[re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", words)].append(words)
    commonest = sorted(said.values(), key=len, reverse=True)[:MOST_MISTAKES]
    mistakes = [(same[0], len(same)) for same in commonest]
    share = right / len(results) if results else 0
    told = discrimination(exercise, results, together)
    return AboutExercise(exercise, right, share, tried, mistakes, told)


def mistake(verdict: Verdict) -> str:
    """A verdict's mistake in one line."""
    first = first_line(verdict.message)
    if verdict.failed_property:
        return ": ".join(filter(None, dict.fromkeys((verdict.failed_property, first))))
    return re.sub(r"^AssertionError: ", "", first) or verdict.status.value


def failures(results: Sequence[Result]) -> list[tuple[str, int]]:
    """How checks ended other than right or wrong: [(words, count)]."""
    ended = (verdict.status for result in results for verdict in result.verdicts)
    other = (status.value for status in ended if status not in (Status.PASSED, Status.WRONG))
    return Counter(other).most_common()
