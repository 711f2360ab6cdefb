"""The whole term at a glance: students and chapters, what each has, and what is missing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from autograder.classroom.late import LatePolicy
from autograder.classroom.marks import Mark
from autograder.classroom.people import People, Roster, people_of, remembered_roster
from autograder.classroom.results.feedback import PAGES
from autograder.classroom.results.gradebook import NO_POLICY, read_marks
from autograder.classroom.tables import csv_text
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter
from autograder.course.settings import Settings


@dataclass(frozen=True)
class TermRow:
    """One student's term. cells: a number of points, "EX" (excused), "missing" or "" (nothing of
    the chapter is graded yet), for each chapter.
    """

    student: str
    section: str
    cells: tuple[float | str, ...]
    points: float
    of: float  # of the chapters that count for this student


def term(
    settings: Settings,
    chapters: Sequence[Chapter],
    policy: LatePolicy = NO_POLICY,
) -> list[TermRow]:
    """A row for every student of the roster, of people.csv and of the gradebook who did not leave.

    A chapter counts once somebody's work in it is graded; excused ones never count.
    """
    marks: dict[str, dict[str, Mark]] = {}
    for chapter in chapters:
        if read := read_marks(settings, chapter, policy):
            marks[chapter.name] = {mark.student: mark for mark in read}
    if not marks:
        raise AutograderError(
            "the gradebook holds no marks yet; run 'python -m autograder grade all' first."
        )
    people = people_of(settings)
    known = {*people.students(), *Roster(remembered_roster(settings)).rows}
    known |= {student for of_chapter in marks.values() for student in of_chapter}
    rows = []
    for student in sorted(known):
        if people.about(student, "").dropped:
            continue
        cells = tuple(_cell(marks, chapter, student, people) for chapter in chapters)
        points = sum(cell for cell in cells if isinstance(cell, float))
        counts = [cell not in ("", "EX") for cell in cells]
        of = sum(chapter.points for chapter in compress(chapters, counts))
        rows.append(TermRow(student, people.about(student, "").section, cells, points, of))
    return rows


def term_csv(chapters: Sequence[Chapter], rows: Sequence[TermRow]) -> str:
    """The term as a table; "of" is the sum over the chapters that count for the student."""
    header = ["student", "section", *(chapter.name for chapter in chapters), "points", "of"]
    return csv_text(header, ([r.student, r.section, *r.cells, r.points, r.of] for r in rows))


def term_page(
    chapters: Sequence[Chapter], rows: Sequence[TermRow], reported: Collection[str] = ()
) -> str:
    """The term as an HTML document; what comes from students is escaped.

    reported: names of the chapters whose reports lie beside it.
    """
    missing = [sum(row.cells[i] == "missing" for row in rows) for i in range(len(chapters))]
    page = PAGES.get_template("term_page.html")
    return page.render(chapters=chapters, rows=rows, missing=missing, reported=reported)


def _cell(
    marks: Mapping[str, Mapping[str, Mark]], chapter: Chapter, student: str, people: People
) -> float | str:
    person = people.about(student, chapter.name)
    if person.excused:
        return "EX"
    if chapter.name not in marks:
        return ""
    mark = marks[chapter.name].get(student)
    return float(mark.points) if mark else "missing"
