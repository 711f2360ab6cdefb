"""When work is due, how late it came, and what that costs.

All that a policy is stands in this file: a new kind is a member of LateKind, its price in
``LatePolicy.mark``, and how it is written in ``parse_policy``.
"""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.course.errors import AutograderError

HOUR = 3600
DAY = 24 * HOUR
LONGEST = 3660 * DAY
UNITS = {"s": 1, "m": 60, "h": HOUR, "d": DAY}
POLICIES = "none, zero, or a percentage per day such as 10%, per hour such as 1%/h"  # in writing
DAY_ALONE = re.compile(r"\d{4}-?\d\d-?\d\d")


class LateKind(StrEnum):
    """What late work costs."""

    NONE = "none"
    ZERO = "zero"
    PER_DAY = "per-day"
    PER_HOUR = "per-hour"


@dataclass(frozen=True)
class LatePolicy:
    """percent: of the mark, per day or hour begun; grace: seconds that cost nothing.

    Raises AutograderError for a kind that is none of LateKind.
    """

    kind: LateKind = LateKind.NONE
    percent: float = 0.0
    grace: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in list(LateKind):
            known = ", ".join(LateKind)
            raise AutograderError(f"kind of late policy: expected {known}; got {self.kind!r}.")

    def mark(self, points: float, seconds_late: float) -> float:
        """Points after the policy. Past the grace the whole delay counts, not only what exceeds the
        grace.
        """
        if self.kind == LateKind.NONE or seconds_late <= self.grace:
            return points
        if self.kind == LateKind.ZERO:
            return 0.0
        unit = HOUR if self.kind == LateKind.PER_HOUR else DAY
        return points * max(0.0, 1 - self.percent / 100 * math.ceil(seconds_late / unit))


def parse_policy(text: str, grace: str = "0s") -> LatePolicy:
    """A LatePolicy from a text as POLICIES says and a grace time such as "15m", "2h"."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)%(/h)?", text)
    if match and float(match[1]) <= 100:
        kind = LateKind.PER_HOUR if match[2] else LateKind.PER_DAY
        return LatePolicy(kind, float(match[1]), seconds(grace))
    if text in (LateKind.NONE, LateKind.ZERO):
        return LatePolicy(LateKind(text), grace=seconds(grace))
    raise AutograderError(f"late policy {text!r}: expected {POLICIES}.")


def seconds_late(received: datetime | None, due: datetime | None, called_late: bool) -> float:
    """How late work is; where no date says it, what the platform called late is a day late. In the
    zone of the due date a day is one day, also where its clocks change and it has 25 hours.
    """
    if due and received:
        late = (received - in_utc(due)).total_seconds()
        if late > 0 and due.tzinfo:
            there = received.replace(tzinfo=UTC).astimezone(due.tzinfo)
            late = max(1.0, (there.replace(tzinfo=None) - due.replace(tzinfo=None)).total_seconds())
        return max(0.0, late)
    return float(DAY) if called_late else 0.0


def in_words(late: float) -> str:
    """Seconds of lateness as a person reads it: "2.0 days", "1.5 hours", "5 minutes"; "": none."""
    if late >= HOUR:
        unit, size = ("day", DAY) if late >= DAY else ("hour", HOUR)
        return f"{late / size:.1f} {unit}{'s' if late != size else ''}"
    minutes = math.ceil(late / 60)
    return f"{minutes} minute{'s' if minutes != 1 else ''}" if minutes else ""


def seconds(text: str) -> int:
    """Seconds in "90s", "15m", "1h30m" or "1d"."""
    if not re.fullmatch(r"(\d+[smhd])+", text):
        raise AutograderError(
            f"time {text!r}: expected numbers with s, m, h or d, such as 15m or 1h30m."
        )
    found = sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", text))
    if found > LONGEST:
        raise AutograderError(f"time {text!r}: expected ten years at most.")
    return found


def in_utc(date: datetime) -> datetime:
    """A date as nbgrader keeps it: in UTC, without a zone. One without a zone is taken for UTC.

    Raises OverflowError where it is none there.
    """
    return date.astimezone(UTC).replace(tzinfo=None) if date.tzinfo else date


def parse_utc(text: str) -> datetime:
    """A date in UTC without a zone. text: in ISO's form, may name its zone, as "+01:00", "UTC".

    Raises ValueError or OverflowError.
    """
    return in_utc(datetime.fromisoformat(text.strip().removesuffix(" UTC")))


def parse_due(text: str, what: str = "due date") -> datetime:
    """A due date, in the zone that the text names as "… Europe/Berlin", else in UTC without one.
    text: "2026-11-20 23:59", in UTC or with a zone; a day alone, with a zone, ends at midnight
    there. what: its name in an error.
    """
    when, _, zone = text.strip().rpartition(" ")
    named = "/" in zone or zone == "UTC" or zone[:1] in ("+", "-")
    try:
        if DAY_ALONE.fullmatch(when if named else zone):
            when = f"{when} 23:59:59" if named else "a day that ends nowhere"
        if "/" in zone:
            due = datetime.fromisoformat(when).replace(tzinfo=ZoneInfo(zone))
            in_utc(due)
            return due
        return parse_utc(f"{when}{' ' * (zone[:1] not in ('+', '-'))}{zone}")
    except (ValueError, OverflowError, ZoneInfoNotFoundError) as error:
        raise AutograderError(
            f"{what} {text!r}: expected YYYY-MM-DD HH:MM, and a zone where it is not UTC, "
            "such as Europe/Berlin or +01:00; with a zone, the day alone is enough."
        ) from error
