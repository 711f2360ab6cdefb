"""Grade one submission: run its cells in order, and each check where it stands, whatever happens in between."""

from autograder.grading import verdicts
from autograder.grading.dependencies import names_of
from autograder.grading.host.check_process import CheckProcess
from autograder.grading.host.student_process import Clock, Ending, StudentProcess
from autograder.grading.result import Status

LATE = "The time for the notebook was over before this could be checked."


class Session:
    """One submission on its way through its cells.

    plan: the student's code cells and the places of the checks, in the chapter's order.
    server: the parent to fork from, which has run the first ``opened`` of them. student: a process forked from it, if there is one.
    """

    def __init__(self, engine, chapter, plan, server, opened, student=None):
        self.limits, self.chapter, self.plan = engine.limits, chapter, plan
        self._server, self._opened = server, opened
        self._check_server = engine.parents.check_server(chapter.name)
        self.clock = Clock(self.limits.notebook_seconds)
        self.endings = {}  # position of a cell -> Ending
        self.report = []  # sentences on cells of the release that were run in the student's place
        self._fatal = set()  # positions of cells that ended the process: left out from then on
        self._student, self._checks = student, None
        self._position, self._deaths = opened, 0

    def run_to(self, position):
        """Have a process in which the student's cells before ``position`` ran. False when there is no getting there."""
        while not (self.clock.over or self._deaths > self.limits.deaths):
            if self._student is None:
                self._student, self._position = (
                    StudentProcess(self._server, self.limits),
                    self._opened,
                )
            if self._advance(position):
                return True
            self._deaths += 1
        return False

    def _advance(self, position):
        """Run the cells up to ``position``; False when one of them ended the process."""
        while self._position < position:
            here, cell = self._position, self.plan[self._position]
            self._position += 1
            if not cell.is_check and here not in self._fatal and cell.text.strip():
                self.endings[here] = self._run(cell.label, cell.text)
                if self.endings[here].fatal:
                    self._fatal.add(here)
                    self._end_checks()
                    self._student = None
                    return False
        return True

    def _run(self, label, text):
        return self._student.run(label, text, self.clock.left(self.limits.cell_seconds))

    def verdict_on(self, exercise, check, earlier=(), endless=False):
        """The Verdict on a check.

        earlier: ids of failed exercises that the answer leans on; a check that fails is tried again with the reference in place
        of them, and counts if it passes then. What is said in that run is not shown. endless: one of them came to no end, so
        that run comes first: the time for a notebook does not reach for another wait in every exercise below.
        """
        places = {cell.id: place for place, cell in enumerate(self.plan)}
        place, answer = places[check.grade_id], places.get(exercise.id)
        if not self.run_to(place):
            return verdicts.gave_up(exercise, check, LATE)
        if endless and self._right_with(check, place, answer, earlier):
            return verdicts.excused(exercise, check, earlier)
        if not self.run_to(place):
            return verdicts.gave_up(exercise, check, LATE)
        text = None if answer is None else self.plan[answer].text
        outcome = self.check(check.grade_id)
        made = verdicts.verdict(exercise, check, outcome, text, self.endings.get(answer))
        if (
            earlier
            and not endless
            and made.status not in (Status.PASSED, Status.UNTOUCHED, Status.MISSING)
            and self._right_with(check, place, answer, earlier)
        ):
            return verdicts.excused(exercise, check, earlier)
        return made

    def _right_with(self, check, place, answer, earlier):
        """Whether a check passes when the student's process is given the reference for the names of earlier exercises."""
        if not self.run_to(place):
            return False
        again = None if answer is None else [self.plan[answer].label, self.plan[answer].text]
        passed = self.check(check.grade_id, names_of(self.chapter, earlier), again)["passed"]
        self.close()  # the process has seen the stand-ins; the next check gets a new one
        return passed

    def evidence(self):
        """What the student's process says was tampered with, if it is still there."""
        return self._student.evidence() if self._student else []

    def check(self, check_id, borrowed=(), again=None, seed=0):
        """Run a check against the process as it stands; its outcome as plain data."""
        seconds = self.clock.left(self.limits.check_seconds)
        if self._checks is None:
            self._checks = CheckProcess(self._check_server, self._student.sock)
        outcome = self._checks.run(
            {"check": check_id, "borrowed": list(borrowed), "again": again, "seed": seed},
            seconds,
            self._student.outgrown,
        )
        if outcome is None:
            return self._ended(f"The check ran longer than {seconds:.0f} s.")
        if outcome["passed"]:
            return outcome
        if outcome["kind"] == "gone":
            return self._ended()
        if outcome["kind"] == "memory" or outcome.get("garbled"):
            self._ended()
        elif outcome.get("changed"):  # what the check works with may not be as it was
            self._end_checks()
        return outcome

    def _ended(self, late=""):
        """End the student's process; the outcome that this is for a check."""
        self._deaths += 1
        self._end_checks()
        ending = Ending("died")
        if self._student:
            ending, self._student = self._student.end(late), None
        return {"passed": False, "kind": ending.kind, "message": ending.message}

    def close(self):
        """The submission is done with: its processes end, and nobody waits for that."""
        self._end_checks()
        if self._student:
            self._student.discard()
            self._student = None

    def _end_checks(self):
        if self._checks:
            self._checks.close()
            self._checks = None
