"""No platform: ``jane/ch02.ipynb``, ``jane/ch02_single_head/ch02.ipynb``, ``jane.ipynb``, clones of
students' repositories, ``ch02-jane/ch02.ipynb``, or the Drive folder of a Google Classroom
assignment, ``Jane Doe - ch02.ipynb``.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform

CLONE = re.compile(r"^ch\d\d?(?:[_-][a-z_]+?)?-(?P<user>[A-Za-z0-9-]+)$")
CHAPTER_ALONE = re.compile(r"^ch[\s_-]?\d{1,2}(?:_[a-z0-9_]+)?(?: ?[-(]\d+\)?)?$", re.IGNORECASE)
COPY_FOR = re.compile(r"^(?P<name>.+?) - .+$")


class Folder(Platform):
    name, title = "folder", "a folder"

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        """It is asked last, and is whatever nobody else knows."""
        return True

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        """A file of a Drive folder that is named for the chapter alone does not say whose it is."""
        parts, stem = entry.path.parts, entry.path.stem
        if len(parts) == 1:
            if CHAPTER_ALONE.match(stem):
                return []
            copy = COPY_FOR.match(stem)
            keys = (copy["name"], stem) if copy else (stem,)
            return [HandedIn(keys, entry.path.name, group=keys[0])]
        clone = CLONE.match(parts[0])
        student = clone["user"] if clone else parts[0]
        return [HandedIn((student,), entry.path.name, received=entry.committed, group=student)]
