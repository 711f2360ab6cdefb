"""Grade submissions: the student's code runs in a sandbox, the checks in a trusted process, and the
verdicts come from there.
"""

import dataclasses
import time
from collections.abc import Collection
from pathlib import Path
from typing import Self

from autograder.course.model import Chapter
from autograder.grading.host.fork_servers import Broken
from autograder.grading.host.intake_process import IntakeProcess
from autograder.grading.host.patience import Clock, Starved
from autograder.grading.host.processes import StudentProcess
from autograder.grading.limits import Limits
from autograder.grading.parents import ForkedParents, ParentPool, Parents
from autograder.grading.result import Result, Status, Submission, Verdict
from autograder.grading.session import Session
from autograder.grading.verdicts import refused


class Engine:
    """Grades one submission at a time. ``Engine(root)`` has parents of its own; a ParentPool's
    parents serve several engines.

    root: the folder that holds source/. sandbox: False runs students' code with the caller's own
    rights. parents: in place of what these two would start.

    >>> with Engine(root, sandbox=False) as engine:
    ...     engine.chapter("ch01_trial").points
    10
    """

    def __init__(
        self,
        root: Path | str = ".",
        sandbox: bool = True,
        limits: Limits = Limits(),
        parents: Parents | None = None,
    ) -> None:
        self.parents, self.limits = parents or Parents(root, sandbox), limits

    @classmethod
    def sharing(cls, pool: ParentPool, limits: Limits = Limits()) -> Self:
        """An engine for one thread, whose parents are forks of those of a ParentPool."""
        return cls(limits=limits, parents=ForkedParents(pool))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes; the next submission gets new ones."""
        self.parents.close()

    @property
    def sealed(self) -> bool:
        """Whether students' code runs in the sandbox."""
        return self.parents.sealed

    def chapter(self, name: str) -> Chapter:
        """The chapter with carried code filled in, as students have it."""
        return self.parents.chapter(name)

    def prepare(self, name: str) -> None:
        """Import and run what grading a chapter needs."""
        self.parents.prepare(name)

    def grade(self, submission: Submission, exercises: Collection[str] = ()) -> Result:
        """The Result for one submission. Whatever is in the file, this returns.

        exercises: ids of the only exercises to grade; by default all. Raises SandboxError where
        students' code cannot be run safely, SourceError where the chapter's own code fails.

        >>> engine.grade(Submission("ada", "ch01_trial", b"%PDF-1.7")).problem
        'the file is a PDF, not a notebook: hand in the .ipynb itself'
        """
        started = time.monotonic()
        try:
            result = self._grade(submission, exercises)
        except Broken:  # a parent was killed from outside: once more, with new ones
            result = self._grade(submission, exercises)
        return dataclasses.replace(result, seconds=round(time.monotonic() - started, 3))

    def _grade(self, submission: Submission, exercises: Collection[str]) -> Result:
        chapter = self.chapter(submission.chapter)
        wanted = set(exercises) or {exercise.id for exercise in chapter.exercises}
        try:
            return self._attempt(submission, chapter, wanted)
        except Starved:
            return refused(chapter, submission.student, "", wanted, Status.BUSY)
        except Broken:
            self.close()
            raise

    def _attempt(self, submission: Submission, chapter: Chapter, wanted: set[str]) -> Result:
        """Grade the exercises with the ids ``wanted``."""
        parents, name = self.parents, chapter.name
        parents.prepare(name)
        clock = Clock.of(self.limits)
        intake = IntakeProcess(parents.check_server(name), submission.notebook)
        student = StudentProcess(parents.opened(name), self.limits, clock)  # in the meantime
        try:
            taken = intake.result(clock.spare)
        except Starved:
            student.discard()
            raise
        if not taken.opened:  # it has run what this file does not begin with
            student.discard()
        if taken.problem:
            return refused(chapter, submission.student, taken.problem, wanted)
        about = (parents, self.limits, chapter, taken.plan)
        if taken.opened:
            session = Session(*about, parents.opened(name), taken.opened, clock, student)
        else:
            session = Session(*about, parents.student_server(), 0, clock)
        try:
            verdicts = self._verdicts(chapter, session, taken.earlier, wanted)
            evidence = session.evidence()
        finally:
            session.close()
        return Result(
            submission.student,
            name,
            verdicts,
            flags=tuple(dict.fromkeys([*taken.flags, *evidence])),
            repairs=(*taken.report, *session.report),
            shown=taken.shown,
        )

    def _verdicts(
        self, chapter: Chapter, session: Session, earlier: dict[str, list[str]], wanted: set[str]
    ) -> tuple[Verdict, ...]:
        """The verdicts on the wanted exercises, in the chapter's order; BUSY from where the machine
        was too busy. earlier: {exercise: ids it may lean on}.
        """
        made: dict[str, Verdict] = {}
        failed: set[str] = set()
        endless: set[str] = set()
        checks = [
            (exercise, check)
            for exercise in chapter.exercises
            for check in exercise.checks
            if exercise.id in wanted
        ]
        places = {cell.id: place for place, cell in enumerate(session.plan)}
        for exercise, check in sorted(checks, key=lambda pair: places[pair[1].grade_id]):
            leans_on = [name for name in earlier[exercise.id] if name in failed]
            try:
                verdict = session.verdict_on(
                    exercise, check, leans_on, not endless.isdisjoint(leans_on)
                )
            except Starved:  # the next ones would wait as long
                break
            made[check.grade_id] = verdict
            if verdict.status is not Status.PASSED or verdict.instead_of_earlier:
                failed.add(exercise.id)
            if verdict.status is Status.TIMEOUT:
                endless.add(exercise.id)
        for exercise, check in checks:
            made.setdefault(check.grade_id, Verdict.on(exercise, check, Status.BUSY))
        made = session.settled(made)
        return tuple(made[check.grade_id] for _, check in checks)
