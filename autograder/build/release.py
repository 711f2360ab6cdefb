"""Build the student notebooks and the executed solutions of all chapters from their sources, and
nothing else.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import nbformat
from nbformat import NotebookNode

from autograder.build import execute
from autograder.build.known_mistakes import table_bytes, table_path
from autograder.build.leaks import check_notebook, check_tree
from autograder.build.nbgrader_run import solution_notebook, student_notebook
from autograder.build.pairing import pair
from autograder.build.readme import with_table
from autograder.build.wheel import wheel_bytes, wheel_path
from autograder.course.chapter import chosen_chapters, find_chapter
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import load_settings


@dataclass(frozen=True)
class Built:
    """What happened to one chapter."""

    chapter: str
    executed: bool
    changed: tuple[Path, ...]  # files whose bytes are new


class Progress(Protocol):
    """Is told of each chapter and cell; the command line hands in one that shows them."""

    def chapter(self, name: str) -> None:
        """A chapter is begun."""

    def cell(self, done: int, total: int) -> None:
        """A cell of its solution has run."""


class Quiet:
    """Progress that says nothing."""

    def chapter(self, name: str) -> None:
        pass

    def cell(self, done: int, total: int) -> None:
        pass


QUIET = Quiet()


def release(
    root: Path | str, names: Sequence[str] = (), force: bool = False, progress: Progress = QUIET
) -> list[Built]:
    """Build the named chapters (default: all).

    progress: told of each chapter and cell. force: execute the solutions even where
    code and carried code are unchanged. Raises SourceError, SolutionError or LeakError; a
    chapter that fails writes nothing.
    """
    root = Path(root)
    built = []
    for chapter in chosen_chapters(root, names):
        progress.chapter(chapter.name)
        pair(root, chapter)
        built.append(_build(root, find_chapter(root, chapter.name), force, progress))
    for path, content in package_files(root).items():
        write(path, content)
    check_tree(root, root / "notebooks")
    readme = root / "README.md"
    if readme.exists():
        write(readme, readme_text(root).encode())
    return built


def package_files(root: Path) -> dict[Path, bytes]:
    """The tables of the students' package, and its wheel, as bytes; empty where there is none."""
    wheel = wheel_path(root)
    made = {table_path(root, one): table_bytes(root, one) for one in chosen_chapters(root)}
    tables = {path: content for path, content in made.items() if content}
    named = {path.name: content for path, content in tables.items()}
    return tables | {wheel: wheel_bytes(root, named)} if wheel else {}


def readme_text(root: Path, repository: str = "") -> str:
    """README.md with its table of chapters made anew."""
    settings = load_settings(root)
    settings = replace(settings, repository=repository or settings.repository)
    text = (root / "README.md").read_text(encoding="utf-8")
    return with_table(text, chosen_chapters(root), settings)


def student_bytes(root: Path, chapter: Chapter, repository: str = "") -> bytes:
    """The student notebook of a chapter, checked for leaks, as bytes."""
    notebook = student_notebook(root, chapter, repository)
    check_notebook(root, chapter, notebook)
    return to_bytes(notebook)


def solution_bytes(
    root: Path,
    chapter: Chapter,
    force: bool = False,
    progress: Progress = QUIET,
    repository: str = "",
) -> tuple[bytes, bool]:
    """The executed solution as bytes, and whether it had to be executed.

    Outputs of the committed solution are used again when its code cells are the same, letter for
    letter.
    """
    notebook = solution_notebook(root, chapter, repository)
    key = code_hash(notebook)
    old = solution_path(root, chapter.name)
    reused = not force and _reuse_outputs(notebook, old, key)
    if not reused:
        execute.execute(notebook, str(chapter.path), progress.cell)
    notebook.metadata["attention"] = {"code_sha256": key}
    return to_bytes(notebook), not reused


def code_hash(notebook: NotebookNode) -> str:
    """What decides whether a solution must be executed again: its code cells, tags, and the module
    that executes.
    """
    digest = hashlib.sha256(Path(execute.__file__).read_bytes())
    for cell in notebook.cells:
        if cell.cell_type == "code":
            digest.update(json.dumps([cell.source, sorted(cell.metadata.get("tags", ()))]).encode())
    return digest.hexdigest()


def student_path(root: Path | str, name: str) -> Path:
    return Path(root, "notebooks", name, f"{name}.ipynb")


def solution_path(root: Path | str, name: str) -> Path:
    return Path(root, "solutions", name, f"{name}.ipynb")


def to_bytes(notebook: NotebookNode) -> bytes:
    """A notebook as bytes: sorted keys, one-space indent, no execution counts beyond their order, a
    final newline.
    """
    nbformat.validate(notebook)
    return (
        json.dumps(_split(notebook), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    ).encode()


def _build(root, chapter, force, progress):
    if table := table_bytes(root, chapter):  # before the solution is executed: its checks read it
        write(table_path(root, chapter), table)
    student = student_bytes(root, chapter)
    solution, executed = solution_bytes(root, chapter, force, progress)
    files = {student_path(root, chapter.name): student, solution_path(root, chapter.name): solution}
    return Built(
        chapter.name,
        executed,
        tuple(path for path, content in files.items() if write(path, content)),
    )


def _reuse_outputs(notebook, path, key):
    """Copy the outputs of the solution at ``path`` into ``notebook`` if its key is the same; say
    whether that was done.
    """
    if not path.exists():
        return False
    old = nbformat.read(path, as_version=4)
    if old.metadata.get("attention", {}).get("code_sha256") != key:
        return False
    done = iter([cell for cell in old.cells if cell.cell_type == "code"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            source = next(done)
            cell.outputs, cell.execution_count = source.outputs, source.execution_count
    return True


def _split(notebook):
    return nbformat.v4.rwbase.split_lines(
        nbformat.v4.rwbase.strip_transient(nbformat.from_dict(json.loads(json.dumps(notebook))))
    )
