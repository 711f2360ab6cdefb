"""Brightspace: ``1234-567 - Jane Doe - Nov 2, 2026 1230 PM/ch02.ipynb``: id, full name, time."""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath

from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform, most

FOLDER = re.compile(
    r"^\d+-\d+ ?- ?(?P<name>.+?) ?- ?(?P<day>\w{3} \d{1,2}, \d{4}) "
    r"(?P<clock>\d{3,4}) (?P<half>[AP]M)$"
)


class Brightspace(Platform):
    name, title = "brightspace", "Brightspace"

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        return most(any(map(FOLDER.match, path.parts[:-1])) for path in notebooks)

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        for match in filter(None, map(FOLDER.match, entry.path.parts[:-1])):
            text = f"{match['day']} {match['clock']:0>4} {match['half']}"
            try:
                attempt = int(f"{datetime.strptime(text, '%b %d, %Y %I%M %p'):%Y%m%d%H%M}")
            except ValueError:
                attempt = 0
            return [HandedIn((match["name"],), entry.path.name, attempt)]
        return []
