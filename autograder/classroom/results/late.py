"""What lateness costs: nothing, everything, or a share per day begun after a time of grace."""

import math
import re
from dataclasses import dataclass

from autograder.course.errors import AutograderError

DAY = 24 * 3600
UNITS = {"s": 1, "m": 60, "h": 3600, "d": DAY}


@dataclass(frozen=True)
class LatePolicy:
    """kind: "none", "zero" or "per-day"; percent: of the mark, per day begun; grace: seconds that
    cost nothing.
    """

    kind: str = "none"
    percent: float = 0.0
    grace: float = 0.0

    def mark(self, points, seconds_late):
        """Points after the policy. Past the grace the whole delay counts, not only what exceeds the
        grace.
        """
        if self.kind == "none" or seconds_late <= self.grace:
            return points
        if self.kind == "zero":
            return 0.0
        return points * max(0.0, 1 - self.percent / 100 * math.ceil(seconds_late / DAY))


def parse_policy(text, grace="0s"):
    """A LatePolicy from "none", "zero" or "10%" (per day) and a grace time such as "15m", "2h"."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)%", text)
    if match and float(match[1]) <= 100:
        return LatePolicy("per-day", float(match[1]), seconds(grace))
    if text in ("none", "zero"):
        return LatePolicy(text, grace=seconds(grace))
    raise AutograderError(
        f"late policy {text!r}: expected none, zero, or a percentage per day such as 10%."
    )


def seconds(text):
    """Seconds in "90s", "15m", "2h" or "1d"."""
    match = re.fullmatch(r"(\d+)([smhd])", text)
    if not match:
        raise AutograderError(f"time {text!r}: expected a number and s, m, h or d, such as 15m.")
    return int(match[1]) * UNITS[match[2]]
