"""Grade all submissions of a chapter: into the gradebook, as marks, and as feedback pages."""

from pathlib import Path

from . import feedback, marks
from .gradebook import Book
from .pipeline import gradebook_notebook
from .release import write
from .result import Result, Status, Verdict
from .submissions import find_submissions


def grade(settings, chapter, engine, students=(), on_result=lambda result, done, total: None):
    """Grade ``submitted/<student>/<chapter>/`` and write gradebook, marks and feedback. Returns the Results.

    engine: anything with ``grade(submission) -> Result``. One bad submission becomes a row with a reason.
    """
    found = find_submissions(settings.root / settings.submitted, chapter.name, students)
    results = []
    with Book(settings.database, settings.course_id) as book:
        book.register(chapter, gradebook_notebook(settings.root, chapter))
        for entry in found:
            result = _grade_one(chapter, entry, engine)
            book.record(result, entry.received)
            write(feedback_path(settings, result), feedback.page(chapter, result, settings.colab_url(chapter.name)).encode())
            results.append(result)
            on_result(result, len(results), len(found))
    write(marks_path(settings, chapter), marks.marks_csv(chapter, results).encode())
    return results


def refused(chapter, student, reason):
    """The Result for a file that cannot be graded at all: no points, and the reason."""
    verdicts = tuple(Verdict(check.grade_id, exercise.id, Status.MISSING, 0.0, check.points)
                     for exercise in chapter.exercises for check in exercise.checks)
    return Result(student, chapter.name, verdicts, problem=reason)


def feedback_path(settings, result):
    return Path(settings.root, settings.feedback, result.student, result.chapter, f"{result.chapter}.html")


def marks_path(settings, chapter):
    return Path(settings.root, settings.marks, f"{chapter.name}.csv")


def _grade_one(chapter, entry, engine):
    if entry.path is None:
        return refused(chapter, entry.student, entry.problem)
    try:
        submission = entry.submission()
    except OSError as error:
        return refused(chapter, entry.student, f"{entry.path.name} cannot be read: {error.strerror}")
    return engine.grade(submission)
