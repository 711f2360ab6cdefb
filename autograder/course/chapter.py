"""Find and read chapters: a chapter is a jupytext percent script,
``source/chNN_name/chNN_name.py``. Nothing here executes it.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.course.errors import SourceError
from autograder.course.model import KERNELSPEC, LANGUAGE, Chapter
from autograder.course.rules import pair_exercises, read_cells

DEEPER = "deeper"  # the optional notebook beside a chapter


def chapter_paths(root: Path | str) -> list[Path]:
    """The sources of all chapters below ``root/source``, in order."""
    return sorted(
        path for path in Path(root, "source").glob("ch*/ch*.py") if path.stem == path.parent.name
    )


def find_chapter(root: Path | str, name: str) -> Chapter:
    """Read the chapter that ``name`` means: "ch02", "2" or "ch02_single_head".

    Raises SourceError when no chapter or several fit.

    >>> find_chapter(".", "2").name
    'ch02_single_head'
    """
    number = f"ch{int(name):02d}_" if name.isdigit() else name
    paths = chapter_paths(root)
    fits = [path for path in paths if path.stem == name] or [
        path for path in paths if path.stem.startswith(number)
    ]
    if len(fits) != 1:
        known = ", ".join(path.stem for path in paths) or "none"
        raise SourceError(
            f"chapter {name!r}: expected one of the chapters in {Path(root, 'source')} ({known}), "
            f"{len(fits)} fit. Name one of them, as in 'ch02'."
        )
    return read_chapter(fits[0])


def chosen_chapters(root: Path | str, names: Sequence[str] = ()) -> list[Chapter]:
    """The chapters that ``names`` mean, read; all of them where none is named."""
    return [find_chapter(root, name) for name in names] or [
        read_chapter(path) for path in chapter_paths(root)
    ]


def read_chapter(path: Path | str) -> Chapter:
    """Read and check one chapter source. Raises SourceError with file, line and cell for the first
    rule broken.

    The same text at the same path gives the same object: a process parses it once.

    >>> [exercise.id for exercise in read_chapter(chapter_paths(".")[0]).exercises][0]
    'ch01_attention_scores'
    """
    return _parsed(Path(path), Path(path).read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def _parsed(path: Path, text: str) -> Chapter:
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except Exception as error:
        raise SourceError(f"{path}: not a jupytext percent script: {error}") from error
    cells = tuple(read_cells(path, notebook, text))
    if not cells or cells[0].kind != "markdown" or not cells[0].source.startswith("# "):
        raise SourceError(
            f"{path}:1: the first cell must be Markdown and start with the chapter's '# ' heading."
        )
    return Chapter(path.stem, path, cells, tuple(pair_exercises(path, cells)))


def notebook_of(chapter: Chapter) -> NotebookNode:
    """The chapter as an nbformat notebook with stable cell ids: what nbgrader's steps start
    from.
    """
    about = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE}
    notebook = nbformat.v4.new_notebook(metadata=about)
    for cell in chapter.cells:
        metadata = nbformat.from_dict(cell.metadata)
        made = NotebookNode(id=cell.id, cell_type=cell.kind, metadata=metadata, source=cell.source)
        if cell.kind == "code":
            made.update(execution_count=None, outputs=[])
        notebook.cells.append(made)
    return notebook


def read_deeper(root: Path | str, name: str) -> Chapter | None:
    """The source of the optional notebook beside a chapter; None where it has none. Raises
    SourceError as ``read_chapter`` does, and for an exercise in it.
    """
    path = Path(root, "source", name, f"{DEEPER}.py")
    deeper = read_chapter(path) if path.is_file() else None
    if deeper and deeper.exercises:
        raise SourceError(f"{path}: {deeper.exercises[0].title} belongs into the chapter.")
    return deeper


def deeper_path(root: Path | str, name: str) -> Path:
    """Where the optional notebook beside a chapter lies, executed."""
    return Path(root, "notebooks", name, f"{DEEPER}.ipynb")


def student_path(root: Path | str, name: str) -> Path:
    """Where the notebook of a chapter lies that students get."""
    return Path(root, "notebooks", name, f"{name}.ipynb")


def solution_path(root: Path | str, name: str) -> Path:
    """Where the executed solution of a chapter lies."""
    return Path(root, "solutions", name, f"{name}.ipynb")
