"""Grade submissions: the student's code runs in a sandbox, the checks in a trusted process, and the
verdicts come from there.
"""

import dataclasses
import time
from collections.abc import Iterable
from typing import Any, Self

from autograder.course.model import Chapter
from autograder.grading.host.fork_servers import Broken
from autograder.grading.host.intake_process import IntakeProcess
from autograder.grading.host.student_process import StudentProcess
from autograder.grading.limits import Limits
from autograder.grading.parents import ForkedParents, ParentPool, Parents
from autograder.grading.result import Result, Status, Submission
from autograder.grading.session import Session
from autograder.grading.verdicts import refused


class Engine:
    """Grades one submission at a time. ``Engine(root)`` has parents of its own; a ParentPool's
    parents serve several engines.

    root: the folder that holds source/. sandbox: False runs students' code with the caller's own
    rights.
    """

    def __init__(
        self, root: Any = None, sandbox: bool = True, limits: Limits = Limits(), parents: Any = None
    ) -> None:
        self.parents, self.limits = parents or Parents(root, sandbox), limits

    @classmethod
    def sharing(cls, pool: ParentPool, limits: Limits = Limits()) -> Self:
        """An engine for one thread, whose parents are forks of those of a ParentPool."""
        return cls(limits=limits, parents=ForkedParents(pool))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self) -> None:
        """End all processes; the next submission gets new ones."""
        self.parents.close()

    @property
    def sealed(self) -> bool:
        """Whether students' code runs in the sandbox."""
        return self.parents.sealed

    def chapter(self, name: str) -> Chapter:
        return self.parents.chapter(name)

    def prepare(self, name: str) -> None:
        """Import and run what grading a chapter needs."""
        self.parents.prepare(name)

    def grade(self, submission: Submission, exercises: Iterable[str] = ()) -> Result:
        """The Result for one submission. Whatever is in the file, this returns.

        exercises: ids of the only exercises to grade; by default all.
        """
        started = time.monotonic()
        try:
            result = self._grade(submission, exercises)
        except Broken:  # a parent was killed from outside: once more, with new ones
            result = self._grade(submission, exercises)
        return dataclasses.replace(result, seconds=round(time.monotonic() - started, 3))

    def _grade(self, submission, exercises):
        chapter = self.chapter(submission.chapter)
        wanted = set(exercises) or {exercise.id for exercise in chapter.exercises}
        try:
            with self.parents.beside_others():
                result, starved = self.attempt(submission, chapter, wanted)
            if starved:  # on a loaded machine: once more, with nothing beside it
                with self.parents.alone():
                    result, _ = self.attempt(submission, chapter, wanted)
            return result
        except Broken:
            self.close()
            raise

    def attempt(
        self, submission: Submission, chapter: Chapter, wanted: set[str]
    ) -> tuple[Result, bool]:
        """Grade once. Returns (Result, whether something was too late that had not had its
        processor time). wanted: ids of exercises.
        """
        parents = self.parents
        parents.prepare(chapter.name)
        intake = IntakeProcess(parents.check_server(chapter.name), submission.notebook)
        student = StudentProcess(parents.opened(chapter.name), self.limits)  # in the meantime
        found = intake.result()
        if "problem" in found:
            student.discard()
            return refused(chapter, submission.student, found["problem"], wanted), False
        if found["opened"]:
            session = Session(
                self, chapter, found["plan"], parents.opened(chapter.name), found["opened"], student
            )
        else:
            student.discard()
            session = Session(self, chapter, found["plan"], parents.student_server(), 0)
        try:
            verdicts = self._verdicts(chapter, session, found["earlier"], wanted)
            evidence = session.evidence()
        finally:
            session.close()
        result = Result(
            submission.student,
            chapter.name,
            verdicts,
            flags=tuple(dict.fromkeys([*found["flags"], *evidence])),
            repairs=(*found["report"], *session.report),
            answers=found["answers"],
        )
        return result, session.starved

    def _verdicts(self, chapter, session, earlier, wanted):
        """The verdicts on the wanted exercises, in the chapter's order. earlier: {exercise: ids it
        may lean on}.
        """
        made, failed, endless = {}, set(), set()
        checks = [
            (exercise, check)
            for exercise in chapter.exercises
            for check in exercise.checks
            if exercise.id in wanted
        ]
        places = {cell.id: place for place, cell in enumerate(session.plan)}
        for exercise, check in sorted(checks, key=lambda pair: places[pair[1].grade_id]):
            leans_on = [name for name in earlier[exercise.id] if name in failed]
            made[check.grade_id] = verdict = session.verdict_on(
                exercise, check, leans_on, not endless.isdisjoint(leans_on)
            )
            if verdict.status is not Status.PASSED or verdict.instead_of_earlier:
                failed.add(exercise.id)
            if verdict.status is Status.TIMEOUT:
                endless.add(exercise.id)
        return tuple(made[check.grade_id] for _, check in checks)
