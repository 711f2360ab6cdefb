"""The marks of a class out of the gradebook: manual marks counted, lateness applied."""

from dataclasses import dataclass
from datetime import datetime

from autograder.classroom.people import people_of
from autograder.classroom.results.gradebook import Book
from autograder.classroom.results.late import LatePolicy
from autograder.classroom.results.lateness import seconds_late
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter
from autograder.course.settings import Settings

NO_POLICY = LatePolicy()


@dataclass(frozen=True)
class Mark:
    """One student's mark on a chapter, manual marks counted, lateness applied."""

    student: str
    points: float
    before_late: float
    max_points: float
    seconds_late: float
    parts: tuple[tuple[str, float, float], ...]  # (check, points, of) before lateness
    excused: bool = False
    comments: tuple[tuple[str, str], ...] = ()  # (solution or check, a person's words)


def read_marks(
    settings: Settings,
    chapter: Chapter,
    policy: LatePolicy = NO_POLICY,
    due: datetime | None = None,
) -> list[Mark]:
    """Marks of all submissions of a chapter, sorted by student; who dropped the course is left out.

    due: the class's due date in UTC; None: the one in the gradebook, with nbgrader's extensions.
    people.csv says what holds for single students. A file that the platform called late, where no
    date says by how much, counts as one day late.
    """
    people = people_of(settings)
    marks = []
    with Book(settings.database, settings.course_id) as book:
        for submission in book.submissions(chapter.name):
            person = people.about(submission.student, chapter.name)
            if person.dropped:
                continue
            when_due = person.due_date(due or submission.due)
            received = person.submitted or submission.received
            late = seconds_late(settings, submission.student, chapter.name, received, when_due)
            score = sum(points for _, points, _ in submission.parts)
            points = round(policy.mark(score, late), 4)
            marks.append(
                Mark(
                    submission.student,
                    points,
                    score,
                    submission.max_score,
                    late,
                    submission.parts,
                    person.excused,
                    submission.comments,
                )
            )
    if not marks:
        raise AutograderError(
            f"the gradebook holds no marks for {chapter.name}; "
            f"run 'python -m autograder grade {chapter.name[:4]}' first."
        )
    return sorted(marks, key=lambda mark: mark.student)
