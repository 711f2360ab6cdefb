"""What a student notebook shows before anything is run: the outputs of the executed solution, in
cells that need nothing of the student.
"""

import ast
from collections.abc import Iterator
from copy import copy

from nbformat import NotebookNode
from nbformat.v4 import new_output

from attention_built.notebook.names import global_names
from autograder.build.guesses import waiting_cells
from autograder.course.model import Chapter

DEFINED_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)  # their names are read late


def show_outputs(chapter: Chapter, notebook: NotebookNode, solution: NotebookNode) -> None:
    """Put the outputs of an executed solution into the chapter's student notebook, in place.

    A cell that uses exercises says which; answers, checks, and what would tell a reader's guess
    stay empty.
    """
    shown = {cell.id: cell.outputs for cell in solution.cells if cell.cell_type == "code"}
    owed = Owed({name: one.number for one in chapter.exercises for name in one.names})
    waiting = waiting_cells(notebook.cells)
    for cell in notebook.cells:
        if cell.id not in shown or "nbgrader" in cell.metadata:
            continue
        needed = owed.by_cell(cell.source)
        if "uses-exercise" in cell.metadata.get("tags", ()):
            text = f"Needs exercise {', '.join(sorted(needed))}.\n"
            cell.outputs = [new_output("stream", name="stdout", text=text)] if needed else []
        elif cell.id not in waiting:
            cell.outputs = shown[cell.id]


class Owed:
    """Which exercises the names of a notebook wait for, cell by cell from the top."""

    def __init__(self, exercises: dict[str, str]) -> None:
        self.needs = {name: {number} for name, number in exercises.items()}
        self.reads: dict[str, set[str]] = {}  # by functions and classes, when they are called

    def by_cell(self, source: str) -> set[str]:
        """The exercises without which a cell does not show all; what it binds waits for those
        without which it is not bound.
        """
        stops, needed, made = set[str](), set[str](), set[str]()
        for statement in _statements(ast.parse(source).body):
            text = ast.unparse(statement)
            found = global_names(text)
            bound, read = found.bound, found.used
            own = self._of(read)
            needed |= own
            for name in bound:
                self.reads.pop(name, None)
                self.needs[name] = set(stops)
            if isinstance(statement, DEFINED_LATER):
                self.reads[statement.name] = read
                continue
            made |= bound
            for name in bound:
                self.needs[name] |= own
            stops |= own if not text.startswith("ab.beside(") else set()
        for name in made - self.reads.keys():  # what a cell that fails had half made goes
            self.needs[name] |= stops
        return needed

    def _of(self, read: set[str]) -> set[str]:
        """What these names need, and all that they call."""
        left, seen = list(read), set[str]()
        while left:
            seen.add(name := left.pop())
            left += self.reads.get(name, set()) - seen
        return set().union(*(self.needs.get(name, ()) for name in seen))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a cell in their order: those that stand inside of another, but for
    functions and classes, come after it, which is then without them.
    """
    for statement in body:
        inner = [] if isinstance(statement, DEFINED_LATER) else _inside(statement)
        if isinstance(statement, ast.Try):
            yield from _statements(inner)
            continue
        alone = copy(statement)
        if inner:
            vars(alone).update(body=[ast.Pass()], orelse=[])
        yield alone
        yield from _statements(inner)


def _inside(statement: ast.stmt) -> list[ast.stmt]:
    """The statements that stand indented below one."""
    handlers = [one for handler in getattr(statement, "handlers", ()) for one in handler.body]
    parts = (getattr(statement, field, []) for field in ("body", "orelse", "finalbody"))
    return [*next(parts), *handlers, *(one for part in parts for one in part)]
