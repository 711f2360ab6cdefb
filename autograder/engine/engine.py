"""Grade submissions: the student's code runs in a sandbox, the checks in a trusted process, and the verdicts come from there."""

import dataclasses
import shutil
import sys
import tempfile
import time
from pathlib import Path

from ..carry import filled
from ..chapter import find_chapter
from ..errors import SubmissionError
from ..repair import repair
from ..result import Result, Status, Verdict
from . import verdicts
from .cascade import leans_on, names_of
from .flags import find_flags
from .intake import read_notebook, tags_of
from .limits import Limits
from .parents import Broken, Parent, bridge_folder, plain_environment
from .session import Session
from .steps import opening, placed, shared_opening


class Engine:
    """Two warm parents, one trusted and one in the sandbox; grades one submission at a time.

    root: the folder that holds source/. sandbox: False runs students' code with the caller's own rights.
    """

    def __init__(self, root, sandbox=True, limits=Limits()):
        self.root, self.sealed, self.limits = Path(root).resolve(), sandbox, limits
        self._home = tempfile.mkdtemp(prefix="autograder-")
        self._chapters = {}
        self._forget()

    def _forget(self):
        self._trusted = self._keeper = None
        self._references, self._opened, self._branches = {}, {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """End all processes."""
        branches = [parent for made in self._branches.values() for parent in made.values()]
        for parent in (*self._references.values(), *self._opened.values(), *branches, self._keeper, self._trusted):
            if parent:
                parent.close()
        self._forget()
        shutil.rmtree(self._home, ignore_errors=True)

    # the parents

    def reference(self, name):
        """The trusted parent that holds the reference of a chapter."""
        if name not in self._references:
            if self._trusted is None:
                environment = {**plain_environment(self._home), "PYTHONPATH": str(Path(__file__).parents[2])}
                self._trusted = Parent.start(lambda number: [sys.executable, "-m", "autograder.engine.trusted", str(number)], environment)
            self._references[name] = self._trusted.branch(root=str(self.root), chapter=name)
        return self._references[name]

    def keeper(self):
        """The parent of students' processes."""
        if self._keeper is None:
            self._keeper = self._start_keeper()
        return self._keeper

    def opened(self, name):
        """The parent of students' processes that has run the first cells of a chapter."""
        if name not in self._opened:
            self._opened[name] = self.keeper().branch(cells=[[step.label, step.text] for step in opening(self.chapter(name))])
        return self._opened[name]

    def branches(self, name):
        """Parents that have run a chapter's reference up to some place, by place; only for answers of our own."""
        return self._branches.setdefault(name, {})

    def _start_keeper(self):
        if self.sealed:
            from .sandbox import start_keeper
            return start_keeper()
        environment = {**plain_environment(self._home), "PYTHONPATH": str(bridge_folder().parent)}
        return Parent.start(lambda number: [sys.executable, "-m", "bridge.keeper", str(number), "loose"], environment)

    # chapters

    def chapter(self, name):
        """The chapter with carried code filled in, as students have it."""
        if name not in self._chapters:
            read = find_chapter(self.root, name)
            cells = tuple(dataclasses.replace(cell, source=filled(self.root, cell, read.path)) if cell.carry else cell for cell in read.cells)
            self._chapters[name] = dataclasses.replace(read, cells=cells)
        return self._chapters[name]

    # grading

    def grade(self, submission):
        """The Result for one submission. Whatever is in the file, this returns."""
        started = time.monotonic()
        chapter = self.chapter(submission.chapter)
        try:
            loose = read_notebook(submission.notebook)
        except SubmissionError as error:
            return Result(submission.student, chapter.name, verdicts.all_missing(chapter), problem=str(error))
        mended = repair(chapter, loose)
        flags = find_flags(chapter, loose, tags_of(submission.notebook))
        for attempt in (1, 2):
            try:
                made, evidence = self._verdicts(chapter, placed(chapter, mended.cells))
                break
            except Broken:
                self._restart()
                if attempt == 2:
                    raise
        return Result(submission.student, chapter.name, made, flags=tuple(dict.fromkeys((*flags, *evidence))),
                      repairs=tuple(line[:300] for line in mended.report[:50]), seconds=round(time.monotonic() - started, 3))

    def _restart(self):
        home = self._home
        self.close()
        self._home = home
        Path(home).mkdir(exist_ok=True)

    def _verdicts(self, chapter, steps):
        """(verdicts, evidence of tampering) for the steps of a submission."""
        ready = shared_opening(chapter, steps)
        self.reference(chapter.name)         # started before the notebook's time begins to run
        keeper = self.opened(chapter.name) if ready else self.keeper()
        session = Session(self, chapter, steps, keeper, ready)
        owners = {check.grade_id: exercise for exercise in chapter.exercises for check in exercise.checks}
        made, evidence, failed = {}, [], set()
        for position, step in enumerate(steps):
            if step.is_check:
                exercise = owners[step.id]
                made[step.id] = self._one(chapter, session, steps, position, exercise, failed)
                if made[step.id].points < made[step.id].max_points or made[step.id].instead_of_earlier:
                    failed.add(exercise.id)
        if session.far:
            evidence = session.far.evidence()
            session.end()
        return tuple(made[check.grade_id] for exercise in chapter.exercises for check in exercise.checks), evidence

    def _one(self, chapter, session, steps, position, exercise, failed):
        """The verdict on one check; a failed one is tried again with the reference in place of earlier mistakes."""
        check = next(check for check in exercise.checks if check.grade_id == steps[position].id)
        answer = next((step for step in steps if step.id == exercise.id), None)
        made = session.verdict(exercise, check, position, answer)
        if made.status in (Status.PASSED, Status.UNTOUCHED, Status.MISSING):
            return made
        earlier = leans_on(chapter, steps, exercise, failed)
        if earlier and session.right_with(check, position, answer, names_of(chapter, earlier)):
            return Verdict(check.grade_id, exercise.id, Status.PASSED, check.points, check.points, instead_of_earlier=earlier)
        return made
