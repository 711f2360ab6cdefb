"""nbgrader's own gradebook, the same tables that nbgrader's commands and formgrader read: results
go in, and the marks of a class come out.

Only the coordinator of a run opens it. A resubmission replaces automatic marks; marks and
comments given by a person stay.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import nbgrader
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbformat import NotebookNode
from nbgrader import api
from nbgrader.utils import compute_checksum
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from autograder.classroom.collect.submitted import find_submissions
from autograder.classroom.late import LatePolicy, in_utc, seconds_late
from autograder.classroom.marks import ByHand, Mark, Overruled, Recorded
from autograder.classroom.people import people_of
from autograder.course.carry import filled
from autograder.course.chapter import notebook_of
from autograder.course.errors import AutograderError, first_line
from autograder.course.model import Chapter
from autograder.course.regions import stubbed
from autograder.course.settings import Settings
from autograder.grading.result import Result, Status

NO_POLICY = LatePolicy()
ANOTHER = "another file was handed in"
BY_HAND = {
    api.Grade: ("manual_score", "extra_credit", "auto_score"),
    api.Comment: ("manual_comment",),
}


class Book:
    """The gradebook behind one database URL (SQLite file by default, PostgreSQL or any other
    SQLAlchemy URL).
    """

    def __init__(self, url: str, course_id: str) -> None:
        self.name = f"gradebook {_without_password(url)}"
        try:
            _create_tables(url)
            self.book = api.Gradebook(url, course_id)
            self.overruled: list[Overruled] = []  # found by record_all
        except Exception as error:
            raise AutograderError(
                f"{self.name}: cannot be opened: {first_line(error)}. "
                "Check the URL, and that the server is up."
            ) from error

    def __enter__(self) -> "Book":
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Close it. Raises AutograderError where the database did not do what it was asked."""
        self.book.close()
        if isinstance(error, SQLAlchemyError):
            raise AutograderError(
                f"{self.name}: {first_line(error)}. Results are kept beside the marks: mend the "
                "database and run the same command again."
            ) from error

    def register(self, root: Path, chapter: Chapter) -> None:
        """Make the assignment's cells those of the chapter; cells that it no longer has go, with
        the marks they carried.
        """
        name = chapter.name
        self.book.update_or_create_assignment(name)
        self.book.update_or_create_notebook(name, name)
        cells = _registered_cells(root, chapter)
        for cell in cells:
            facts = cell.metadata.nbgrader
            place, kind = (facts["grade_id"], name, name), {"cell_type": cell.cell_type}
            if facts.get("grade"):
                points = float(facts["points"])
                self.book.update_or_create_grade_cell(*place, **kind, max_score=points)
            if facts.get("solution"):
                self.book.update_or_create_solution_cell(*place)
            source = {"source": cell.source, "checksum": facts["checksum"]}
            locked = bool(facts.get("locked"))
            self.book.update_or_create_source_cell(*place, **kind, **source, locked=locked)
        self._forget(name, [cell.metadata.nbgrader for cell in cells])

    def due(self, chapter_name: str) -> datetime | None:
        """When the chapter is due, a datetime in UTC, or None."""
        return self.book.find_assignment(chapter_name).duedate

    def record_all(self, entered: Sequence[tuple[Result, datetime | None, bool]]) -> None:
        """Enter [(result, when it was handed in, whether it is of another file than the last one)]
        in one transaction.

        Every check of the chapter gets a mark, so that nothing of an earlier run is left behind;
        one for which the machine was too busy gets none, and stays open.
        """
        for one in entered:
            self._record(*one)
        self.book.db.commit()

    def _record(self, result: Result, timestamp: datetime | None, another: bool) -> None:
        submission = self._submission(result.chapter, result.student)
        submission.timestamp = timestamp
        points = {
            verdict.check: None if verdict.status is Status.BUSY else verdict.points
            for verdict in result.verdicts
        }
        for notebook in submission.notebooks:
            self._complete(notebook)
            for grade in notebook.grades:
                before, after = grade.auto_score, points.get(grade.name, 0.0)
                grade.auto_score = after
                changed = None not in (before, after) and before != after
                look_again = grade.manual_score is not None and (changed or another)
                if look_again:
                    why = f"the automatic mark was {before or 0:g} and is now {after:g}"
                    self._ask(result.student, grade, why if changed else ANOTHER)
                asked = grade.manual_score is not None and grade.needs_manual_grade
                grade.needs_manual_grade = look_again or asked  # formgrader shows it as to do
            for comment in notebook.comments if another else ():
                if comment.manual_comment:
                    self._ask(result.student, comment, ANOTHER)

    def _ask(self, student: str, given: api.Grade | api.Comment, why: str) -> None:
        """Have a person look again at what a person gave."""
        comment = isinstance(given, api.Comment)
        said = "a comment" if comment else f"{given.manual_score:g} by hand"
        self.overruled.append(Overruled(student, given.name, said, why))

    def carry_over(self, chapter_name: str, theirs: "Book") -> None:
        """Take what a person gave from another gradebook, where this one does not know the chapter
        yet.
        """
        if self.book.assignment_submissions(chapter_name):
            return
        for one in theirs.book.assignment_submissions(chapter_name):
            (ours,) = self._submission(chapter_name, one.student_id).notebooks
            self._complete(ours)
            places = {(type(place), place.name): place for place in (*ours.grades, *ours.comments)}
            for given in (
                given for book in one.notebooks for given in (*book.grades, *book.comments)
            ):
                place, names = places.get((type(given), given.name)), BY_HAND[type(given)]
                if place and getattr(given, names[0]) is not None:
                    for name in names:
                        setattr(place, name, getattr(given, name))
                    self._ask(one.student_id, place, "taken over from the gradebook of this folder")
        self.book.db.commit()

    def submissions(self, chapter_name: str) -> list[Recorded]:
        """What the book holds of every submission of a chapter, as a list of Recorded."""
        return [
            Recorded(
                s.student.id,
                s.timestamp,
                s.duedate,
                s.max_score,
                tuple(
                    (grade.name, grade.score, grade.max_score)
                    for notebook in s.notebooks
                    for grade in sorted(notebook.grades, key=lambda g: g.name)
                ),
                tuple(
                    (comment.name, comment.manual_comment)
                    for notebook in s.notebooks
                    for comment in sorted(notebook.comments, key=lambda c: c.name)
                    if comment.manual_comment
                ),
                any(g.auto_score is g.manual_score is None for n in s.notebooks for g in n.grades),
            )
            for s in self.book.assignment_submissions(chapter_name)
        ]

    def by_hand(self, chapter_name: str) -> dict[str, ByHand]:
        """{student: ByHand} of the submissions of a chapter to which a person gave something."""
        given: dict[str, ByHand] = {}
        for kind, wanted in (
            (api.Grade, api.Grade.manual_score.is_not(None) | api.Grade.extra_credit.is_not(None)),
            (api.Comment, api.Comment.manual_comment.is_not(None)),
        ):
            rows = self.book.db.query(kind).filter(wanted).join(kind.notebook)
            rows = rows.join(api.SubmittedNotebook.assignment)
            for row in rows.filter(api.SubmittedAssignment.name == chapter_name):
                one = given.setdefault(row.notebook.assignment.student_id, ByHand())
                if kind is api.Grade:
                    one.points[row.name] = row.score
                elif row.manual_comment:
                    one.comments[row.name] = row.manual_comment
        return given

    def dues(self, chapter_name: str) -> dict[str, datetime]:
        """{student: due date with nbgrader's extension} of those who have one of their own."""
        rows = self.book.db.query(api.SubmittedAssignment).filter(
            api.SubmittedAssignment.name == chapter_name,
            api.SubmittedAssignment.extension.is_not(None),
        )
        return {row.student_id: row.duedate for row in rows if row.duedate}

    def set_due(self, chapter_name: str, due: datetime) -> None:
        """Say when the chapter is due."""
        self.book.update_or_create_assignment(chapter_name, duedate=in_utc(due))

    def _submission(self, name: str, student: str) -> api.SubmittedAssignment:
        """The student's submission, made where there is none; nbgrader's own ways to make one
        commit every time.
        """
        try:
            return self.book.find_submission(name, student)
        except api.MissingEntry:
            database = self.book.db
            assignment = self.book.find_assignment(name)
            person = database.get(api.Student, student)
            if person is None:
                person = api.Student(id=student)
                database.add(person)
            with database.no_autoflush:
                made = api.SubmittedAssignment(assignment=assignment, student=person)
                database.add(made)
                for notebook in assignment.notebooks:
                    database.add(api.SubmittedNotebook(notebook=notebook, assignment=made))
            return made

    def _complete(self, notebook: api.SubmittedNotebook) -> None:
        """Give a submission made before a cell was added to the chapter a place for that cell's
        mark or comment.
        """
        database = self.book.db
        with database.no_autoflush:
            graded = {grade.name for grade in notebook.grades}
            commented = {comment.name for comment in notebook.comments}
            for cell in notebook.notebook.grade_cells:
                if cell.name not in graded:
                    database.add(api.Grade(cell=cell, notebook=notebook))
            for cell in notebook.notebook.solution_cells:
                if cell.name not in commented:
                    database.add(api.Comment(cell=cell, notebook=notebook))
        database.flush()

    def _forget(self, name: str, facts: Sequence[NotebookNode]) -> None:
        """Drop cells that the chapter no longer has, with the marks they carried. facts: nbgrader's
        metadata of those that it has.
        """
        notebook = self.book.find_notebook(name, name)
        for kind, cells in (
            ("grade", notebook.grade_cells),
            ("solution", notebook.solution_cells),
            ("grade_id", notebook.source_cells),
        ):
            wanted = {one["grade_id"] for one in facts if one.get(kind)}
            for cell in cells:
                if cell.name not in wanted:
                    for child in [*getattr(cell, "grades", ()), *getattr(cell, "comments", ())]:
                        self.book.db.delete(child)
                    self.book.db.delete(cell)
        self.book.db.commit()


