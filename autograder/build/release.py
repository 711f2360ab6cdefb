"""Build the student notebooks and the executed solutions of all chapters from their sources, and
nothing else.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.build import execute
from autograder.build.exercise_cells import exercises_bytes, exercises_path
from autograder.build.guide import guide, guide_path
from autograder.build.known_mistakes import code_of_checks, table_path
from autograder.build.leaks import check_notebook, check_tree
from autograder.build.length import state_minutes
from autograder.build.nbgrader_run import deeper_notebook, solution_notebook, student_notebook
from autograder.build.outputs import show_outputs
from autograder.build.pairing import pair
from autograder.build.readme import with_table
from autograder.build.record import is_as_released, remember_release, what_is_read
from autograder.build.stand_in import code_of_stand_in, table_bytes
from autograder.build.wheel import wheel_bytes, wheel_path
from autograder.course.chapter import (
    chapter_paths,
    chosen_chapters,
    deeper_path,
    read_chapter,
    solution_path,
    student_path,
)
from autograder.course.errors import SolutionError
from autograder.course.files import notebook_bytes, write
from autograder.course.model import Chapter
from autograder.course.settings import Settings, as_in_the_source, load_settings


@dataclass(frozen=True)
class Built:
    """What happened to one chapter."""

    chapter: str
    executed: bool
    changed: tuple[Path, ...]  # files whose bytes are new


# is told the chapter, how many cells of its solution have run, and how many there are
Progress = Callable[[str, int, int], None]


def _quiet(chapter: str, done: int, total: int) -> None:
    """Progress that says nothing."""


def release(
    root: Path | str, names: Sequence[str] = (), force: bool = False, progress: Progress = _quiet
) -> list[Built]:
    """Build the named chapters (default: all, or none where nothing changed since all were built),
    then the assistants' page and README's table. The minutes under a chapter's title are computed,
    and written into its source.

    progress: told of each chapter and cell. force: execute the solutions even where
    code and carried code are unchanged. Raises SourceError, ConflictError, SolutionError or
    LeakError; a chapter whose solution fails writes nothing, and a leak in one of them none does.
    """
    settings = load_settings(root)
    root, whole = settings.root, not names
    if whole and not force and is_as_released(settings):
        return [Built(path.stem, False, ()) for path in chapter_paths(root)]
    built = []
    for chapter in chosen_chapters(root, names):
        pair(root, chapter)
    for chapter in chosen_chapters(root, names):
        if state_minutes(chapter, student_notebook(settings, chapter).cells):
            pair(root, read_chapter(chapter.path))
    read = what_is_read(settings)
    chapters = chosen_chapters(root, names)
    for chapter in chapters:  # a leak in one of them is to end this before anything is written
        student_bytes(settings, chapter)
    for chapter in chapters:
        progress(chapter.name, 0, 0)
        built.append(_build(settings, chapter, force, progress))
    for path, content in course_files(settings).items():
        if content:
            write(path, content)
    check_tree(root, root / "notebooks")
    if whole:
        remember_release(settings, read)
    return built


def course_files(settings: Settings) -> dict[Path, bytes]:
    """{path: bytes} of what is made of all chapters together: the students' package, the
    assistants' page, README with its table; b"" where there is to be no such file.
    """
    root, readme = settings.root, settings.root / "README.md"
    chapters = chosen_chapters(root)
    files = {}
    if wheel := wheel_path(root):
        tables = {table_path(root, one): table_bytes(root, one) for one in chapters}
        tables[exercises_path(root)] = exercises_bytes(chapters)
        files = {path: content for path, content in tables.items() if content}
        files[wheel] = wheel_bytes(root, files)
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    files[readme] = with_table(text, chapters, settings).encode()
    return files | {guide_path(root): guide(root, chapters)}


def student_bytes(
    settings: Settings, chapter: Chapter, solution: NotebookNode | None = None
) -> bytes:
    """The student notebook of a chapter, checked for leaks, as bytes. solution: the executed one,
    whose outputs it shows.
    """
    notebook = student_notebook(settings, chapter)
    if solution:
        show_outputs(chapter, notebook, solution)
    check_notebook(settings, chapter, notebook)
    return notebook_bytes(notebook)


def code_hash(notebook: NotebookNode) -> str:
    """What decides whether a solution must be executed again: its code cells as in the source's
    repository, tags, the package of its checks, the stand-in for a GPU where it asks for one, and
    the module that executes.
    """
    digest = hashlib.sha256(Path(execute.__file__).read_bytes() + code_of_checks(figures=True))
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    digest.update(code_of_stand_in(code))
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tags = sorted(cell.metadata.get("tags", ()))
            digest.update(json.dumps([as_in_the_source(cell.source), tags]).encode())
    return digest.hexdigest()


def _build(settings: Settings, chapter: Chapter, force: bool, progress: Progress) -> Built:
    root = settings.root
    if table := table_bytes(root, chapter):  # before the solution is executed: its checks read it
        write(table_path(root, chapter), table)
    notebooks = {solution_path(root, chapter.name): solution_notebook(settings, chapter)}
    if deeper := deeper_notebook(settings, chapter.name):
        notebooks[deeper_path(root, chapter.name)] = deeper
    executed = False
    for path, notebook in notebooks.items():
        if not keep_outputs(notebook, path, force):
            where = chapter.path.with_name(f"{path.stem}.py")
            _with_its_model(chapter)
            execute.execute(notebook, str(where), partial(progress, chapter.name))
            executed = True
    files = {path: notebook_bytes(notebook) for path, notebook in notebooks.items()}
    solution = notebooks[solution_path(root, chapter.name)]
    files[student_path(root, chapter.name)] = student_bytes(settings, chapter, solution)
    changed = tuple(path for path, content in files.items() if write(path, content))
    return Built(chapter.name, executed, changed)


def _with_its_model(chapter: Chapter) -> None:
    """SolutionError where a package that the chapter's ``model.txt`` names is not installed: cells
    would show stored runs, and these would be kept in place of what they measure.
    """
    wanted = chapter.path.with_name("model.txt")
    lines = wanted.read_text(encoding="utf-8").splitlines() if wanted.exists() else []
    names = [line.split("==")[0].strip() for line in lines if not line.startswith("#")]
    if absent := [name for name in names if name and not find_spec(name.replace("-", "_"))]:
        raise SolutionError(
            f"{chapter.name}: measures a model that is not here ({', '.join(absent)}): make model"
        )


def keep_outputs(notebook: NotebookNode, path: Path, force: bool = False) -> bool:
    """Note in a solved notebook what its code is, and give it the outputs of the one at ``path`` if
    that has the same code, letter for letter; whether that was done. force: do not.
    """
    key = code_hash(notebook)
    notebook.metadata["attention"] = nbformat.from_dict({"code_sha256": key})
    if force or not path.exists():
        return False
    old = nbformat.v4.reads(path.read_text(encoding="utf-8"))
    if old.metadata.get("attention", {}).get("code_sha256") != key:
        return False
    done = iter([cell for cell in old.cells if cell.cell_type == "code"])
    for cell in notebook.cells:
        if cell.cell_type == "code":
            source = next(done)
            cell.outputs, cell.execution_count = source.outputs, source.execution_count
    return True
