"""Folders around an export that belong to nobody: an export that was unpacked and zipped again, a
Drive folder, a folder for the assignment.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from autograder.classroom.collect.archive import ExportedFile
from autograder.classroom.collect.platforms import CHAPTER_ALONE, CLONE, METADATA, recognise
from autograder.classroom.collect.roster import Roster

IGNORED = re.compile(
    r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.ipynb_checkpoints/)"
)


def ignored(path: PurePosixPath) -> bool:
    """Whether a file belongs to the platform or the system."""
    return bool(IGNORED.search(str(path))) or path.name == METADATA


def unwrapped(entries: Sequence[ExportedFile], roster: Roster) -> list[ExportedFile]:
    """The entries without the folders that stand around all of them and are no student's."""
    left = list(entries)
    while (outer := _around_all(left)) and _is_wrapper(outer, _inside(left), roster):
        left = _inside(left)
    return left


def _around_all(entries):
    """The folder in which all entries lie; "" where there is none."""
    paths = [one.path for one in entries if not IGNORED.search(str(one.path))]
    first = {path.parts[0] for path in paths if path.parts}
    return first.pop() if len(first) == 1 and all(len(path.parts) > 1 for path in paths) else ""


def _inside(entries):
    """The entries without the folder in which all of them lie."""
    outer = _around_all(entries)
    return [
        replace(one, path=PurePosixPath(*one.path.parts[1:]))
        if one.path.parts[:1] == (outer,) and len(one.path.parts) > 1
        else one
        for one in entries
    ]


def _is_wrapper(outer, inner, roster):
    """Whether the folder around all is no student's, given the entries without it."""
    if recognise([ExportedFile(PurePosixPath(outer, "x"))]) != "folder" or CLONE.match(outer):
        return False
    inner = [one for one in inner if not ignored(one.path)]
    innermost = inner
    while _around_all(innermost):
        innermost = _inside(innermost)
    if recognise(inner) != "folder" or recognise(innermost) != "folder":
        return True
    notebooks = [one.path for one in inner if one.path.suffix == ".ipynb"]
    below = {path.parts[0] if len(path.parts) > 1 else path.stem for path in notebooks}
    if roster.rows:
        known = [name for name in below if roster.student((name, name.partition(" - ")[0]))]
        return not roster.student((outer,)) and bool(known)
    return len([name for name in below if not CHAPTER_ALONE.match(name)]) > 1
