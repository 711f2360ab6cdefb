"""Is what is committed what the source gives? Rebuilds in memory and compares bytes; executes
nothing.
"""

from pathlib import Path

import nbformat

from autograder.build.leaks import check_tree
from autograder.build.nbgrader_run import solution_notebook
from autograder.build.release import (
    code_hash,
    package_files,
    readme_text,
    solution_bytes,
    solution_path,
    student_bytes,
    student_path,
)
from autograder.course.chapter import chosen_chapters
from autograder.course.settings import linked_repository


def stale_files(root: Path) -> list[Path]:
    """Paths of built files that are missing, outdated, or left over from a chapter that is gone."""
    root = Path(root)
    chapters = chosen_chapters(root)
    stale = [path for chapter in chapters for path in _stale(root, chapter)]
    stale += [
        path.relative_to(root)
        for path, content in package_files(root).items()
        if not path.is_file() or path.read_bytes() != content
    ]
    known = {chapter.name for chapter in chapters}
    for tree in ("notebooks", "solutions"):
        stale += [
            path.relative_to(root)
            for path in sorted((root / tree).glob("*"))
            if path.is_dir() and path.name not in known
        ]
    readme = root / "README.md"
    if readme.exists() and readme.read_text(encoding="utf-8") != readme_text(
        root, _recorded_repository(readme)
    ):
        stale.append(readme.relative_to(root))
    check_tree(root, root / "notebooks")
    return stale


def _stale(root, chapter):
    student, solution = student_path(root, chapter.name), solution_path(root, chapter.name)
    repository = _recorded_repository(student)
    if not student.exists() or student.read_bytes() != student_bytes(root, chapter, repository):
        yield student.relative_to(root)
    if (
        not solution.exists()
        or _code_changed(root, chapter, solution)
        or solution.read_bytes() != solution_bytes(root, chapter, repository=repository)[0]
    ):
        yield solution.relative_to(root)


def _code_changed(root, chapter, solution):
    recorded = (
        nbformat.read(solution, as_version=4).metadata.get("attention", {}).get("code_sha256")
    )
    return recorded != code_hash(solution_notebook(root, chapter))


def _recorded_repository(path):
    """The repository that the committed links name: a fork is not stale for its remote."""
    return linked_repository(path.read_text(encoding="utf-8")) if path.exists() else ""
