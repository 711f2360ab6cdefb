"""Run a chapter's own cells once, and keep for every check the names as they are where it stands.

This happens in the trusted process. Cells that only show something are skipped, and so are checks,
except where a later check uses a name that an earlier one defines.
"""

import ast
import builtins
import dataclasses
import sys
import types
from collections.abc import Collection
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager
from IPython.display import display

from autograder.course.bank import answers_path, wrong_answers
from autograder.course.carry import filled_chapter
from autograder.course.errors import SourceError
from autograder.course.model import Cell, Chapter
from autograder.course.regions import strip_markers
from autograder.grading.names import attributes, bound, loaded, needed, parsed
from autograder.sandboxed.rpc.operations import Access


@dataclasses.dataclass(frozen=True)
class Place:
    """A check cell with what is defined above it."""

    check: Cell
    code: types.CodeType  # of the cell, in a file that is named after it
    names: dict[str, Any]  # the reference's names
    exercises: tuple[str, ...]  # names that exercises above it define: the student's are used
    owner: str  # id of the exercise that it checks
    access: Access = Access()  # to objects of classes that a check defines


class Reference:
    """The reference solution of a chapter, run."""

    def __init__(self, root: Path | str, name: str) -> None:
        self.root, self.chapter = Path(root), filled_chapter(root, name)
        self.namespace = fresh_namespace()
        self.places: dict[str, Place] = {}
        self._run()

    def _run(self) -> None:
        helpers, of_checks = _helpers(self.chapter), _classes_of_checks(self.chapter)
        theirs: list[str] = []
        exercises = {exercise.id: exercise for exercise in self.chapter.exercises}
        owners = {check.grade_id: id for id, one in exercises.items() for check in one.checks}
        for cell in self.chapter.code:
            if cell.role == "check":
                self.places[cell.grade_id] = Place(
                    cell,
                    compile(cell.source, f"<{cell.grade_id}>", "exec"),
                    dict(self.namespace),
                    tuple(dict.fromkeys([*theirs, *cell.far])),
                    owners[cell.grade_id],
                    Access(of_checks, attributes_of(self.chapter, owners[cell.grade_id])),
                )
                if cell.grade_id not in helpers:
                    continue
            if cell.show_only:
                continue
            try:
                execute(cell.text, self.namespace, cell.id)
            except Exception as error:
                if "raises-exception" not in cell.tags:
                    raise SourceError(
                        f"{self.chapter.path}:{cell.line}: cell {cell.id}: the reference raised "
                        f"{type(error).__name__}: {error}"
                    ) from error
            if cell.grade_id in exercises:
                theirs += exercises[cell.grade_id].names

    def enter(self, check_id: str) -> Place:
        """Make the names at a check those of the namespace that all the chapter's functions see."""
        place = self.places[check_id]
        self.namespace.clear()
        self.namespace.update(place.names)
        return place

    def costs(self, exercise_id: str, slips: Collection[str]) -> list[str]:
        """Ids of the checks of an exercise that these slips of the bank cost."""
        if not answers_path(self.root, self.chapter.name, exercise_id).is_file():
            return []
        answers = wrong_answers(self.root, self.chapter.name, exercise_id)
        costs = {number for one in answers if one.name in slips for number in one.costs}
        checks = next(one.checks for one in self.chapter.exercises if one.id == exercise_id)
        return [check.grade_id for number, check in enumerate(checks, 1) if number in costs]


def fresh_namespace() -> dict[str, Any]:
    """An empty namespace that is also the main module, as in a notebook."""
    module = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, display=display)
    sys.modules["__main__"] = module
    return module.__dict__


def execute(text: str, namespace: dict[str, Any], label: str) -> None:
    """Run the text of a cell."""
    exec(compile(TransformerManager().transform_cell(text), f"<{label}>", "exec"), namespace)


def _helpers(chapter: Chapter) -> set[str]:
    """Check cells that define something which a later check needs and nothing else defines."""
    defined: dict[str, str] = {}
    helpers: set[str] = set()
    elsewhere = set(dir(builtins))
    for cell in chapter.code:
        tree = parsed(strip_markers(cell.source))
        if tree is None:
            continue
        if cell.role == "check":
            helpers |= {
                defined[name]
                for name in needed(strip_markers(cell.source))
                if name in defined and name not in elsewhere
            }
            defined.update(dict.fromkeys(bound(tree), cell.grade_id))
        else:
            elsewhere |= bound(tree)
    return helpers


def _classes_of_checks(chapter: Chapter) -> frozenset[str]:
    """Names of the classes that only checks define: what their objects can do is no student's to
    find out.
    """
    of_checks: set[str] = set()
    of_cells: set[str] = set()
    for cell in chapter.code:
        tree = parsed(strip_markers(cell.source))
        classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)] if tree else []
        (of_checks if cell.role == "check" else of_cells).update(node.name for node in classes)
    return frozenset(of_checks - of_cells)


def attributes_of(chapter: Chapter, exercise_id: str) -> frozenset[str]:
    """Attribute names in the reference answer to an exercise, and in the functions and classes that
    it uses.
    """
    defined: dict[str, list[ast.AST]] = {}
    waiting: list[ast.AST] = []
    for cell in chapter.code:
        tree = None if cell.role == "check" else parsed(strip_markers(cell.source))
        for node in tree.body if tree else ():
            if cell.grade_id == exercise_id:
                waiting.append(node)
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                defined.setdefault(node.name, []).append(node)
    found: set[str] = set()
    seen: set[str] = set()
    while waiting:
        reached = waiting.pop()
        found |= attributes(reached)
        for name in loaded(reached) - seen:
            seen.add(name)
            waiting += defined.get(name, ())
    return frozenset(found)
