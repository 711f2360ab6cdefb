"""A class that hands in the small chapter of conftest.py, for tests of grading at scale."""

from dataclasses import asdict, replace

from autograder.classroom.run import grade as run_grade
from autograder.classroom.run.dispatch import Reply
from autograder.classroom.run.workers import Workers
from autograder.course.chapter import find_chapter
from autograder.course.settings import load_settings
from autograder.grading.host.intake_process import take_in
from autograder.grading.result import Result, Status, Verdict

from .notebooks import as_bytes, student_notebook


class ThisProcess:
    """Grades with an engine in this process, one submission after the other."""

    def __init__(self, engine):
        self.engine = engine

    @property
    def conditions(self):
        limits = getattr(self.engine, "limits", None)
        sealed = getattr(self.engine, "sealed", None)
        return {"sandbox": sealed, "limits": asdict(limits) if limits else None}

    def begin(self, chapter, most=None):
        pass

    def replies(self, chapter, jobs, most=None):
        for job in jobs:
            result = self.engine.grade(job.submission)
            yield job, job.merged(Reply(shown(result, chapter, job.submission)), chapter)


def graded_here(monkeypatch, engine):
    """From now on the command grades with an engine in this process."""
    here = ThisProcess(engine)
    monkeypatch.setattr(Workers, "begin", lambda workers, *about: None)
    monkeypatch.setattr(Workers, "replies", lambda workers, *about: here.replies(*about))


def shown(result, chapter, submission):
    """The result with what grading shows of a file, which a scripted engine does not open."""
    if result.shown.cells:
        return result
    read = take_in(chapter, submission.notebook).shown
    return replace(result, shown=replace(read, answers=result.shown.answers or read.answers))


def graded(settings, chapter, engine, students=(), **options):
    """What a run with an engine in this process finds."""
    wanted = run_grade.GradeOptions(students, **options)
    return run_grade.grade(settings, chapter, ThisProcess(engine), wanted)


def grade(settings, chapter, engine, students=(), **options):
    """The results of such a run."""
    return graded(settings, chapter, engine, students, **options).results


def scores(book, chapter_name):
    """{student: (score with manual marks, maximum)} in a gradebook."""
    return {
        s.student: (sum(points for _, points, _ in s.parts), s.max_score)
        for s in book.submissions(chapter_name)
    }


class Classroom:
    """The course's small chapter with its settings, and what students hand in."""

    def __init__(self, root):
        self.root, self.settings, self.chapter = (
            root,
            load_settings(root),
            find_chapter(root, "ch01"),
        )

    def hand_in(self, student, double="return 2 * x", half="return x / 2"):
        """A notebook whose two answers have these bodies."""
        answers = {
            "ch01_double": f"def double(x):\n    {double}\n",
            "ch01_half": f"def half(x):\n    {half}\n",
        }
        self.hand_in_bytes(student, as_bytes(student_notebook(self.chapter, answers)))

    def hand_in_bytes(self, student, content):
        path = self.root / "submitted" / student / self.chapter.name / f"{self.chapter.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def edit_source(self, old, new):
        """Change the chapter's source, as an instructor would."""
        text = self.chapter.path.read_text(encoding="utf-8")
        assert old in text
        self.chapter.path.write_text(text.replace(old, new), encoding="utf-8")
        self.chapter = find_chapter(self.root, "ch01")


class Counting:
    """An engine that gives every check the same status, and remembers whom it graded."""

    def __init__(self, classroom, status=Status.PASSED, stop_after=None):
        self.classroom, self.status, self.stop_after, self.graded = (
            classroom,
            status,
            stop_after,
            [],
        )

    def grade(self, submission):
        if self.stop_after is not None and len(self.graded) == self.stop_after:
            raise KeyboardInterrupt
        self.graded.append(submission.student)
        return Result(
            submission.student,
            submission.chapter,
            tuple(
                Verdict(
                    check.grade_id,
                    exercise.id,
                    self.status,
                    check.points if self.status is Status.PASSED else 0.0,
                    check.points,
                )
                for exercise in self.classroom.chapter.exercises
                for check in exercise.checks
            ),
        )
