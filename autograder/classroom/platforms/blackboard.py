"""Blackboard: ``HW 2_jdoe_attempt_2026-11-02-12-30-15_ch02.ipynb``: assignment, user, date."""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform, most

NAME = re.compile(r"^.+?_(?P<user>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+))?$")


class Blackboard(Platform):
    name, title = "blackboard", "Blackboard"

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        return most(NAME.match(path.name) for path in notebooks)

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        """Blackboard gives the time of its own clock, without a zone: it orders attempts, no
        more.
        """
        match = NAME.match(entry.path.parts[0])
        if not match:
            return []
        attempt = int(match["time"].replace("-", ""))
        return [HandedIn((match["user"],), match["file"] or entry.path.name, attempt)]
