"""What a student notebook shows before anything is run: the outputs of the executed solution, in
cells that need nothing of the student.
"""

from collections import defaultdict

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.build.added import names
from autograder.build.guesses import waiting_cells
from autograder.course.model import Chapter


def show_outputs(chapter: Chapter, notebook: NotebookNode, solution: NotebookNode) -> None:
    """Put the outputs of an executed solution into the chapter's student notebook, in place.

    A cell that uses exercises says which; answers, checks, and what would tell a reader's guess
    stay empty.
    """
    shown = {cell.id: cell.outputs for cell in solution.cells if cell.cell_type == "code"}
    needs: dict[str, set[str]] = defaultdict(set)  # {name: exercises without which it is not there}
    for exercise in chapter.exercises:
        needs.update(dict.fromkeys(exercise.names, {exercise.number}))
    waiting = waiting_cells(notebook.cells)
    for cell in notebook.cells:
        if cell.id not in shown or "nbgrader" in cell.metadata:
            continue
        bound, used = names(cell.source)
        needed = set().union(*(needs[name] for name in used))
        needs.update(dict.fromkeys(bound, needed))
        if "uses-exercise" in cell.metadata.get("tags", ()):
            text = f"Needs exercise {', '.join(sorted(needed))}.\n"
            cell.outputs = [new_output("stream", name="stdout", text=text)] if needed else []
        elif cell.id not in waiting:
            cell.outputs = shown[cell.id]
