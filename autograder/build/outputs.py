"""What a student notebook shows before anything is run: the outputs of the executed solution, in
cells that need nothing of the student.
"""

import re
from collections import defaultdict

from nbformat import NotebookNode
from nbformat.v4 import new_output

from attention_built.notebook.names import global_names
from autograder.course.model import Chapter

GUESS = re.compile(r"^guess.* = None", re.MULTILINE)  # a cell that waits for a guess


def show_outputs(chapter: Chapter, notebook: NotebookNode, solution: NotebookNode) -> None:
    """Put the outputs of an executed solution into the chapter's student notebook, in place.

    A cell that uses exercises says which; answers, checks, and cells from where a reader guesses to
    where the guess is compared stay empty.
    """
    shown = {cell.id: cell.outputs for cell in solution.cells if cell.cell_type == "code"}
    needs: dict[str, set[str]] = defaultdict(set)  # {name: exercises without which it is not there}
    for exercise in chapter.exercises:
        needs.update(dict.fromkeys(exercise.names, {exercise.number}))
    waiting = False
    for cell in notebook.cells:
        hidden = waiting or bool(GUESS.search(cell.source)) or "worst_guesses()" in cell.source
        waiting = hidden and "_guess" not in cell.source  # until check_guess or worst_guesses
        if cell.id not in shown or "nbgrader" in cell.metadata:
            continue
        names = global_names(cell.source)
        needed = set().union(*(needs[name] for name in names.used))
        needs.update(dict.fromkeys(names.bound, needed))
        if "uses-exercise" in cell.metadata.get("tags", ()):
            text = f"Needs exercise {', '.join(sorted(needed))}.\n"
            cell.outputs = [new_output("stream", name="stdout", text=text)] if needed else []
        elif not hidden:
            cell.outputs = shown[cell.id]
