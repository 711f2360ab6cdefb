"""Grade one submission: run its cells in order, and each check where it stands, whatever happens in between."""

from autograder.grading import verdicts
from autograder.grading.dependencies import names_of
from autograder.grading.host.check_process import Checker
from autograder.grading.host.student_process import Clock, Ending, Far
from autograder.grading.result import Status, Verdict

LATE = "The time for the notebook was over before this could be checked."


class Session:
    """One submission on its way through its cells.

    steps: the student's code cells and the places of the checks, in the chapter's order.
    keeper: the parent to fork from, which has run the first ``ready`` steps already. far: a process forked from it, if there is one.
    """

    def __init__(self, engine, chapter, steps, keeper, ready, far=None):
        self.engine, self.chapter, self.steps = engine, chapter, steps
        self._keeper, self._ready = keeper, ready
        self.clock = Clock(engine.limits.notebook_seconds)
        self.endings = {}  # position of a cell -> Ending
        self.culprits = (
            set()
        )  # positions of cells that ended the process, left out when it starts again
        self.far, self._checker, self._position, self._deaths = far, None, ready, 0

    def run_to(self, position):
        """Have a process in which the student's cells before ``position`` ran. False when there is no getting there."""
        while not self._spent():
            if self.far is None:
                self.far, self._position = Far(self._keeper, self.engine.limits), self._ready
            ending = self._advance(position)
            if ending is None:
                return True
            self._deaths += 1
        return False

    def _advance(self, position):
        """Run the cells up to ``position``; the Ending of the process if one of them ended it."""
        while self._position < position:
            here, step = self._position, self.steps[self._position]
            self._position += 1
            if step.is_check or here in self.culprits or not step.text.strip():
                continue
            ending = self.far.run(
                step.label, step.text, self.clock.left(self.engine.limits.cell_seconds)
            )
            self.endings[here] = ending
            if ending.kind not in ("fine", "raised"):
                self.culprits.add(here)
                self._release_checker()
                self.far = None
                return ending
        return None

    def _spent(self):
        return self.clock.over or self._deaths > self.engine.limits.deaths

    def verdict_on(self, exercise, check, earlier=(), endless=False):
        """The Verdict on a check.

        earlier: ids of failed exercises that the answer leans on; a check that fails is tried again with the reference in place
        of them, and counts if it passes then. What is said in that run is not shown. endless: one of them came to no end, so
        that run comes first: the time for a notebook does not reach for another wait in every exercise below.
        """
        place = next(place for place, step in enumerate(self.steps) if step.id == check.grade_id)
        answer = next(
            (place for place, step in enumerate(self.steps) if step.id == exercise.id), None
        )
        if not self.run_to(place):
            return verdicts.gave_up(exercise, check, LATE)
        text = None if answer is None else self.steps[answer].text
        excused = Verdict(
            check.grade_id,
            exercise.id,
            Status.PASSED,
            check.points,
            check.points,
            instead_of_earlier=tuple(earlier),
        )
        if endless and self._right_with(check, place, answer, names_of(self.chapter, earlier)):
            return excused
        if not self.run_to(place):
            return verdicts.gave_up(exercise, check, LATE)
        made = verdicts.verdict(
            exercise, check, self.check(check.grade_id), text, self.endings.get(answer)
        )
        stands = (
            made.status in (Status.PASSED, Status.UNTOUCHED, Status.MISSING)
            or endless
            or not earlier
        )
        return (
            made
            if stands or not self._right_with(check, place, answer, names_of(self.chapter, earlier))
            else excused
        )

    def _right_with(self, check, place, answer, borrowed):
        """Whether a check passes when the student's process is given the reference for some names of earlier exercises."""
        if not self.run_to(place):
            return False
        again = None if answer is None else [self.steps[answer].label, self.steps[answer].text]
        passed = self.check(check.grade_id, borrowed, again)["passed"]
        self.close()  # the process has seen the stand-ins; the next check gets a new one
        return passed

    def evidence(self):
        """What the student's process says was tampered with, if it is still there."""
        return self.far.evidence() if self.far else []

    def check(self, check_id, borrowed=(), again=None, seed=0):
        """Run a check against the process as it stands; its outcome as plain data."""
        seconds = self.clock.left(self.engine.limits.check_seconds)
        checker = self._checker = self._checker or Checker(
            self.engine.reference(self.chapter.name), self.far.sock
        )
        outcome = checker.run(
            {"check": check_id, "borrowed": list(borrowed), "again": again, "seed": seed},
            seconds,
            self.far.outgrown,
        )
        if (
            outcome is None
            or not outcome["passed"]
            and (outcome["kind"] in ("gone", "memory") or outcome.get("garbled"))
        ):
            ending = self.end(
                f"The check ran longer than {seconds:.0f} s." if outcome is None else ""
            )
            self._deaths += 1
            if outcome is None or outcome["kind"] == "gone":
                return {"passed": False, "kind": ending.kind, "message": ending.message}
        elif outcome.get("changed"):  # what the check works with may not be as it was
            self._release_checker()
        return outcome

    def close(self):
        """The submission is done with: its processes end, and nobody waits for that."""
        self._release_checker()
        if self.far:
            self.far.discard()
            self.far = None

    def _release_checker(self):
        if self._checker:
            self._checker.close()
            self._checker = None

    def end(self, late=""):
        """End the student's process."""
        self._release_checker()
        ending = Ending("died")
        if self.far:
            ending, self.far = self.far.end(late), None
        return ending
