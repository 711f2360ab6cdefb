"""For students: would this file be accepted, which exercises are attempted, and which of the
visible checks pass?

Runs the student's own code with the student's own rights, as a notebook does; hidden tests are
not run.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode

from autograder.course.carry import filled_chapter
from autograder.course.chapter import chosen_chapters
from autograder.course.environment import PACKAGES, absent_packages
from autograder.course.errors import SubmissionError, first_line
from autograder.course.kernel import kernel
from autograder.course.model import Chapter, Exercise
from autograder.grading.intake import LooseCell, read_notebook
from autograder.grading.names import given, imported
from autograder.grading.plan import planned
from autograder.grading.repair import Repaired, repair

CELL_SECONDS = 120


def report(root: Path, path: Path | str) -> tuple[bool, list[str]]:
    """(accepted, lines to print) for the notebook at ``path``.

    accepted: the file can be read and holds the answer to every exercise, attempted or not.
    """
    path, put_right = Path(path), list[str]()
    try:
        loose, _ = read_notebook(path.read_bytes(), put_right)
        chapter = filled_chapter(root, _chapter(root, loose, path).name)
    except OSError as error:
        return False, [f"not accepted: {path} cannot be read: {error.strerror}."]
    except SubmissionError as error:
        return False, [f"not accepted: {error}."]
    mended = repair(chapter, loose)
    outcomes = _run(chapter, mended)
    lines = [f"{chapter.title}  ({path.name})"]
    for exercise in chapter.exercises:
        lines.append(f"{exercise.title:60} {_state(exercise, mended, outcomes)}")
    lines += [f"repaired: {line}" for line in [*put_right, *mended.report]]
    if absent := absent_packages(name for cell in mended.cells for name in imported(cell.text)):
        lines += [f"the grader has {', '.join(PACKAGES)}"]
        lines += [f"it does not have {', '.join(absent)}: what needs that fails there."]
    lines.append(
        f"not accepted: the cells of {', '.join(mended.missing)} are gone; copy them back from a "
        "fresh notebook."
        if mended.missing
        else "The file would be accepted. Hidden tests decide the mark."
    )
    return not mended.missing, lines


def _chapter(root: Path, loose: Sequence[LooseCell], path: Path) -> Chapter:
    """The chapter whose exercises the notebook holds most of."""
    held = {cell.grade_id for cell in loose} | {cell.id for cell in loose}
    text = "\n".join(cell.text for cell in loose)
    chapters = chosen_chapters(root)

    def known(chapter: Chapter) -> int:
        return sum(
            (e.id in held) + any(f" {name}(" in text for name in e.names) for e in chapter.exercises
        )

    best = max(chapters, key=known, default=None)
    named = [chapter for chapter in chapters if chapter.name in path.name]
    if best is None or not known(best) and not named:
        raise SubmissionError(
            f"no exercise of any chapter was found in {path.name}; is it a notebook of this course?"
        )
    return best if known(best) else named[0]


def _state(exercise: Exercise, mended: Repaired, outcomes: dict[str, str]) -> str:
    if exercise.id in mended.missing:
        return "missing"
    if not all(given(mended.answer(exercise.id)).get(name) for name in exercise.names):
        return "not begun"
    said = [outcomes.get(check.grade_id, "was not run") for check in exercise.checks]
    return "visible checks pass" if not any(said) else "; ".join(dict.fromkeys(filter(None, said)))


def _run(chapter: Chapter, mended: Repaired) -> dict[str, str]:
    """{check: "" or the mistake in one line} after running the answers and the release's visible
    checks in a kernel.
    """
    notebook = nbformat.v4.new_notebook()
    for cell in planned(chapter, mended.cells):
        text = chapter.by_grade_id[cell.id].visible if cell.is_check else cell.text
        check = cell.id if cell.is_check else ""
        notebook.cells.append(nbformat.v4.new_code_cell(text, metadata={"check": check}))
    with tempfile.TemporaryDirectory() as folder:
        try:
            with kernel(
                notebook,
                timeout=CELL_SECONDS,
                allow_errors=True,
                interrupt_on_timeout=True,
                resources={"metadata": {"path": folder}},
            ) as client:
                for index, cell in enumerate(notebook.cells):
                    client.execute_cell(cell, index)
        except DeadKernelError:
            ended = "Python ended while this notebook ran"
            return {check.grade_id: ended for check in chapter.checks}
    return {name: _mistake(cell) for cell in notebook.cells if (name := cell.metadata["check"])}


def _mistake(cell: NotebookNode) -> str:
    error = next((output for output in cell.outputs if output.output_type == "error"), None)
    if error is None:
        return ""
    first = first_line(error.evalue)
    judged = error.ename in ("AssertionError", "Refused")
    return first if judged and first else f"{error.ename}: {first}"
