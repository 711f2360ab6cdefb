"""Write results into nbgrader's own gradebook: the same tables that nbgrader's commands and
formgrader read.

Only the coordinator of a run opens it. A resubmission replaces automatic marks; marks and
comments given by a person stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbgrader
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import (
    Base,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.utils import compute_checksum
from sqlalchemy import create_engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from autograder.course.carry import filled
from autograder.course.chapter import notebook_of
from autograder.course.errors import AutograderError, first_line
from autograder.course.model import Chapter
from autograder.course.regions import stubbed
from autograder.grading.result import Result


@dataclass(frozen=True)
class Recorded:
    """One submission as the gradebook knows it."""

    student: str
    received: datetime | None
    due: datetime | None
    max_score: float
    parts: tuple[tuple[str, float, float], ...]  # (check, points with manual marks, of)


class Book:
    """The gradebook behind one database URL (SQLite file by default, PostgreSQL or any other
    SQLAlchemy URL).
    """

    def __init__(self, url: str, course_id: str):
        try:
            create_tables(url)
            self.book = Gradebook(url, course_id)
        except Exception as error:
            raise AutograderError(
                f"gradebook {_without_password(url)}: cannot be opened: {first_line(error)}. "
                "Check the URL, and that the server is up."
            ) from error

    def __enter__(self) -> "Book":
        return self

    def __exit__(self, *_: object) -> None:
        self.book.close()

    def register(self, root: Path, chapter: Chapter) -> None:
        """Make the assignment's cells those of the chapter; cells that it no longer has go, with
        the marks they carried.
        """
        name = chapter.name
        self.book.update_or_create_assignment(name)
        self.book.update_or_create_notebook(name, name)
        wanted: dict[str, set[str]] = {"grade": set(), "solution": set(), "source": set()}
        for cell in registered_cells(root, chapter):
            facts = cell.metadata.nbgrader
            grade_id = facts["grade_id"]
            if facts.get("grade"):
                points = float(facts["points"])
                self.book.update_or_create_grade_cell(
                    grade_id, name, name, max_score=points, cell_type=cell.cell_type
                )
                wanted["grade"].add(grade_id)
            if facts.get("solution"):
                self.book.update_or_create_solution_cell(grade_id, name, name)
                wanted["solution"].add(grade_id)
            self.book.update_or_create_source_cell(
                grade_id,
                name,
                name,
                cell_type=cell.cell_type,
                source=cell.source,
                locked=bool(facts.get("locked")),
                checksum=facts["checksum"],
            )
            wanted["source"].add(grade_id)
        self._forget(name, wanted)

    def due(self, chapter_name: str) -> datetime | None:
        """When the chapter is due, a datetime in UTC, or None."""
        return self.book.find_assignment(chapter_name).duedate

    def record_all(self, entered: Sequence[tuple[Result, datetime | None]]) -> None:
        """Enter [(result, when it was handed in)] in one transaction.

        Every check of the chapter gets a mark, so that nothing of an earlier run is left behind.
        Raises AutograderError where the database does not take them.
        """
        try:
            for result, timestamp in entered:
                self._record(result, timestamp)
            self.book.db.commit()
        except SQLAlchemyError as error:
            raise AutograderError(
                f"the gradebook did not take {len(entered)} result(s): {first_line(error)}. "
                "They are kept beside the marks: mend the database and run the same command again."
            ) from error

    def _record(self, result, timestamp):
        submission = self._submission(result.chapter, result.student)
        submission.timestamp = timestamp
        points = {verdict.check: verdict.points for verdict in result.verdicts}
        for notebook in submission.notebooks:
            self._complete(notebook)
            for grade in notebook.grades:
                grade.auto_score = points.get(grade.name, 0.0)
                grade.needs_manual_grade = False

    def submissions(self, chapter_name: str) -> list[Recorded]:
        """What the book holds of every submission of a chapter, as a list of Recorded."""
        return [
            Recorded(
                s.student.id,
                s.timestamp,
                s.duedate,  # the student's own, with nbgrader's extension
                s.max_score,
                tuple(
                    (grade.name, grade.score, grade.max_score)
                    for notebook in s.notebooks
                    for grade in sorted(notebook.grades, key=lambda g: g.name)
                ),
            )
            for s in self.book.assignment_submissions(chapter_name)
        ]

    def scores(self, chapter_name: str) -> dict[str, tuple[float, float]]:
        """{student: (score with manual marks, maximum)} of all submissions of a chapter."""
        return {
            s.student: (sum(points for _, points, _ in s.parts), s.max_score)
            for s in self.submissions(chapter_name)
        }

    def _submission(self, name, student):
        """The student's submission, made where there is none; nbgrader's own ways to make one
        commit every time.
        """
        try:
            return self.book.find_submission(name, student)
        except MissingEntry:
            database = self.book.db
            assignment = self.book.find_assignment(name)
            person = database.get(Student, student)
            if person is None:
                person = Student(id=student)
                database.add(person)
            with database.no_autoflush:
                made = SubmittedAssignment(assignment=assignment, student=person)
                database.add(made)
                for notebook in assignment.notebooks:
                    database.add(SubmittedNotebook(notebook=notebook, assignment=made))
            return made

    def _complete(self, notebook):
        """Give a submission made before a cell was added to the chapter a place for that cell's
        mark or comment.
        """
        database = self.book.db
        with database.no_autoflush:
            graded = {grade.name for grade in notebook.grades}
            commented = {comment.name for comment in notebook.comments}
            for cell in notebook.notebook.grade_cells:
                if cell.name not in graded:
                    database.add(Grade(cell=cell, notebook=notebook))
            for cell in notebook.notebook.solution_cells:
                if cell.name not in commented:
                    database.add(Comment(cell=cell, notebook=notebook))
        database.flush()

    def _forget(self, name, wanted):
        """Drop cells that the chapter no longer has, with the marks they carried."""
        notebook = self.book.find_notebook(name, name)
        for kind, cells in (
            ("grade", notebook.grade_cells),
            ("solution", notebook.solution_cells),
            ("source", notebook.source_cells),
        ):
            for cell in cells:
                if cell.name not in wanted[kind]:
                    for child in [*getattr(cell, "grades", ()), *getattr(cell, "comments", ())]:
                        self.book.db.delete(child)
                    self.book.db.delete(cell)
        self.book.db.commit()


def create_tables(url: str) -> None:
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
            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(scripts, "head")
    finally:
        engine.dispose()


def registered_cells(root: Path, chapter: Chapter) -> list:
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


def _without_password(url):
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if rest else url
