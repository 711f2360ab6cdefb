"""Put a notebook beside each chapter's script, paired by jupytext, so that nbgrader's own commands
and JupyterLab find it.

The notebook is git-ignored. Either of the two may be edited; where both were, in different ways,
nothing is overwritten.
"""

import hashlib
import json
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from autograder.course.chapter import notebook_of, read_chapter
from autograder.course.errors import ConflictError
from autograder.course.model import KERNELSPEC, Chapter

PAIRING = {"formats": "ipynb,py:percent"}


def pair(root: Path, chapter: Chapter) -> str:
    """Bring ``source/chNN/chNN.ipynb`` and ``.py`` of a chapter to the same state.

    Raises ConflictError when both were edited since they last agreed. Returns "kept", "notebook
    written" or "script written".
    """
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
    if _digest(found) == agreed:
        return _write_notebook(made, paired, state)
    if _digest(made) == agreed:
        text = jupytext.writes(_without_ids(found), fmt="py:percent")
        script.write_text(text, encoding="utf-8")
        _write_notebook(_notebook(read_chapter(script)), paired, state)
        return "script written"
    raise ConflictError(
        f"{script} and {paired.name} were both edited since the last build, in different ways. "
        "Compare them "
        f"(jupytext --diff {script} --to ipynb), keep one (delete the notebook to keep the "
        "script), and build again."
    )


def content(notebook: NotebookNode) -> list:
    """What counts when two notebooks are compared: type, text and metadata of each cell."""
    return [
        (
            cell.cell_type,
            cell.source,
            json.dumps(
                {
                    k: v
                    for k, v in cell.metadata.items()
                    if k in ("tags", "nbgrader", "carry", "far")
                },
                sort_keys=True,
            ),
        )
        for cell in notebook.cells
    ]


def _notebook(chapter):
    made = notebook_of(chapter)
    made.metadata["jupytext"] = PAIRING
    return made


def _write_notebook(made, paired, state):
    nbformat.write(made, paired)
    _remember(state, made)
    return "notebook written"


def _remember(state, notebook):
    state.parent.mkdir(parents=True, exist_ok=True)
    state.write_text(json.dumps({"content": _digest(notebook)}), encoding="utf-8")


def _digest(notebook):
    return hashlib.sha256(json.dumps(content(notebook)).encode()).hexdigest()


def _without_ids(notebook):
    plain = nbformat.from_dict(json.loads(json.dumps(notebook)))
    plain.metadata = nbformat.from_dict(
        {
            "jupytext": {"text_representation": {"extension": ".py", "format_name": "percent"}},
            "kernelspec": KERNELSPEC,
        }
    )
    for cell in plain.cells:
        cell.metadata = nbformat.from_dict(
            {k: v for k, v in cell.metadata.items() if k in ("tags", "nbgrader", "carry", "far")}
        )
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return plain
