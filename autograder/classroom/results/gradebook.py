"""Write results into nbgrader's own gradebook: the same tables that nbgrader's commands and formgrader read.

Only the coordinator of a run opens it. A resubmission replaces automatic marks; marks and comments given by a person stay.
"""

import warnings
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbgrader.api
from alembic.script import ScriptDirectory
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.exc import SAWarning, SQLAlchemyError

from autograder.course.errors import AutograderError

warnings.filterwarnings(
    "ignore", message="Object of type <Submitted", category=SAWarning
)  # of nbgrader's own queries


def _tables_version():
    """The version of nbgrader's tables, which it writes into every new database."""
    return ScriptDirectory(str(Path(nbgrader.api.__file__).with_name("alembic"))).get_current_head()


nbgrader.api.get_alembic_version = _tables_version  # its own starts the program `alembic`, which takes seconds and must be on the PATH


@dataclass(frozen=True)
class Recorded:
    """One submission as the gradebook knows it."""

    student: str
    received: datetime | None
    due: datetime | None
    max_score: float
    parts: tuple[tuple[str, float, float], ...]  # (check, points with manual marks, of)


class Book:
    """The gradebook behind one database URL (SQLite file by default, PostgreSQL or any other SQLAlchemy URL)."""

    def __init__(self, url, course_id):
        try:
            self.book = Gradebook(url, course_id)
        except Exception as error:
            raise AutograderError(
                f"gradebook {_without_password(url)}: cannot be opened: {_first_line(error)}. "
                "Check the URL, and that the server is up."
            ) from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.book.close()

    def register(self, chapter, notebook):
        """Make the assignment's cells those of ``notebook`` (as nbgrader saves them: with hidden tests and checksums)."""
        name = chapter.name
        self.book.update_or_create_assignment(name)
        self.book.update_or_create_notebook(name, name)
        wanted = {"grade": set(), "solution": set(), "source": set()}
        for cell in notebook.cells:
            grader = cell.metadata.get("nbgrader")
            if not grader:
                continue
            grade_id = grader["grade_id"]
            if grader.get("grade"):
                self.book.update_or_create_grade_cell(
                    grade_id,
                    name,
                    name,
                    max_score=float(grader["points"]),
                    cell_type=cell.cell_type,
                )
                wanted["grade"].add(grade_id)
            if grader.get("solution"):
                self.book.update_or_create_solution_cell(grade_id, name, name)
                wanted["solution"].add(grade_id)
            self.book.update_or_create_source_cell(
                grade_id,
                name,
                name,
                cell_type=cell.cell_type,
                source=cell.source,
                locked=bool(grader.get("locked")),
                checksum=grader.get("checksum"),
            )
            wanted["source"].add(grade_id)
        self._forget(name, wanted)

    def due(self, chapter_name):
        """When the chapter is due, a datetime in UTC, or None."""
        return self.book.find_assignment(chapter_name).duedate

    def record(self, result, timestamp=None):
        """Enter one result. Every check of the chapter gets a mark, so that nothing of an earlier run is left behind."""
        self.record_all([(result, timestamp)])

    def record_all(self, entered):
        """Enter [(result, when it was handed in)] in one transaction. Raises AutograderError where the database does not take them."""
        try:
            for result, timestamp in entered:
                self._record(result, timestamp)
            self.book.db.commit()
        except SQLAlchemyError as error:
            raise AutograderError(
                f"the gradebook did not take {len(entered)} result(s): {_first_line(error)}. "
                "They are kept beside the marks: mend the database and run the same command again."
            ) from error

    def _record(self, result, timestamp):
        submission = self._submission(result.chapter, result.student)
        if timestamp is not None:
            submission.timestamp = timestamp
        points = {verdict.check: verdict.points for verdict in result.verdicts}
        for notebook in submission.notebooks:
            self._complete(notebook)
            for grade in notebook.grades:
                grade.auto_score = points.get(grade.name, 0.0)
                grade.needs_manual_grade = False

    def submissions(self, chapter_name):
        """What the book holds of every submission of a chapter, as a list of Recorded."""
        return [
            Recorded(
                s.student.id,
                s.timestamp,
                s.assignment.duedate,
                s.max_score,
                tuple(
                    (grade.name, grade.score, grade.max_score)
                    for notebook in s.notebooks
                    for grade in sorted(notebook.grades, key=lambda g: g.name)
                ),
            )
            for s in self.book.assignment_submissions(chapter_name)
        ]

    def scores(self, chapter_name):
        """{student: (score with manual marks, maximum)} of all submissions of a chapter."""
        return {
            s.student: (sum(points for _, points, _ in s.parts), s.max_score)
            for s in self.submissions(chapter_name)
        }

    def _submission(self, name, student):
        """The student's submission, made where there is none; nbgrader's own ways to make one commit every time."""
        try:
            return self.book.find_submission(name, student)
        except MissingEntry:
            person = self.book.db.get(Student, student) or Student(id=student)
            made = SubmittedAssignment(assignment=self.book.find_assignment(name), student=person)
            for notebook in made.assignment.notebooks:
                SubmittedNotebook(notebook=notebook, assignment=made)
            self.book.db.add(made)
            return made

    def _complete(self, notebook):
        """Give a submission made before a cell was added to the chapter a place for that cell's mark or comment."""
        graded = {grade.name for grade in notebook.grades}
        commented = {comment.name for comment in notebook.comments}
        missing = [
            Grade(cell=cell, notebook=notebook)
            for cell in notebook.notebook.grade_cells
            if cell.name not in graded
        ]
        missing += [
            Comment(cell=cell, notebook=notebook)
            for cell in notebook.notebook.solution_cells
            if cell.name not in commented
        ]
        if missing:
            self.book.db.add_all(missing)
            self.book.db.flush()

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


def _first_line(error):
    return next(
        (line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__
    )


def _without_password(url):
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if rest else url