def read_marks(
    settings: Settings,
    chapter: Chapter,
    policy: LatePolicy = NO_POLICY,
    due: datetime | None = None,
) -> list[Mark]:
    """Marks of all submissions of a chapter, sorted by student; who dropped the course is left out.

    due: the class's due date; None: the one in the gradebook, with nbgrader's extensions.
    people.csv says what holds for single students. A file that the platform called late, where no
    date says by how much, counts as one day late. Raises AutograderError where somebody's is not
    graded to the end.
    """
    people = people_of(settings)
    with Book(settings.database, settings.course_id) as book:
        recorded = book.submissions(chapter.name)
    if unfinished := sorted(one.student for one in recorded if one.is_open):
        raise AutograderError(
            f"{chapter.name}: what {', '.join(unfinished)} handed in is not graded to the end, as "
            "the machine was too busy; run "
            f"'python -m autograder grade {chapter.name[:4]} --only-changed' first."
        )
    found = find_submissions(settings.root / settings.submitted, chapter.name)
    called_late = {one.student for one in found if one.collected.late}
    marks = []
    for one in recorded:
        person = people.about(one.student, chapter.name)
        if person.dropped:
            continue
        received, its_due = person.submitted or one.received, person.due_date(due or one.due)
        late = seconds_late(received, its_due, one.student in called_late)
        score = sum(points for _, points, _ in one.parts)
        points = round(policy.mark(score, late), 4)
        mark = Mark(one.student, points, score, one.max_score, late, one.parts)
        marks.append(replace(mark, excused=person.excused, comments=one.comments))
    return sorted(marks, key=lambda mark: mark.student)


def _create_tables(url: str) -> None:
    """Create nbgrader's tables in an empty database, marked with their version.

    nbgrader would do the same, but starts the program ``alembic`` for it, which takes seconds
    and must be on the PATH.
    """
    engine = create_engine(url)
    try:
        if inspect(engine).get_table_names():
            return
        scripts = ScriptDirectory(str(Path(nbgrader.__file__).with_name("alembic")))
        with engine.begin() as connection:
            api.Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(scripts, "head")
    finally:
        engine.dispose()


def _registered_cells(root: Path, chapter: Chapter) -> list[NotebookNode]:
    """The chapter's cells that nbgrader knows, as its generate_assignment would save them: stub,
    hidden tests, checksum.
    """
    cells = []
    for made, cell in zip(notebook_of(chapter).cells, chapter.cells, strict=True):
        if cell.grade_id:
            made.source = stubbed(filled(root, cell, chapter.path))
            made.metadata.nbgrader["checksum"] = compute_checksum(made)
            cells.append(made)
    return cells


def _without_password(url: str) -> str:
    """A database URL as it may be shown."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if rest else url
