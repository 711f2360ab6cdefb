"""No platform: ``jane/ch02.ipynb``, ``jane/ch02_single_head/ch02.ipynb``, ``jane.ipynb``, clones of
students' repositories, ``ch02-jane/ch02.ipynb``, the Drive folder of a Google Classroom
assignment, ``Jane Doe - ch02.ipynb``, Autolab's ``jane@uni.example_2_handin.ipynb``, Sakai's ``Doe,
Jane(jane)/…/ch02.ipynb``, or Teams' ``Jane Doe/Homework/Version 2/ch02.ipynb``.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform

CLONE = re.compile(r"^ch\d\d?(?:_[a-z_]+?)?-(?P<user>[A-Za-z0-9-]+)$")
CHAPTER_ALONE = re.compile(r"^ch[\s_-]?\d{1,2}(?:_[a-z0-9_]+)?(?:-\d+)?$", re.IGNORECASE)
COPY = re.compile(  # what Drive, Windows, macOS and Jupyter add to the name of a copy
    r"^(?:copy of|kopie von|kopie van|copie de|copia de|cópia de) +"
    r"| ?- ?(?:copy|kopie|copie|copia|cópia)\d*$| copy(?: \d+)?$| ?\(\d+\)$",
    re.IGNORECASE,
)
HANDIN = re.compile(r"^(?P<user>[^_/]+@[^/]+?)_(?P<attempt>\d+)_(?P<file>.+)$")
NAME_AND_USER = re.compile(r"^(?P<name>.+?) ?\((?P<user>[^()]+)\)$")
VERSION = re.compile(r"^Version (?P<attempt>\d+)$")
COPY_FOR = re.compile(r"^(?P<name>.+?) - .+$")


class Folder(Platform):
    name, title = "folder", "a folder"

    def recognises(self, notebooks: Sequence[PurePosixPath]) -> bool:
        """It is asked last, and is whatever nobody else knows."""
        return True

    def read(self, entry: ExportedFile) -> list[HandedIn]:
        """A file of a Drive folder that is named for the chapter alone does not say whose it is."""
        parts, stem = entry.path.parts, original(entry.path.stem)
        if len(parts) == 1:
            if names_a_chapter(stem):
                return []
            if handin := HANDIN.match(parts[0]):
                user, attempt = handin["user"], int(handin["attempt"])
                both = (user, user.partition("@")[0])
                return [HandedIn(both, handin["file"], attempt, group=user)]
            copy = COPY_FOR.match(stem)
            keys: tuple[str, ...] = (copy["name"], stem) if copy else (stem,)
            return [HandedIn(keys, entry.path.name, group=keys[0])]
        named = CLONE.match(parts[0]) or NAME_AND_USER.match(parts[0])
        keys = tuple(named.groupdict().values())[::-1] if named else parts[:1]
        versions = [int(found["attempt"]) for found in map(VERSION.match, parts) if found]
        attempt = max(versions, default=0)
        return [HandedIn(keys, entry.path.name, attempt, received=entry.committed, group=keys[0])]


def original(stem: str) -> str:
    """The name of a file, without suffix, of which a program made copies.

    >>> original("Copy of ch02 - Copy (1)")
    'ch02'
    """
    while (shorter := COPY.sub("", stem)) not in ("", stem):
        stem = shorter
    return stem


def names_a_chapter(stem: str) -> bool:
    """Whether a name says which chapter a file is of, and not whose."""
    return bool(CHAPTER_ALONE.match(original(stem)))
