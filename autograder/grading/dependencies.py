"""A mistake costs its own exercise only: which earlier, failed exercises an answer leans on.

Where there are some, the check is run once more with the reference in their place. The student's
process gets stand-ins that call back into the trusted one; no line of a solution goes there.
"""

import ast
from collections.abc import Collection
from typing import TYPE_CHECKING

from autograder.course.model import Chapter
from autograder.grading.names import loaded, parsed

if TYPE_CHECKING:
    from autograder.grading.plan import PlannedCell


def earlier_exercises(chapter: Chapter, plan: "list[PlannedCell]") -> dict[str, list[str]]:
    """exercise -> ids of the earlier exercises whose names its answer or its checks use, directly
    or through what they call.
    """
    uses = _uses(plan)
    return {exercise.id: _reached(chapter, plan, exercise, uses) for exercise in chapter.exercises}


def _reached(chapter, plan, exercise, uses):
    answer = next((cell.text for cell in plan if cell.id == exercise.id), "")
    reached = set()
    waiting = [
        name
        for text in (answer, *(check.source for check in exercise.checks))
        for node in _body(text)
        for name in loaded(node)
    ]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += uses.get(name, ())
    earlier = chapter.exercises[: chapter.exercises.index(exercise)]
    return [other.id for other in earlier if reached & set(other.names)]


def names_of(chapter: Chapter, ids: Collection[str]) -> list[str]:
    """Names that these exercises define."""
    return [name for exercise in chapter.exercises if exercise.id in ids for name in exercise.names]


def _uses(plan):
    """name -> names that the code which defines it loads, over all top-level definitions of the
    notebook.
    """
    uses = {}
    for cell in plan:
        for node in [] if cell.is_check else _body(cell.text):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                uses.setdefault(node.name, set()).update(loaded(node))
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    for leaf in ast.walk(target):
                        if isinstance(leaf, ast.Name):
                            uses.setdefault(leaf.id, set()).update(loaded(node))
    return uses


def _body(text):
    tree = parsed(text)
    return tree.body if tree else []
