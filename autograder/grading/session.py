"""Grade one submission: run its cells in order, and each check where it stands, whatever happens in
between.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.course.errors import first_line
from autograder.course.model import Cell, Chapter, Exercise
from autograder.grading.host.fork_servers import Parent
from autograder.grading.host.patience import Clock
from autograder.grading.host.processes import CheckProcess, StudentProcess
from autograder.grading.limits import Limits
from autograder.grading.parents import Parents
from autograder.grading.plan import CheckRequest, PlannedCell, names_of
from autograder.grading.result import Ending, Outcome, Status, Verdict
from autograder.grading.verdicts import verdict
from autograder.sandboxed.rpc.failures import clean

LONG_TRIAL = 1.0  # seconds
STAND_INS = 2  # times as long for a check with stand-ins: each of their calls crosses the bridge
LATE = "The time for the notebook was over before this could be checked."


class Session:
    """One submission on its way through its cells.

    plan: the student's code cells and the places of the checks, in the chapter's order.
    server: the parent to fork from, which has run the first ``opened`` of them. student: a process
    forked from it, if there is one.
    """

    def __init__(
        self,
        parents: Parents,
        limits: Limits,
        chapter: Chapter,
        plan: list[PlannedCell],
        server: Parent,
        opened: int,
        clock: Clock,
        student: StudentProcess | None = None,
    ) -> None:
        self.limits, self.chapter, self.plan, self.clock = limits, chapter, plan, clock
        self._server, self._opened = server, opened
        self._check_server = parents.check_server(chapter.name)
        self.endings: dict[int | None, Ending] = {}  # position of a cell -> Ending
        # sentences on cells of the release that were run in the student's place
        self.report: list[str] = []
        # positions of cells that ended the process: left out from then on
        self._fatal: set[int] = set()
        self._trial_seconds = 0.0  # spent on the student's own cells that define nothing for others
        self._carried: dict[str, Sequence[tuple[list[str], str]]] = {}  # check -> see Outcome
        self._student, self._position, self._deaths = student, opened, 0
        self._checks: CheckProcess | None = None

    def run_to(self, position: int) -> bool:
        """Have a process in which the student's cells before ``position`` ran. False when there is
        no getting there.
        """
        while not (self.clock.over or self._deaths > self.limits.deaths):
            if self._student is None:
                self._student = StudentProcess(self._server, self.limits, self.clock)
                self._position = self._opened
            if self._advance(self._student, position):
                return True
            self._deaths += 1
        return False

    def _advance(self, student: StudentProcess, position: int) -> bool:
        """Run the cells up to ``position``; False when one of them ended the process."""
        while self._position < position:
            place, cell = self._position, self.plan[self._position]
            self._position += 1
            if cell.is_check or not cell.text.strip():
                continue
            if place not in self._fatal and not self._run(student, place, cell):
                return False
            failed = cell.released and self.endings[place].status is not Status.PASSED
            if failed and not self._rescue(student, place, cell):
                return False
        return True

    def _run(self, student: StudentProcess, place: int, cell: PlannedCell) -> bool:
        """Run a cell as the student has it; False when it ended the process."""
        seconds = self.limits.cell_seconds
        if cell.is_trial:
            seconds = min(seconds, self.limits.trial_seconds - self._trial_seconds)
            if seconds <= 0:
                self._fatal.add(place)
                self.report.append(f"{cell.label} was left out: the time for trials was used up")
                return True
        left = self.clock.left
        self.endings[place] = student.run(cell.label, cell.text, min(seconds, left))
        spent = left - self.clock.left
        if cell.is_trial:
            self._trial_seconds += spent
            self.clock.left = left
            if spent > LONG_TRIAL:  # not once more, should the process have to start again
                self._fatal.add(place)
        return not self._gone_after(student, place)

    def _rescue(self, student: StudentProcess, place: int, cell: PlannedCell) -> bool:
        """Run the release's own text, after an edited cell that did not come to its end."""
        begins = repr(first_line(cell.released)[:60])
        sentence = (
            f"the edited cell that begins with {begins} in the release failed; the release's own"
            " text was run after it"
        )
        if sentence not in self.report:
            self.report.append(sentence)
        seconds = min(self.limits.cell_seconds, self.clock.left)
        self.endings[place] = student.run(cell.label, cell.released, seconds)
        return not self._gone_after(student, place)

    def _gone_after(self, student: StudentProcess, place: int) -> bool:
        """Whether the cell that ran last ended the process."""
        if not self.endings[place].fatal:
            return False
        self._fatal.add(place)
        self._end_checks()
        self._student = None
        return True

    def verdict_on(
        self, exercise: Exercise, check: Cell, earlier: Sequence[str] = (), endless: bool = False
    ) -> Verdict:
        """The Verdict on a check.

        earlier: ids of failed exercises that the answer leans on. The check is then run with the
        reference in place of them, and counts if it passes so, and only then: what it expects may
        come from their code. What is said in that run is not shown. endless: one of them came to no
        end, so that run comes first: the time for a notebook does not reach for another wait in
        every exercise below.
        """
        place = next(n for n, cell in enumerate(self.plan) if cell.id == check.grade_id)
        answer = {n: cell for n, cell in enumerate(self.plan) if cell.id == exercise.id}
        text = "\n\n".join(cell.text for cell in answer.values()) if answer else None
        passed = Verdict.on(exercise, check, Status.PASSED)
        excused = replace(passed, instead_of_earlier=tuple(earlier))
        late = Verdict.on(exercise, check, Status.TIMEOUT, LATE)
        if not self.run_to(place):
            return late
        if endless and self._right_with(check, place, answer.values(), earlier):
            return excused
        if not self.run_to(place):
            return late
        outcome = self.check(CheckRequest(check.grade_id))
        endings = [self.endings[n] for n in answer if n in self.endings]
        ending = next((one for one in endings if one.status is not Status.PASSED), None)
        made = verdict(exercise, check, outcome, text, ending)
        if not earlier or made.status in (Status.UNTOUCHED, Status.MISSING):
            return made
        if not endless and self._right_with(check, place, answer.values(), earlier):
            return excused
        if made.status is Status.PASSED:  # with their own earlier answers, but not with right ones
            message = f"This passes only together with {', '.join(earlier)}, which did not pass."
            return Verdict.on(exercise, check, Status.WRONG, message)
        return made

    def settled(self, verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
        """The verdicts, by check, when all are there: a check that was passed with a slip is lost
        where no check that the slip costs is, since then the slip was not counted.
        """
        lost = {name for name, one in verdicts.items() if one.status is not Status.PASSED}
        made = dict(verdicts)
        for name in verdicts.keys() - lost:
            for costs, told in self._carried.get(name, ()):
                if costs and lost.isdisjoint(costs):
                    wrong = replace(verdicts[name], status=Status.WRONG, points=0.0)
                    made[name] = replace(wrong, message=clean(told))
                    break
        return made

    def _right_with(
        self, check: Cell, place: int, answer: Iterable[PlannedCell], earlier: Sequence[str]
    ) -> bool:
        """Whether a check passes when the student's process is given the reference for the names of
        earlier exercises.
        """
        if not self.run_to(place):
            return False
        again = tuple((cell.label, cell.text) for cell in answer)
        left = self.clock.left
        outcome = self.check(CheckRequest(check.grade_id, names_of(self.chapter, earlier), again))
        self.clock.left = left  # the stand-ins' round trips are not the answer's
        self.close()  # the process has seen the stand-ins; the next check gets a new one
        return outcome.status is Status.PASSED

    def evidence(self) -> list[str]:
        """What the student's process says was tampered with, if it is still there."""
        return self._student.evidence() if self._student else []

    def check(self, request: CheckRequest) -> Outcome:
        """Run a check against the process as it stands, which ``run_to`` has got there."""
        assert self._student, "run_to() comes first"
        most = self.limits.check_seconds * (STAND_INS if request.borrowed else 1)
        seconds = min(most, self.clock.left)
        if self._checks is None:
            self._checks = CheckProcess(self._check_server, self._student.sock)
        outcome = self._checks.run(request, seconds, self._student)
        self._carried[request.check] = outcome.carried if outcome else ()
        if outcome is None:
            late = LATE if self.clock.over else f"The check ran longer than {seconds:.0f} s."
            return self._ended(late)
        if outcome.status is Status.DIED:
            return self._ended()
        if outcome.status is Status.MEMORY or outcome.garbled:
            self._ended()
        return outcome

    def _ended(self, late: str = "") -> Outcome:
        """End the student's process; the outcome that this is for a check."""
        self._deaths += 1
        self._end_checks()
        ending = Ending(Status.DIED)
        if self._student:
            ending, self._student = self._student.end(late), None
        return Outcome(ending.status, ending.message)

    def close(self) -> None:
        """The submission is done with: its processes end, and nobody waits for that."""
        self._end_checks()
        if self._student:
            self._student.discard()
            self._student = None

    def _end_checks(self) -> None:
        if self._checks:
            self._checks.close()
            self._checks = None
