"""Is what is committed what the source gives? Rebuilds in memory and compares bytes; executes
nothing.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from autograder.build.leaks import check_tree
from autograder.build.length import minutes
from autograder.build.nbgrader_run import deeper_notebook, solution_notebook
from autograder.build.release import course_files, keep_outputs, student_bytes
from autograder.course.chapter import (
    chosen_chapters,
    deeper_path,
    solution_path,
    student_path,
)
from autograder.course.files import notebook_bytes
from autograder.course.model import Chapter
from autograder.course.settings import Settings, linked_repository, load_settings


def stale_files(root: Path) -> list[Path]:
    """Paths of built files that are missing, outdated, or left over from a chapter that is gone,
    and of sources that state other minutes than are computed.

    Raises SourceError and LeakError as a release does.
    """
    settings = load_settings(root)
    root = settings.root
    chapters = chosen_chapters(root)
    stale = [path for chapter in chapters for path in _stale(settings, chapter)]
    known = {chapter.name for chapter in chapters}
    for tree in ("notebooks", "solutions"):
        folders = (path for path in sorted((root / tree).glob("*")) if path.is_dir())
        stale += [path for path in folders if path.name not in known]
    linked = _as_linked(settings, _held(root / "README.md").decode())
    stale += [path for path, content in course_files(linked).items() if content != _held(path)]
    check_tree(root, root / "notebooks")
    return [path.relative_to(root) for path in stale]


def _held(path: Path) -> bytes:
    """The bytes of a file; b"" where there is none."""
    return path.read_bytes() if path.is_file() else b""


def _stale(settings: Settings, chapter: Chapter) -> Iterator[Path]:
    student = student_path(settings.root, chapter.name)
    old = _held(student)
    settings = _as_linked(settings, old.decode())
    solution = solution_path(settings.root, chapter.name)
    notebook = solution_notebook(settings, chapter)
    kept = keep_outputs(notebook, solution)
    made = student_bytes(settings, chapter, notebook)
    if chapter.facts and int(chapter.facts["minutes"]) != minutes(json.loads(made)["cells"]):
        yield chapter.path
    if old != made:
        yield student
    if not kept or _held(solution) != notebook_bytes(notebook):
        yield solution
    path = deeper_path(settings.root, chapter.name)
    deeper = deeper_notebook(settings, chapter.name)
    kept = not deeper or keep_outputs(deeper, path)
    if not kept or _held(path) != (notebook_bytes(deeper) if deeper else b""):
        yield path


def _as_linked(settings: Settings, text: str) -> Settings:
    """Settings with the repository that a committed text links to: a fork is not stale for its
    remote.
    """
    return replace(settings, repository=linked_repository(text) or settings.repository)
