"""Grade all submissions of a chapter: into the gradebook, as marks, as feedback pages, and as a
report on the class.

Only this process, the coordinator, opens the gradebook. Every result is in the journal before it
is in the book, so a run that is killed goes on where it stood, and ends with the same book.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from autograder.classroom import marks, paths
from autograder.classroom.collect.submitted import Found, find_submissions
from autograder.classroom.late import seconds_late
from autograder.classroom.people import people_of
from autograder.classroom.results import feedback
from autograder.classroom.results.autograded import autograded_notebook
from autograder.classroom.results.open_tasks import open_answers
from autograder.classroom.results.report import AboutClass, class_page
from autograder.classroom.results.similarity import clusters
from autograder.classroom.run.dispatch import Job, Reply
from autograder.classroom.run.journal import Journal, JournalEntry, hash_of
from autograder.course.bank import right_answers
from autograder.course.errors import SourceError
from autograder.course.files import readable, write
from autograder.course.model import Chapter
from autograder.course.settings import Settings
from autograder.grading.fingerprint import fingerprints
from autograder.grading.result import Result, Shown, Submission
from autograder.grading.shown import task_cells, words
from autograder.grading.verdicts import refused

if TYPE_CHECKING:
    from autograder.classroom.results.gradebook import Book
    from autograder.classroom.run.workers import Workers

AGAIN = "handed in again"  # another file than the last one
SAVE_EVERY = 1.0  # seconds between two writes to the gradebook


@dataclass(frozen=True)
class GradeOptions:
    """What a run is to grade.

    students: only these, () for all; only_changed: what was graded before, from the same bytes
    against the same checks, is taken as it is; due: when the chapter is due, from now on;
    None: as the gradebook says.
    """

    students: Sequence[str] = ()
    only_changed: bool = False
    due: datetime | None = None


EVERYTHING = GradeOptions()


@dataclass(frozen=True)
class Graded:
    """What a run found: results in the order of the students' ids, with marks given by hand, the
    marks that are not what they were, and those by hand whose automatic mark has changed since.
    """

    results: list[Result]
    changes: list[marks.Change]
    overruled: list[marks.Overruled]


def grade(
    settings: Settings,
    chapter: Chapter,
    workers: "Workers",
    options: GradeOptions = EVERYTHING,
    on_result: Callable[[Result, int, int], None] = lambda result, done, total: None,
) -> Graded:
    """Grade ``submitted/<student>/<chapter>/`` and write gradebook, marks, feedback and report.

    on_result: called with each Result, how many there are, and how many there will be. One bad
    submission becomes a row with a reason. Raises AutograderError; the same call then goes on from
    what is done.
    """
    found = find_submissions(settings.root / settings.submitted, chapter.name, options.students)
    if found and not options.only_changed:
        workers.begin(chapter, len(found))
    # nbgrader takes a second to import: while the workers start
    from autograder.classroom.results.gradebook import Book

    current = fingerprints(settings.root, chapter, workers.conditions)
    with (
        Journal(paths.journal_path(settings, chapter.name), chapter, current) as journal,
        Book(settings.database, settings.course_id) as book,
    ):
        book.register(settings.root, chapter)
        if settings.db_url and settings.own_gradebook.exists():
            with Book(replace(settings, db_url="").database, settings.course_id) as before:
                book.carry_over(chapter.name, before)
        if options.due:
            book.set_due(chapter.name, options.due)
        run = Run(settings, chapter, journal, book, found, options, on_result)
        for job, reply in workers.replies(chapter, run.jobs(), len(found)):
            run.take(job.submission.student, reply)
        run.save()
        run.write_tables()
    results = [run.marked(run.results[one.student]) for one in found]
    return Graded(results, run.changes, book.overruled)


@dataclass(frozen=True)
class Pending:
    """A submission whose result is not there yet."""

    found: Found
    digest: str  # hash of its bytes
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
        options: GradeOptions,
        on_result: Callable[[Result, int, int], None],
    ) -> None:
        self.settings, self.chapter, self.journal, self.book = settings, chapter, journal, book
        self.found, self.options, self.on_result = found, options, on_result
        self.results: dict[str, Result] = {}
        self.changes: list[marks.Change] = []
        self._late: dict[str, float] = {}  # {student: seconds}
        self._pending: dict[str, Pending] = {}
        self._unsaved: list[tuple[Result, datetime | None, bool]] = []
        self._saved = time.monotonic()
        self._due, self._dues = book.due(chapter.name), book.dues(chapter.name)
        self._by_hand: dict[str, marks.ByHand] = book.by_hand(chapter.name)
        self._people = people_of(settings)

    def jobs(self) -> Iterator[Job]:
        """A Job for each submission that must be graded, read from disk when it is asked for; the
        others are entered at once.
        """
        for found in self.found:
            submission, problem = _read(found)
            digest = hash_of(submission.notebook if submission else problem.encode())
            entry = self.journal.read(found.student)
            ours = entry is not None and entry.run == self.journal.run
            reuse = ours or self.options.only_changed
            valid = self.journal.valid(entry, digest) if reuse else {}
            made = paths.autograded_path(self.settings, found.student, self.chapter.name).exists()
            known = self.journal.complete(entry, valid) if made else None
            pending = self._compared(found, digest, entry)
            if entry is not None and known is not None:
                before = pending.before if ours else None
                known = replace(known, shown=Shown(entry.answers))
                self._enter(replace(pending, before=before), known)
            elif submission is None:
                self._record(pending, refused(self.chapter, found.student, problem))
            else:
                self._pending[found.student] = pending
                yield Job(submission, self.journal.to_grade(valid) if valid else (), valid)

    def take(self, student: str, reply: Reply) -> None:
        """Enter what came back for a student's submission."""
        pending = self._pending.pop(student)
        if reply.result is None:
            # in the book, so that no older mark stands for this file; not in the journal, so that
            # it is tried again
            result = refused(self.chapter, student, reply.lost)
            self._show(result)
            self._enter(pending, result)
        else:
            repairs = (*filter(None, [pending.found.note]), *reply.result.repairs)
            self._record(pending, replace(reply.result, repairs=repairs))

    def save(self) -> None:
        """Write what is not yet in the book, in one transaction."""
        self.book.record_all(self._unsaved)
        self._unsaved, self._saved = [], time.monotonic()

    def write_tables(self) -> None:
        """Marks, changes and report. Where only some students were asked for, the others keep the
        rows that the journal has for them.
        """
        settings, chapter = self.settings, self.chapter
        results, found = dict(self.results), self.found
        if self.options.students:
            found = find_submissions(settings.root / settings.submitted, chapter.name)
        entries = {one.student: self.journal.read(one.student) for one in found}
        for one in found:
            entry = entries[one.student]
            if one.student not in results and entry:
                results[one.student] = entry.result
                self._handed(one)
        shown = [
            self.marked(result)
            for student, result in results.items()
            if not self._people.about(student, chapter.name).dropped
        ]
        write(paths.marks_path(settings, chapter.name), marks.marks_csv(chapter, shown).encode())
        if self.changes:
            table = marks.changes_csv(self.changes)
            write(paths.changes_path(settings, chapter.name), table.encode())
        words_of = {
            student: entry.words
            for student, entry in entries.items()
            if entry and entry.words and student in results and not results[student].problem
        }
        about = self._about_class(shown, found)
        alike = clusters(words_of, no_evidence(settings.root, chapter), about.together)
        opened = None
        if task_cells(chapter):
            texts = [entry.open_task for entry in entries.values() if entry]
            opened = open_answers(texts, list(entries))
        page = class_page(chapter, shown, alike, about, opened)
        write(paths.class_page_path(settings, chapter.name), page.encode())

    def marked(self, result: Result) -> Result:
        """A result with the marks that a person gave."""
        return marks.marked_by_hand(result, self._by_hand.get(result.student, marks.ByHand()))

    def _compared(self, found: Found, digest: str, entry: JournalEntry | None) -> Pending:
        """Why a submission is graded and what its marks were. entry: its last one."""
        if entry is None:
            return Pending(found, digest, None, "new")
        if entry.run == self.journal.run:
            return Pending(found, digest, entry.before, entry.reason)
        reason = "graded again" if entry.submission == digest else AGAIN
        return Pending(found, digest, entry.result.points_by_exercise(self.chapter), reason)

    def _record(self, pending: Pending, result: Result) -> None:
        """Enter a result. The notebook is written first, then the journal: what is there counts as
        done.
        """
        self._show(result)
        journal, shown = self.journal, result.shown
        entry = JournalEntry(
            pending.digest, journal.run, journal.exercises, result, shown.answers, shown.words
        )
        before, reason = pending.before, pending.reason
        entry = replace(entry, open_task=shown.open_task, before=before, reason=reason)
        journal.write(pending.found.student, entry)
        self._enter(pending, result)

    def _show(self, result: Result) -> None:
        """Write the graded notebook for formgrader."""
        path = paths.autograded_path(self.settings, result.student, self.chapter.name)
        write(path, autograded_notebook(self.chapter, result))

    def _enter(self, pending: Pending, result: Result) -> None:
        """Write the feedback page, and have the result in the book soon."""
        settings, chapter, student = self.settings, self.chapter, result.student
        notebook_url = settings.colab_url(chapter.name)
        handed = replace(self._handed(pending.found), answers=result.shown.answers)
        page = paths.feedback_path(settings, student, chapter.name)
        write(page, feedback.page(chapter, result, notebook_url, handed).encode())
        feedback.ready_to_release(pending.found, page.parent)
        self.results[student] = result = replace(result, shown=Shown())
        self.changes += marks.compare(chapter, result, pending.before or {}, pending.reason)
        self._unsaved.append((result, handed.received, pending.reason == AGAIN))
        if time.monotonic() - self._saved > SAVE_EVERY:
            self.save()
        self.on_result(result, len(self.results), len(self.found))

    def _handed(self, found: Found) -> feedback.Handed:
        """What is known of a submission beside its Result; the report shows how late it is."""
        student, collected = found.student, found.collected
        person = self._people.about(student, self.chapter.name)
        received = person.submitted or found.received
        due = person.due_date(self._dues.get(student, self._due))
        late = seconds_late(received, due, collected.late)
        if late:
            self._late[student] = late
        return feedback.Handed(
            by_hand=self._by_hand.get(student, marks.ByHand()),
            received=received,
            seconds_late=late,
            excused=person.excused,
            together=collected.together,
        )

    def _about_class(self, shown: Sequence[Result], found: Sequence[Found]) -> AboutClass:
        name = self.chapter.name
        students = [one.student for one in shown]
        pages = {who: paths.feedback_path(self.settings, who, name) for who in students}
        return AboutClass(
            late=self._late,
            sections={student: self._people.about(student, name).section for student in students},
            by_hand={who: tuple(one.comments.values()) for who, one in self._by_hand.items()},
            overruled=tuple(self.book.overruled),
            pages={who: self._link(path) for who, path in pages.items()},
            submissions={one.student: self._link(one.path) for one in found if one.path},
            together={one.student: one.collected.together for one in found},
        )

    def _link(self, path: Path) -> str:
        """A path as the report's page links to it."""
        folder = paths.class_page_path(self.settings, self.chapter.name).parent
        return quote(os.fsencode(Path(os.path.relpath(path, folder)).as_posix()))


def no_evidence(root: Path, chapter: Chapter) -> dict[str, list[str]]:
    """{exercise: words that many have without copying}: of what was released, and of the right
    answers of the bank.
    """
    given = {}
    for exercise in chapter.exercises:
        given[exercise.id] = [words(exercise.solution.released)]
        with contextlib.suppress(SourceError):  # a bank is not needed to grade
            answers = right_answers(root, chapter.name, exercise.id)
            given[exercise.id] += [words(answer.text) for answer in answers]
    return given


def _read(found: Found) -> tuple[Submission | None, str]:
    """(the submission, or None and why there is none)."""
    if found.path is None:
        return None, found.problem
    try:
        return found.submission(), ""
    except OSError as error:
        return None, f"{readable(found.path.name)} cannot be read: {error.strerror}"
