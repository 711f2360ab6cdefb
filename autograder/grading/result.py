"""What grading a submission yields: plain, immutable data that travels as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from autograder.course.model import Cell, Chapter, Exercise


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
    BUSY = "not graded: machine too busy"  # kept open: the next run grades it


@dataclass(frozen=True)
class Submission:
    """One file handed in: bytes, nothing parsed yet.

    >>> Submission("ada", "ch02_single_head", b'{"nbformat": 4, "cells": []}').student
    'ada'
    """

    student: str
    chapter: str  # "ch02_single_head"
    notebook: bytes


@dataclass(frozen=True)
class Ending:
    """How a cell, or a process, ended. PASSED: it came to its end; ERROR: it raised; else (TIMEOUT,
    MEMORY, DIED) the process is gone.
    """

    status: Status
    message: str = ""
    error: str = ""  # type of the exception, when it raised

    @property
    def fatal(self) -> bool:
        """Whether the process is gone."""
        return self.status not in (Status.PASSED, Status.ERROR)


@dataclass(frozen=True)
class Outcome:
    """How a check ended, as the process that ran it says."""

    status: Status  # DIED: the student's process was gone
    message: str = ""
    failed_property: str = ""  # of the hidden block that failed
    hidden: bool = False
    undefined: bool = False  # a name that the check uses is not there
    garbled: bool = False  # what the student's process says cannot be understood any more
    # passed with slips: ids of the checks of which one must be lost, and what is said where none is
    carried: Sequence[tuple[list[str], str]] = ()

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The Outcome whose fields came as JSON."""
        return cls(**{**data, "status": Status(data["status"])})


@dataclass(frozen=True)
class Verdict:
    """The verdict on one check cell.

    >>> Verdict("ch02_scores_check", "ch02_scores", Status.WRONG, 0, 2, "not scaled").status
    <Status.WRONG: 'wrong'>
    """

    check: str  # grade_id of the check cell
    exercise: str  # grade_id of the solution cell
    status: Status
    points: float  # earned
    max_points: float
    message: str = ""  # for the student: the mistake in words
    failed_property: str = ""  # the "# Property:" sentence of the hidden block that failed
    hidden: bool = False  # True: the visible check passed, a hidden test decided
    # earlier exercises replaced by the reference to earn this one
    instead_of_earlier: tuple[str, ...] = ()

    @classmethod
    def on(cls, exercise: Exercise, check: Cell, status: Status, message: str = "") -> Self:
        """The Verdict with all points of the check if it PASSED, else none."""
        points = check.points if status is Status.PASSED else 0.0
        return cls(check.grade_id, exercise.id, status, points, check.points, message)


@dataclass(frozen=True)
class Shown:
    """What people look at in a file, and what answers are compared by; no verdict depends on it."""

    answers: dict[str, str] = field(default_factory=dict)  # {exercise: the student's text}
    words: dict[str, str] = field(default_factory=dict)  # {exercise: words of it, one a line}
    open_task: str = ""  # what was written for it
    cells: list[dict[str, Any]] = field(default_factory=list)  # of a notebook, for formgrader


@dataclass(frozen=True)
class Result:
    """All verdicts on one submission.

    >>> Result("ada", "ch02_single_head", (Verdict("c", "e", Status.PASSED, 2, 2),)).points
    2
    """

    student: str
    chapter: str
    verdicts: tuple[Verdict, ...]
    problem: str = ""  # why the whole file could not be graded, in one line
    flags: tuple[str, ...] = ()  # evidence of tampering, for a person to judge; costs nothing
    repairs: tuple[str, ...] = ()  # what was put right before grading
    seconds: float = 0.0
    shown: Shown = field(default_factory=Shown, compare=False, repr=False)

    @property
    def busy(self) -> bool:
        """Whether the machine was too busy for some of it, which is still to be graded."""
        return any(verdict.status is Status.BUSY for verdict in self.verdicts)

    @property
    def points(self) -> float:
        """Points earned."""
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def max_points(self) -> float:
        """Points that could be earned."""
        return sum(verdict.max_points for verdict in self.verdicts)

    def points_of(self, exercise_id: str) -> float:
        """Points for one exercise."""
        return sum(v.points for v in self.verdicts if v.exercise == exercise_id)

    def points_by_exercise(self, chapter: Chapter) -> dict[str, float]:
        """{exercise: points} for every exercise of the chapter, in order."""
        return {exercise.id: self.points_of(exercise.id) for exercise in chapter.exercises}

    def to_data(self) -> dict[str, Any]:
        """All but what is shown, as JSON can hold it; ``from_data`` takes it."""
        data = asdict(replace(self, shown=Shown()))
        del data["shown"]
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Self:
        """The Result that ``to_data`` gave. Raises KeyError, TypeError, ValueError."""
        verdicts = tuple(
            Verdict(
                **{
                    **verdict,
                    "status": Status(verdict["status"]),
                    "instead_of_earlier": tuple(verdict["instead_of_earlier"]),
                }
            )
            for verdict in data["verdicts"]
        )
        flags, repairs = tuple(data["flags"]), tuple(data["repairs"])
        return cls(**{**data, "verdicts": verdicts, "flags": flags, "repairs": repairs})
