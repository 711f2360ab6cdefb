"""Grade submissions: the student's code runs in a sandbox, the checks in a trusted process, and the verdicts come from there."""

import dataclasses
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from autograder.grading.host import bubblewrap as box
from autograder.grading.host.intake_process import Mending
from autograder.grading.host.parents import Broken, Parent, plain_environment
from autograder.grading.host.student_process import Far
from autograder.grading.limits import Limits
from autograder.grading.plan import opening
from autograder.grading.reference import filled_chapter
from autograder.grading.result import Result, Status
from autograder.grading.session import Session
from autograder.grading.verdicts import all_missing


class Engine:
    """Two warm parents, one trusted and one in the sandbox; grades one submission at a time.

    root: the folder that holds source/. sandbox: False runs students' code with the caller's own rights.
    """

    def __init__(self, root, sandbox=True, limits=Limits()):
        self.root, self.sealed, self.limits = Path(root).resolve(), sandbox, limits
        if sandbox:
            box.find_bwrap()
        self._home = tempfile.mkdtemp(prefix="autograder-")
        self._chapters = {}
        self._forget()

    def _forget(self):
        self._trusted = self._keeper = None
        self._probed = False
        self._references, self._opened, self._branches = {}, {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        """End all processes."""
        branches = [parent for made in self._branches.values() for parent in made.values()]
        for parent in (
            *self._references.values(),
            *self._opened.values(),
            *branches,
            self._keeper,
            self._trusted,
        ):
            if parent:
                parent.close()
        self._forget()
        shutil.rmtree(self._home, ignore_errors=True)

    # the parents

    def _start(self):
        """Start both parents, so that they import side by side."""
        if self._trusted is None:
            plain, package = plain_environment(self._home), Path(__file__).parents[1]
            trusted = [sys.executable, "-m", "autograder.grading.check_server"]
            loose = [sys.executable, "-m", "autograder.sandboxed.process.student_server"]
            self._trusted = Parent.start(
                lambda number: [*trusted, str(number)], {**plain, "PYTHONPATH": str(package.parent)}
            )
            self._keeper = (
                box.start_keeper()
                if self.sealed
                else Parent.start(
                    lambda number: [*loose, str(number), "loose"],
                    {**plain, "PYTHONPATH": str(package.parent)},
                )
            )

    def reference(self, name):
        """The trusted parent that holds the reference of a chapter."""
        self._start()
        if name not in self._references:
            self._references[name] = self._trusted.branch(root=str(self.root), chapter=name)
        return self._references[name]

    def keeper(self):
        """The parent of students' processes."""
        self._start()
        if self.sealed and not self._probed:
            box.probe(self._keeper)
            self._probed = True
        return self._keeper

    def opened(self, name):
        """The parent of students' processes that has run the first cells of a chapter."""
        if name not in self._opened:
            self._opened[name] = self.keeper().branch(
                cells=[[step.label, step.text] for step in opening(self.chapter(name))]
            )
        return self._opened[name]

    def prepare(self, name):
        """Have both parents ready for a chapter; they get ready side by side."""
        if name not in self._references or name not in self._opened:
            self._start()
            with ThreadPoolExecutor(2) as both:
                for ready in [both.submit(self.reference, name), both.submit(self.opened, name)]:
                    ready.result()

    def branches(self, name):
        """Parents that have run a chapter's reference up to some place, by place; only for answers of our own."""
        return self._branches.setdefault(name, {})

    def chapter(self, name):
        """The chapter with carried code filled in, as students have it."""
        if name not in self._chapters:
            self._chapters[name] = filled_chapter(self.root, name)
        return self._chapters[name]

    # grading

    def grade(self, submission, exercises=()):
        """The Result for one submission. Whatever is in the file, this returns.

        exercises: ids of the only exercises to grade; by default all.
        """
        started = time.monotonic()
        chapter = self.chapter(submission.chapter)
        for last in (False, True):
            try:
                result = self._grade(
                    submission,
                    chapter,
                    set(exercises) or {exercise.id for exercise in chapter.exercises},
                )
                return dataclasses.replace(result, seconds=round(time.monotonic() - started, 3))
            except Broken:  # a parent was killed from outside: once, with new ones
                self.restart()
                if last:
                    raise

    def _grade(self, submission, chapter, wanted):
        self.prepare(chapter.name)
        mending = Mending(self.reference(chapter.name), submission.notebook)
        far = Far(self.opened(chapter.name), self.limits)  # in the meantime
        found = mending.result()
        if "problem" in found:
            far.discard()
            verdicts = tuple(
                verdict for verdict in all_missing(chapter) if verdict.exercise in wanted
            )
            return Result(submission.student, chapter.name, verdicts, problem=found["problem"])
        if found["ready"]:
            session = Session(
                self, chapter, found["steps"], self.opened(chapter.name), found["ready"], far
            )
        else:
            far.discard()
            session = Session(self, chapter, found["steps"], self.keeper(), 0)
        try:
            verdicts = self._verdicts(chapter, session, found["leans"], wanted)
            evidence = session.evidence()
        finally:
            session.close()
        return Result(
            submission.student,
            chapter.name,
            verdicts,
            flags=tuple(dict.fromkeys([*found["flags"], *evidence])),
            repairs=tuple(found["report"]),
        )

    def restart(self):
        """End all processes; the next submission gets new ones."""
        self.close()
        Path(self._home).mkdir(exist_ok=True)

    def _verdicts(self, chapter, session, leans, wanted):
        """The verdicts on the wanted exercises, in the chapter's order."""
        made, failed, endless = {}, set(), set()
        checks = [
            (exercise, check)
            for exercise in chapter.exercises
            for check in exercise.checks
            if exercise.id in wanted
        ]
        places = {step.id: place for place, step in enumerate(session.steps)}
        for exercise, check in sorted(checks, key=lambda pair: places[pair[1].grade_id]):
            earlier = [name for name in leans[exercise.id] if name in failed]
            made[check.grade_id] = verdict = session.verdict_on(
                exercise, check, earlier, not endless.isdisjoint(earlier)
            )
            if verdict.status is not Status.PASSED or verdict.instead_of_earlier:
                failed.add(exercise.id)
            if verdict.status is Status.TIMEOUT:
                endless.add(exercise.id)
        return tuple(made[check.grade_id] for _, check in checks)
