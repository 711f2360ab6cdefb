"""Grade all submissions of a chapter: into the gradebook, as marks, as feedback pages, and as a
report on the class.

Only this process, the coordinator, opens the gradebook. Every result is in the journal before it
is in the book, so a run that is killed goes on where it stood, and ends with the same book.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from autograder.classroom.paths import autograded_path, feedback_path, journal_path
from autograder.classroom.people import people_of
from autograder.classroom.results import feedback
from autograder.classroom.results.autograded import autograded_notebook
from autograder.classroom.results.by_hand import ByHand, Overruled
from autograder.classroom.results.changes import Change, compare
from autograder.classroom.results.lateness import seconds_late, together
from autograder.classroom.run.jobs import Grader, Graders, Job, Reply, ThisProcess
from autograder.classroom.run.journal import Journal, JournalEntry, hash_of
from autograder.classroom.run.release import ready_to_release
from autograder.classroom.run.submissions import Found, find_submissions
from autograder.classroom.run.tables import write_tables
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings
from autograder.grading.fingerprint import fingerprints
from autograder.grading.result import Result
from autograder.grading.verdicts import refused

if TYPE_CHECKING:
    from autograder.classroom.results.gradebook import Book

SAVE_EVERY = 1.0  # seconds between two writes to the gradebook


def grade(
    settings: Settings,
    chapter: Chapter,
    engine: Grader | None = None,
    students: Sequence[str] = (),
    on_result: Callable[[Result, int, int], None] = lambda result, done, total: None,
    *,
    workers: Graders | None = None,
    only_changed: bool = False,
    on_changes: Callable[[list[Change]], None] = lambda changes: None,
    on_overruled: Callable[[list[Overruled]], None] = lambda overruled: None,
    due: datetime | None = None,
) -> list[Result]:
    """Grade ``submitted/<student>/<chapter>/`` and write gradebook, marks, feedback and report.

    engine: grades in this process; workers: grade elsewhere; neither: Workers on this machine.
    on_result: called with each Result, how many there are, and how many there will be. on_changes:
    called once with the marks that are not what they were; on_overruled: once with the marks given
    by hand whose automatic mark has changed since. due: when the chapter is due, in UTC, from now
    on; None: as the gradebook says. only_changed: what was graded before, from the same bytes
    against the same checks, is taken as it is. One bad submission becomes a row with a reason.
    Raises AutograderError; the same call then goes on from what is done.
    """
    if workers is not None:
        graders: Graders = workers
    elif engine is not None:
        graders = ThisProcess(engine)
    else:
        from autograder.classroom.run.workers import Workers

        with Workers(settings.root) as made:
            return grade(
                settings,
                chapter,
                None,
                students,
                on_result,
                workers=made,
                only_changed=only_changed,
                on_changes=on_changes,
                on_overruled=on_overruled,
                due=due,
            )
    found = find_submissions(settings.root / settings.submitted, chapter.name, students)
    if found and not only_changed:
        graders.begin(chapter, len(found))
    # nbgrader takes a second to import: while the workers start
    from autograder.classroom.results.gradebook import Book

    current = fingerprints(settings.root, chapter, graders.conditions)
    with (
        Journal(journal_path(settings, chapter.name), chapter, current) as journal,
        Book(settings.database, settings.course_id) as book,
    ):
        book.register(settings.root, chapter)
        if due:
            book.set_due(chapter.name, due)
        run = Run(settings, chapter, journal, book, found, only_changed, on_result)
        for job, reply in graders.replies(chapter, run.jobs(), len(found)):
            run.take(job.submission.student, reply)
        run.save()
        write_tables(run, bool(students))
    on_changes(run.changes)
    on_overruled(book.overruled)
    return run.in_order()


@dataclass(frozen=True)
class Waiting:
    """A submission that is being graded."""

    found: Found
    mark: str  # hash of its bytes
    before: dict[str, float] | None  # {exercise: points} before this run
    reason: str  # why it is graded


class Run:
    """One run over a chapter's submissions, seen from the coordinator."""

    def __init__(
        self,
        settings: Settings,
        chapter: Chapter,
        journal: Journal,
        book: "Book",
        found: list[Found],
        only_changed: bool,
        on_result: Callable[[Result, int, int], None],
    ) -> None:
        self.settings, self.chapter, self.journal, self.book = settings, chapter, journal, book
        self.found, self.only_changed, self.on_result = found, only_changed, on_result
        self.results: dict[str, Result] = {}
        self.changes: list[Change] = []
        self.late: dict[str, float] = {}  # {student: seconds}
        self._waiting: dict[str, Waiting] = {}
        self._unsaved: list[tuple] = []
        self._saved = time.monotonic()
        self._due, self._dues = book.due(chapter.name), book.dues(chapter.name)
        self.by_hand: dict[str, ByHand] = book.by_hand(chapter.name)
        self.people = people_of(settings)

    def jobs(self) -> Iterator[Job]:
        """A Job for each submission that must be graded, read from disk when it is asked for; the
        others are entered at once.
        """
        for found in self.found:
            submission, problem = self._read(found)
            mark = hash_of(submission.notebook if submission else problem.encode())
            entry = self.journal.read(found.student)
            ours = entry is not None and entry.run == self.journal.run
            holding = self.journal.valid(entry, mark) if ours or self.only_changed else {}
            known = self.journal.complete(entry, holding)
            waiting = self._about(found, mark, entry, ours)
            if entry is not None and known is not None:
                before = waiting.before if ours else None
                self._enter(found, known, before, waiting.reason, entry.answers)
            elif submission is None:
                self._keep(waiting, refused(self.chapter, found.student, problem), {})
            else:
                self._waiting[found.student] = waiting
                yield Job(submission, self.journal.open(holding) if holding else (), holding)

    def take(self, student: str, reply: Reply) -> None:
        """Enter what came back for a student's submission."""
        waiting = self._waiting.pop(student)
        if reply.result is None:
            # in the book, so that no older mark stands for this file; not in the journal, so that
            # it is tried again
            lost = refused(self.chapter, student, reply.lost)
            self._enter(waiting.found, lost, waiting.before, waiting.reason)
        else:
            self._keep(waiting, reply.result, reply.answers)

    def save(self) -> None:
        """Write what is not yet in the book, in one transaction."""
        self.book.record_all(self._unsaved)
        self._unsaved, self._saved = [], time.monotonic()

    def in_order(self) -> list[Result]:
        """The results in the order of the students' ids."""
        return [self.results[found.student] for found in self.found]

    def _about(self, found, mark, entry, ours):
        """Why a submission is graded and what its marks were. entry: its last one; ours: whether
        this run made that.
        """
        if entry is None:
            return Waiting(found, mark, None, "new")
        if ours:
            return Waiting(found, mark, entry.before, entry.reason)
        reason = "graded again" if entry.submission == mark else "handed in again"
        return Waiting(found, mark, entry.result.points_by_exercise(self.chapter), reason)

    def _keep(self, waiting, result, answers):
        entry = JournalEntry(
            waiting.mark,
            self.journal.run,
            self.journal.exercises,
            result,
            answers,
            waiting.before,
            waiting.reason,
        )
        self.journal.keep(waiting.found.student, entry)
        self._enter(waiting.found, result, waiting.before, waiting.reason, answers)

    def look(self, found: Found) -> feedback.Handed:
        """What is known of a submission beside its Result; notes how late it is."""
        student, chapter = found.student, self.chapter.name
        person = self.people.about(student, chapter)
        due = person.due_date(self._dues.get(student, self._due))
        received = person.submitted or found.received
        late = seconds_late(self.settings, student, chapter, received, due)
        if late:
            self.late[student] = late
        return feedback.Handed(
            by_hand=self.by_hand.get(student, ByHand()),
            received=received,
            seconds_late=late,
            excused=person.excused,
            together=tuple(together(found.path)),
        )

    def _enter(self, found, result, before, reason, answers=()):
        notebook = self.settings.colab_url(self.chapter.name)
        handed = replace(self.look(found), answers=dict(answers))
        write(
            feedback_path(self.settings, result.student, result.chapter),
            feedback.page(self.chapter, result, notebook, handed).encode(),
        )
        ready_to_release(found, feedback_path(self.settings, result.student, result.chapter).parent)
        data = self._read(found)[0]
        write(
            autograded_path(self.settings, result.student, result.chapter),
            autograded_notebook(self.chapter, result, data and data.notebook, dict(answers)),
        )
        self.results[result.student] = result
        self.changes += compare(self.chapter, result, before or {}, reason)
        self._unsaved.append((result, handed.received))
        if time.monotonic() - self._saved > SAVE_EVERY:
            self.save()
        self.on_result(result, len(self.results), len(self.found))

    def _read(self, found):
        """(Submission or None, why there is none)."""
        if found.path is None:
            return None, found.problem
        try:
            return found.submission(), ""
        except OSError as error:
            return None, f"{found.path.name} cannot be read: {error.strerror}"
