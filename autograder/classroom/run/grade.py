"""Grade all submissions of a chapter: into the gradebook, as marks, as feedback pages, and as a report on the class.

Only this process, the coordinator, opens the gradebook. Every result is in the journal before it is in the book, so a run that is
killed goes on where it stood, and ends with the same book.
"""

import time
from pathlib import Path

from autograder.classroom.results import feedback, marks
from autograder.classroom.results.changes import changes_csv, compare, points_of
from autograder.classroom.results.report import class_page
from autograder.classroom.results.similarity import alike
from autograder.classroom.run.jobs import Here, Job
from autograder.classroom.run.journal import Entry, Journal, hash_of
from autograder.classroom.run.submissions import find_submissions
from autograder.course.files import write
from autograder.grading.fingerprint import fingerprints
from autograder.grading.verdicts import refused

SAVE_EVERY = 1.0  # seconds between two writes to the gradebook


def grade(
    settings,
    chapter,
    engine=None,
    students=(),
    on_result=lambda result, done, total: None,
    *,
    workers=None,
    only_changed=False,
    on_changes=lambda changes: None,
):
    """Grade ``submitted/<student>/<chapter>/`` and write gradebook, marks, feedback and report. Returns the Results.

    engine: grades in this process, anything with ``grade(submission) -> Result``; workers: a Workers, grades elsewhere; neither: Workers
    on this machine. on_changes: called once with the marks that are not what they were. only_changed: what was graded before, from the same bytes against the same checks, is taken as it is.
    One bad submission becomes a row with a reason. Raises AutograderError; the same call then goes on from what is done.
    """
    if engine is None and workers is None:
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
            )
    graders = workers or Here(engine)
    found = find_submissions(settings.root / settings.submitted, chapter.name, students)
    if found and not only_changed:
        graders.begin(chapter, len(found))
    from autograder.build.nbgrader_run import gradebook_notebook
    from autograder.classroom.results.gradebook import (
        Book,  # nbgrader takes a second to import: while the workers start
    )

    current = fingerprints(settings.root, chapter, graders.conditions)
    with (
        Journal(journal_path(settings, chapter), chapter, current) as journal,
        Book(settings.database, settings.course_id) as book,
    ):
        graders.settle()  # nbgrader changes into a folder of its own, and no process may start there
        book.register(chapter, gradebook_notebook(settings.root, chapter))
        run = Run(settings, chapter, journal, book, found, only_changed, on_result)
        for job, outcome in graders.graded(chapter, run.jobs(), len(found)):
            run.take(job.submission.student, outcome)
        run.save()
        results = run.in_order()
        _write_tables(settings, chapter, journal, run, bool(students))
    on_changes(run.changes)
    return results


class Run:
    """One run over a chapter's submissions, seen from the coordinator."""

    def __init__(self, settings, chapter, journal, book, found, only_changed, on_result):
        self.settings, self.chapter, self.journal, self.book, self.found = (
            settings,
            chapter,
            journal,
            book,
            found,
        )
        self.only_changed, self.on_result = only_changed, on_result
        self.results, self.changes, self.late = {}, [], {}
        self._open, self._unsaved, self._saved = {}, [], time.monotonic()
        self._due = book.due(chapter.name)

    def jobs(self):
        """A Job for each submission that must be graded, read from disk when it is asked for; the others are entered at once."""
        for found in self.found:
            submission, problem = self._read(found)
            mark = hash_of(submission.notebook if submission else problem.encode())
            entry = self.journal.read(found.student)
            ours = entry is not None and entry.run == self.journal.run
            holding = self.journal.valid(entry, mark) if ours or self.only_changed else {}
            known = self.journal.complete(entry, holding)
            before = (
                entry.before if ours else points_of(self.chapter, entry.result) if entry else None
            )
            reason = (
                entry.reason
                if ours
                else "graded again"
                if entry and entry.submission == mark
                else "handed in again"
                if entry
                else "new"
            )
            if known is not None:
                self._enter(found, known, before if ours else None, reason)
            elif submission is None:
                self._keep(
                    found, mark, refused(self.chapter, found.student, problem), {}, before, reason
                )
            else:
                self._open[found.student] = found, mark, before, reason
                yield Job(submission, self.journal.open(holding) if holding else (), holding)

    def take(self, student, outcome):
        """Enter what came back for a student's submission."""
        found, mark, before, reason = self._open.pop(student)
        if (
            outcome.result is None
        ):  # in the book, so that no older mark stands for this file; not in the journal, so that it is tried again
            self._enter(found, refused(self.chapter, student, outcome.lost), before, reason)
        else:
            self._keep(found, mark, outcome.result, outcome.answers, before, reason)

    def _keep(self, found, mark, result, answers, before, reason):
        self.journal.keep(
            found.student,
            Entry(mark, self.journal.run, self.journal.exercises, result, answers, before, reason),
        )
        self._enter(found, result, before, reason)

    def _enter(self, found, result, before, reason):
        write(
            feedback_path(self.settings, result),
            feedback.page(
                self.chapter, result, self.settings.colab_url(self.chapter.name)
            ).encode(),
        )
        self.results[result.student] = result
        self.changes += compare(self.chapter, result, before or {}, reason)
        if self._due and found.received and found.received > self._due:
            self.late[result.student] = (found.received - self._due).total_seconds()
        self._unsaved.append((result, found.received))
        if time.monotonic() - self._saved > SAVE_EVERY:
            self.save()
        self.on_result(result, len(self.results), len(self.found))

    def save(self):
        """Write what is not yet in the book, in one transaction."""
        self.book.record_all(self._unsaved)
        self._unsaved, self._saved = [], time.monotonic()

    def in_order(self):
        return [self.results[found.student] for found in self.found]

    def _read(self, found):
        """(Submission or None, why there is none)."""
        if found.path is None:
            return None, found.problem
        try:
            return found.submission(), ""
        except OSError as error:
            return None, f"{found.path.name} cannot be read: {error.strerror}"


def feedback_path(settings, result):
    return Path(
        settings.root, settings.feedback, result.student, result.chapter, f"{result.chapter}.html"
    )


def marks_path(settings, chapter):
    return Path(settings.root, settings.marks, f"{chapter.name}.csv")


def report_path(settings, chapter):
    return Path(settings.root, settings.marks, f"{chapter.name}.html")


def changes_path(settings, chapter):
    return Path(settings.root, settings.marks, f"{chapter.name}-changes.csv")


def journal_path(settings, chapter):
    return Path(settings.root, settings.marks, chapter.name)


def _write_tables(settings, chapter, journal, run, some):
    """Marks, changes and report. some: only some students were asked for; the others keep the rows that the journal has for them."""
    results, late = dict(run.results), dict(run.late)
    if some:
        for found in find_submissions(settings.root / settings.submitted, chapter.name):
            entry = journal.read(found.student) if found.student not in results else None
            if entry:
                results[found.student] = entry.result
    write(marks_path(settings, chapter), marks.marks_csv(chapter, results.values()).encode())
    if run.changes:
        write(changes_path(settings, chapter), changes_csv(run.changes).encode())
    entries = (journal.read(student) for student, result in results.items() if not result.problem)
    answers = {
        entry.result.student: list(entry.answers.values())
        for entry in entries
        if entry and entry.answers
    }
    released = [exercise.solution.released for exercise in chapter.exercises]
    write(
        report_path(settings, chapter),
        class_page(chapter, list(results.values()), alike(answers, released), late).encode(),
    )
