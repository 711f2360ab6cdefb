"""What a run leaves behind for people: marks, changes, and the report on the class."""

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.classroom.paths import changes_path, class_page_path, feedback_path, marks_path
from autograder.classroom.results import marks
from autograder.classroom.results.by_hand import marked_by_hand
from autograder.classroom.results.changes import changes_csv
from autograder.classroom.results.lateness import together
from autograder.classroom.results.open_tasks import open_answers, task_cells
from autograder.classroom.results.report import AboutClass, class_page
from autograder.classroom.results.similarity import clusters
from autograder.classroom.run.submissions import find_submissions
from autograder.course.bank import right_answers
from autograder.course.errors import SourceError
from autograder.course.files import write
from autograder.course.model import Chapter

if TYPE_CHECKING:
    from autograder.classroom.run.grade import Run


def write_tables(run: "Run", some: bool) -> None:
    """Marks, changes and report of a Run. some: only some students were asked for; the others keep
    the rows that the journal has for them.
    """
    settings, chapter, journal = run.settings, run.chapter, run.journal
    results = dict(run.results)
    found = run.found
    if some:
        found = find_submissions(settings.root / settings.submitted, chapter.name)
    for one in found if some else ():
        entry = journal.read(one.student) if one.student not in results else None
        if entry:
            results[one.student] = entry.result
            run.look(one)
    shown = [
        marked_by_hand(result, run.by_hand[student]) if student in run.by_hand else result
        for student, result in results.items()
        if not run.people.about(student, chapter.name).dropped
    ]
    write(marks_path(settings, chapter.name), marks.marks_csv(chapter, shown).encode())
    if run.changes:
        write(changes_path(settings, chapter.name), changes_csv(run.changes).encode())
    entries = [journal.read(student) for student, result in results.items() if not result.problem]
    answers = {entry.result.student: entry.answers for entry in entries if entry and entry.answers}
    groups = {one.student: together(one.path) for one in found if one.path}
    about = AboutClass(
        late=run.late,
        sections={
            one.student: run.people.about(one.student, chapter.name).section for one in shown
        },
        by_hand={name: tuple(given.comments.values()) for name, given in run.by_hand.items()},
        overruled=tuple(run.book.overruled),
        pages={one.student: _link(settings, chapter, one.student) for one in shown},
        submissions={one.student: _relative(settings, one.path) for one in found if one.path},
    )
    alike = clusters(answers, no_evidence(settings.root, chapter), groups)
    opened = None
    if task_cells(chapter):
        opened = open_answers(chapter, _notebooks(found), [one.student for one in found])
    page = class_page(chapter, shown, alike, about, opened)
    write(class_page_path(settings, chapter.name), page.encode())


def no_evidence(root: Path, chapter: Chapter) -> dict[str, list[str]]:
    """{exercise: texts that many have without copying}: what was released, and the right answers of
    the bank.
    """
    texts = {}
    for exercise in chapter.exercises:
        texts[exercise.id] = [exercise.solution.released]
        with contextlib.suppress(SourceError):  # a bank is not needed to grade
            answers = right_answers(root, chapter.name, exercise.id)
            texts[exercise.id] += [answer.text for answer in answers]
    return texts


def _notebooks(found):
    """(student, bytes) of each file that can be read, one at a time."""
    for one in found:
        if one.path is not None:
            with contextlib.suppress(OSError):  # the report names it among what was not graded
                yield one.student, one.path.read_bytes()


def _link(settings, chapter, student):
    return _relative(settings, feedback_path(settings, student, chapter.name))


def _relative(settings, path):
    """A path as the report's page links to it."""
    return Path(os.path.relpath(path, settings.root / settings.marks)).as_posix()
