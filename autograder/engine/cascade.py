"""A mistake costs its own exercise only: which earlier, failed exercises an answer leans on.

Where there are some, the check is run once more with the reference in their place. The student's process gets stand-ins that
call back into the trusted one; no line of a solution goes there.
"""

import ast

from .needs import loaded, parsed


def leans_on(chapter, steps, exercise, failed):
    """Ids of the ``failed`` earlier exercises whose names the answer to ``exercise`` uses, itself or through what it calls."""
    uses = _uses(steps)
    answer = next((step.text for step in steps if step.id == exercise.id), "")
    reached, waiting = set(), list(exercise.names) + [name for node in _body(answer) for name in loaded(node)]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += uses.get(name, ())
    return tuple(earlier.id for earlier in chapter.exercises
                 if earlier.id in failed and earlier.id != exercise.id and reached & set(earlier.names))


def names_of(chapter, ids):
    """Names that these exercises define."""
    return [name for exercise in chapter.exercises if exercise.id in ids for name in exercise.names]


def _uses(steps):
    """name -> names that the code which defines it loads, over all top-level definitions of the notebook."""
    uses = {}
    for step in steps:
        for node in [] if step.is_check else _body(step.text):
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
