"""Every result as a file, written the moment it is there: what a run that was killed goes on from,
and what a later run need not do again.

``marks/<chapter>/<student>.json`` says which bytes were graded, against which checks, and what
came out. An entry counts only for the same bytes, and each of its verdicts only for the same
checks. ``marks/<chapter>/run`` is locked by the run at work; a run that did not end leaves its
number there, and the next one goes on under that number.
"""

import fcntl
import hashlib
import json
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.grading.result import Result, Status, Verdict

LONGEST_NAME = 200  # bytes of a student id that a file name holds as it is
SETTLED = (Status.PASSED, Status.UNTOUCHED, Status.MISSING)


@dataclass(frozen=True)
class JournalEntry:
    """One student's result as it is kept."""

    submission: str  # hash of what was handed in
    run: str  # the run that graded it
    exercises: dict[str, str]  # {exercise: fingerprint} it was graded against
    result: Result
    answers: dict[str, str]  # {exercise: the student's text}
    before: dict[str, float] | None = None  # {exercise: points} before this run; None: not known
    reason: str = ""  # why that run graded it

    def to_json(self) -> str:
        said = {**vars(self), "result": self.result.to_data()}
        return json.dumps(said, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "JournalEntry":
        said = json.loads(text)
        return cls(**{**said, "result": Result.from_data(said["result"])})


class Journal:
    """The entries of one chapter. Use it as a context manager: it keeps a second run of the same
    chapter out.

    exercises: {exercise: fingerprint} as they are now.
    """

    def __init__(self, folder: Path, chapter: Chapter, exercises: dict[str, str]) -> None:
        self.folder, self.chapter, self.exercises = Path(folder), chapter, exercises
        self.run = ""

    def __enter__(self) -> "Journal":
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = open(self.folder / "run", "a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise AutograderError(
                f"{self.chapter.name} is being graded by another run at this moment. Wait for "
                "it, or stop it."
            ) from error
        self._file.seek(0)
        self.run = self._file.read().strip() or uuid.uuid4().hex
        self._note_run(self.run)
        for leftover in self.folder.glob(".writing-*"):
            leftover.unlink(missing_ok=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._note_run("")
        self._file.close()

    def _note_run(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()

    def read(self, student: str) -> JournalEntry | None:
        """The student's entry, or None where there is none that can be read."""
        try:
            return JournalEntry.from_json(self.path(student).read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def write(self, student: str, entry: JournalEntry) -> None:
        """Write the student's entry."""
        write(self.path(student), entry.to_json().encode())

    def valid(self, entry: JournalEntry | None, submission: str) -> dict[str, Verdict]:
        """{check: Verdict} of an entry that are valid for these bytes and these checks.

        A failure may have been judged with an earlier exercise in mind, so it does not outlive a
        change of that one's checks.
        """
        if entry is None or entry.submission != submission:
            return {}
        old = {verdict.check: verdict for verdict in entry.result.verdicts}
        valid, earlier_changed = {}, False
        for exercise in self.chapter.exercises:
            if entry.exercises.get(exercise.id) != self.exercises[exercise.id]:
                earlier_changed = True
                continue
            for check in exercise.checks:
                verdict = old.get(check.grade_id)
                if verdict and (not earlier_changed or _alone(verdict)):
                    valid[check.grade_id] = verdict
        return valid

    def complete(self, entry: JournalEntry | None, valid: dict[str, Verdict]) -> Result | None:
        """The entry's Result if all its verdicts are valid, else None."""
        checks = [check.grade_id for check in self.chapter.checks]
        if entry is None or not all(check in valid for check in checks):
            return None
        return replace(entry.result, verdicts=tuple(valid[check] for check in checks))

    def to_grade(self, valid: dict[str, Verdict]) -> tuple[str, ...]:
        """Ids of the exercises to grade, given what is valid. A failed one above them comes along:
        they may lean on it.
        """
        failed: list[str] = []
        wanted: list[str] = []
        for exercise in self.chapter.exercises:
            verdicts = [valid[c.grade_id] for c in exercise.checks if c.grade_id in valid]
            if len(verdicts) < len(exercise.checks):
                wanted += [*failed, exercise.id]
                failed = []
            elif any(v.status is not Status.PASSED or v.instead_of_earlier for v in verdicts):
                failed.append(exercise.id)
        return tuple(wanted)

    def path(self, student: str) -> Path:
        """Where the student's entry lies."""
        name = student.encode("utf-8", "surrogateescape")
        return self.folder / f"{hash_of(name) if len(name) > LONGEST_NAME else student}.json"


def hash_of(data: bytes) -> str:
    """The hash by which submissions are told apart."""
    return hashlib.sha256(data).hexdigest()


def _alone(verdict: Verdict) -> bool:
    return not verdict.instead_of_earlier and verdict.status in SETTLED
