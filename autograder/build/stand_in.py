"""The stand-in for a GPU, attention_built/chip: what is made of a chapter that asks for it is made
anew where it has changed. Nothing else depends on it.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from attention_built.checks import TABLES
from autograder.build import known_mistakes
from autograder.build.known_mistakes import _key, _points, _written, has_cases, table_path
from autograder.course.model import Chapter

CALL = "ab.gpu("  # how a chapter's code asks for it


def code_of_stand_in(texts: Iterable[str]) -> bytes:
    """The modules of the stand-in, where one of the texts of code asks for it."""
    if not any(CALL in text for text in texts):
        return b""
    modules = sorted(TABLES.with_name("chip").glob("*.py"))
    return b"".join(path.read_bytes() for path in modules)


def table_bytes(root: Path, chapter: Chapter) -> bytes:
    """The table of a chapter, as in known_mistakes; the key of one that asks for the stand-in is
    that of its code, too.
    """
    code = code_of_stand_in(cell.source for cell in chapter.code)
    if not code or not any(has_cases(exercise) for exercise in chapter.exercises):
        return known_mistakes.table_bytes(root, chapter)
    path = table_path(root, chapter)
    key = hashlib.sha256(_key(root, chapter).encode() + code).hexdigest()[:32]
    if path.is_file() and json.loads(path.read_text(encoding="utf-8"))["key"] == key:
        return path.read_bytes()
    return _written({"key": key, **_points(root, chapter)})
