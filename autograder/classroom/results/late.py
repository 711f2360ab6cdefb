"""What lateness costs: nothing, everything, or a share per day begun after a time of grace."""

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from autograder.course.errors import AutograderError

DAY = 24 * 3600
LONGEST = 3660 * DAY
UNITS = {"s": 1, "m": 60, "h": 3600, "d": DAY}


@dataclass(frozen=True)
class LatePolicy:
    """kind: "none", "zero" or "per-day"; percent: of the mark, per day begun; grace: seconds that
    cost nothing.
    """

    kind: str = "none"
    percent: float = 0.0
    grace: float = 0.0

    def mark(self, points: float, seconds_late: float) -> float:
        """Points after the policy. Past the grace the whole delay counts, not only what exceeds the
        grace.
        """
        if self.kind == "none" or seconds_late <= self.grace:
            return points
        if self.kind == "zero":
            return 0.0
        return points * max(0.0, 1 - self.percent / 100 * math.ceil(seconds_late / DAY))


def parse_policy(text: str, grace: str = "0s") -> LatePolicy:
    """A LatePolicy from "none", "zero" or "10%" (per day) and a grace time such as "15m", "2h"."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)%", text)
    if match and float(match[1]) <= 100:
        return LatePolicy("per-day", float(match[1]), seconds(grace))
    if text in ("none", "zero"):
        return LatePolicy(text, grace=seconds(grace))
    raise AutograderError(
        f"late policy {text!r}: expected none, zero, or a percentage per day such as 10%."
    )


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


def parse_due(text: str, what: str = "due date") -> datetime:
    """A due date as nbgrader keeps it, in UTC without a zone. text: "2026-11-20 23:59" in UTC, or
    with a zone: "… +01:00", "… Europe/Berlin"; what: its name in an error.
    """
    date, _, zone = text.strip().rpartition(" ")
    try:
        if "/" in zone:
            made = datetime.fromisoformat(date).replace(tzinfo=ZoneInfo(zone))
        elif zone[:1] in ("+", "-"):
            made = datetime.fromisoformat(date + zone)
        else:
            made = datetime.fromisoformat(text.strip().removesuffix(" UTC"))
        made = made.astimezone(UTC).replace(tzinfo=None) if made.tzinfo else made
    except (ValueError, OverflowError, ZoneInfoNotFoundError) as error:
        raise AutograderError(
            f"{what} {text!r}: expected YYYY-MM-DD HH:MM, and a zone where it is not UTC, "
            "such as Europe/Berlin or +01:00."
        ) from error
    return made
