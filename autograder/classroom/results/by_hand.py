"""What the gradebook holds of a submission: marks and comments that a person gave, too."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from autograder.grading.result import Result


@dataclass(frozen=True)
class ByHand:
    """What a person gave a submission in formgrader."""

    points: dict[str, float] = field(default_factory=dict)  # {check: points, extra credit counted}
    comments: dict[str, str] = field(default_factory=dict)  # {solution or check: words}


@dataclass(frozen=True)
class Overruled:
    """A mark given by hand whose automatic mark has changed since."""

    student: str
    check: str
    by_hand: float
    before: float
    after: float


@dataclass(frozen=True)
class Recorded:
    """One submission as the gradebook knows it."""

    student: str
    received: datetime | None
    due: datetime | None
    max_score: float
    parts: tuple[tuple[str, float, float], ...]  # (check, points with manual marks, of)
    comments: tuple[tuple[str, str], ...] = ()  # (solution or check, a person's words)


def marked_by_hand(result: Result, by_hand: ByHand) -> Result:
    """The Result with the points that a person gave instead of the automatic ones."""
    verdicts = tuple(
        replace(verdict, points=by_hand.points.get(verdict.check, verdict.points))
        for verdict in result.verdicts
    )
    return replace(result, verdicts=verdicts)
