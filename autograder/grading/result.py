"""What grading a submission yields: plain, immutable data that travels as JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Self

from autograder.course.model import Chapter


class Status(StrEnum):
    """How one check ended."""

    PASSED = "passed"
    WRONG = "wrong"  # ran, gave a wrong answer
    ERROR = "error"  # the student's code raised
    UNTOUCHED = "not attempted"
    MISSING = "missing"  # the cell was deleted or could not be found
    TIMEOUT = "time-out"
    MEMORY = "out of memory"
    DIED = "process died"  # the student's process ended by itself


@dataclass(frozen=True)
class Submission:
    """One file handed in: bytes, nothing parsed yet."""

    student: str
    chapter: str  # "ch02_single_head"
    notebook: bytes
    name: str = ""  # file name as it came


@dataclass(frozen=True)
class Verdict:
    """The verdict on one check cell."""

    check: str  # grade_id of the check cell
    exercise: str  # grade_id of the solution cell
    status: Status
    points: float  # earned
    max_points: float
    message: str = ""  # for the student: the mistake in words
    failed_property: str = ""  # the "# Property:" sentence of the hidden block that failed
    hidden: bool = False  # True: the visible check passed, a hidden test decided
    instead_of_earlier: tuple[
        str, ...
    ] = ()  # earlier exercises replaced by the reference to earn this one


@dataclass(frozen=True)
class Result:
    """All verdicts on one submission."""

    student: str
    chapter: str
    verdicts: tuple[Verdict, ...]
    problem: str = ""  # why the whole file could not be graded, in one line
    flags: tuple[str, ...] = ()  # evidence of tampering, for a person to judge; costs nothing
    repairs: tuple[str, ...] = ()  # what was put right before grading
    seconds: float = 0.0
    answers: dict[str, str] = field(
        default_factory=dict, compare=False, repr=False
    )  # not in to_dict

    @property
    def points(self) -> float:
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def max_points(self) -> float:
        return sum(verdict.max_points for verdict in self.verdicts)

    def points_of(self, exercise_id: str) -> float:
        """Points for one exercise."""
        return sum(v.points for v in self.verdicts if v.exercise == exercise_id)

    def points_by_exercise(self, chapter: Chapter) -> dict[str, float]:
        """{exercise: points} for every exercise of the chapter, in order."""
        return {exercise.id: self.points_of(exercise.id) for exercise in chapter.exercises}

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, without answers: those are for the comparison of answers alone."""
        data = asdict(self)
        del data["answers"]
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What ``to_dict`` gave. Raises KeyError, TypeError or ValueError for anything else."""
        verdicts = tuple(
            Verdict(
                **{
                    **v,
                    "status": Status(v["status"]),
                    "instead_of_earlier": tuple(v["instead_of_earlier"]),
                }
            )
            for v in data["verdicts"]
        )
        flags, repairs = tuple(data["flags"]), tuple(data["repairs"])
        return cls(**{**data, "verdicts": verdicts, "flags": flags, "repairs": repairs})
