"""Put a notebook beside each chapter's script, paired by jupytext, so that nbgrader's own commands
and JupyterLab find it.

The notebook is git-ignored. Either of the two may be edited; where both were, in different ways,
nothing is overwritten.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import filelock
import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.course.chapter import notebook_of, read_chapter
from autograder.course.errors import ConflictError
from autograder.course.model import KERNELSPEC, Chapter

PAIRING = {"formats": "ipynb,py:percent"}
ASKED = ("tags", "nbgrader", "carry", "far", "checks")  # metadata of the source, in its order
VERSIONS = re.compile(r"^#\s+(?:format|jupytext)_version: .*\n", re.MULTILINE)


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """No other process pairs this course's chapters inside: what one has read, another must not
    write meanwhile.
    """
    lock = Path(root, ".autograder", "staged", "lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(lock):
        yield


def pair(root: Path, chapter: Chapter) -> str:
    """Bring ``source/chNN/chNN.ipynb`` and ``.py`` of a chapter to the same state.

    Raises ConflictError when both were edited since they last agreed. Returns "kept", "notebook
    written" or "script written".
    """
    with alone(root):
        return _pair(root, chapter)


def _pair(root: Path, chapter: Chapter) -> str:
    script, paired = chapter.path, chapter.path.with_suffix(".ipynb")
    state = Path(root, ".autograder", "staged", f"{chapter.name}.json")
    made = _notebook(chapter)
    if not paired.exists():
        return _write_notebook(made, paired, state)
    found = nbformat.read(paired, as_version=4)
    if content(found) == content(made):
        _remember(state, made)
        return "kept"
    agreed = json.loads(state.read_text(encoding="utf-8"))["content"] if state.exists() else None
    if agreed == _digest(found):
        return _write_notebook(made, paired, state)
    if agreed == _digest(made):
        script.write_text(script_of(found), encoding="utf-8")
        _write_notebook(_notebook(read_chapter(script)), paired, state)
        return "script written"
    raise ConflictError(
        f"{script} and {paired.name} were both edited since the last build, in different ways. "
        f"Compare them (jupytext --diff {script} --to ipynb), keep one (delete the notebook to "
        "keep the script), and build again."
    )


def content(notebook: NotebookNode) -> list[tuple[str, str, str]]:
    """What counts when two notebooks are compared: type, text and metadata of each cell."""
    asked = [{k: v for k, v in cell.metadata.items() if k in ASKED} for cell in notebook.cells]
    return [
        (cell.cell_type, cell.source, json.dumps(metadata, sort_keys=True))
        for cell, metadata in zip(notebook.cells, asked, strict=True)
    ]


def script_of(notebook: NotebookNode) -> str:
    """The text of a chapter's script, as people write it, from the notebook beside it."""
    return VERSIONS.sub("", jupytext.writes(_without_ids(notebook), fmt="py:percent"))


def _notebook(chapter: Chapter) -> NotebookNode:
    made = notebook_of(chapter)
    made.metadata["jupytext"] = PAIRING
    return made


def _write_notebook(made: NotebookNode, paired: Path, state: Path) -> str:
    nbformat.write(made, paired)
    _remember(state, made)
    return "notebook written"


def _remember(state: Path, notebook: NotebookNode) -> None:
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text(json.dumps({"content": _digest(notebook)}), encoding="utf-8")


def _digest(notebook: NotebookNode) -> str:
    return hashlib.sha256(json.dumps(content(notebook)).encode()).hexdigest()


def _without_ids(notebook: NotebookNode) -> NotebookNode:
    plain = nbformat.from_dict(json.loads(json.dumps(notebook)))
    percent = {"text_representation": {"extension": ".py", "format_name": "percent"}}
    plain.metadata = nbformat.from_dict({"jupytext": percent, "kernelspec": KERNELSPEC})
    for cell in plain.cells:
        kept = {key: cell.metadata[key] for key in ASKED if key in cell.metadata}
        cell.metadata = nbformat.from_dict({**kept, "lines_to_next_cell": 1})
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return plain
