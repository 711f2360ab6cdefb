"""ILIAS: ``Doe_Jane_jdoe_4711/ch02.ipynb``, in ``Team 3/`` where a team handed in
(ilExSubmission, getDirectoryNameFromUserData).
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform

NAME = re.compile(r"^(?!ch\d)(?P<last>[^_]+)_(?P<first>[^_]+)_(?P<login>.+)_(?P<number>\d+)$")


class Ilias(Platform):
    name, title = "ilias", "ILIAS"

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        """Names with underscores may mean anything: every folder must have such a name."""
        return bool(notebooks) and all(any(map(NAME.match, path.parts[:-1])) for path in notebooks)

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        for outer, part in zip(("", *entry.path.parts), entry.path.parts[:-1], strict=False):
            if who := NAME.match(part):
                keys = (who["login"], who["number"], f"{who['last']}, {who['first']}")
                return [HandedIn(keys, entry.path.name, group=outer)]
        return []
