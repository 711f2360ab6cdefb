"""Mutants: an answer changed in one small place, as by a slip of the pen. A good check refuses
every one that computes something else.
"""

import ast
import difflib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.assurance.mutations import replacements

# parent, field, place in the list or None, node, functions and classes around it
Site = tuple[ast.AST, str, int | None, ast.AST, tuple[ast.AST, ...]]


@dataclass(frozen=True)
class Mutant:
    """One changed answer. ``change`` says what is other, as 'old line => new line'; it is what
    names the mutant.
    """

    change: str
    text: str


def mutants(text: str) -> list[Mutant]:
    """All mutants of the text of a solution cell, in order; none is written like the original or
    like another one.
    """
    tree = ast.parse(text)
    original = ast.unparse(tree)
    seen, made = {original}, []
    for changed in _variants(tree):
        if changed not in seen:
            seen.add(changed)
            made.append(Mutant(_change(original, changed), changed))
    return made


def _variants(tree: ast.Module) -> Iterator[str]:
    """Source texts of the tree with one site changed at a time; afterwards it is as before."""
    for parent, field, place, node, inside in list(_sites(tree, ())):
        held = getattr(parent, field)
        for new in replacements(node, parent, inside):
            if place is not None:
                parts = new if isinstance(new, list) else [new]
                new = [*held[:place], *parts, *held[place + 1 :]]
            yield from _written(tree, parent, field, new)
        if place is not None and isinstance(node, ast.stmt) and inside:
            for after in held[place + 1 : place + 2]:
                if not _independent(node, after):
                    new = [*held[:place], after, node, *held[place + 2 :]]
                    yield from _written(tree, parent, field, new)
        setattr(parent, field, held)


def _independent(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether the order of two statements is all the same: definitions, or assignments of which
    neither uses what the other sets.
    """
    if isinstance(one, ast.FunctionDef) or isinstance(other, ast.FunctionDef):
        return True
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return False
    (sets, uses), (others, used) = (_names(one), _names(other))
    return not (sets & (others | used)) and not (others & uses)


def _names(statement: ast.stmt) -> tuple[set[str], set[str]]:
    """(names that a statement sets, names that it uses); attributes with what they belong to, as
    'self.norm'.
    """
    kinds = (ast.Name, ast.Attribute, ast.Subscript)
    leaves = [leaf for leaf in ast.walk(statement) if isinstance(leaf, kinds)]
    stored = [leaf for leaf in leaves if isinstance(leaf.ctx, ast.Store)]
    sets = {ast.unparse(one.value if isinstance(one, ast.Subscript) else one) for one in stored}
    return sets - {"_"}, {ast.unparse(leaf) for leaf in leaves if isinstance(leaf.ctx, ast.Load)}


def _written(tree: ast.Module, parent: ast.AST, field: str, new: Any) -> Iterator[str]:
    """The source text with another value in a field, if that is Python."""
    setattr(parent, field, new)
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            compile(text, "<mutant>", "exec")
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return  # no Python any more: not an answer that anyone could hand in
    yield text


def _sites(parent: ast.AST, inside: tuple[ast.AST, ...]) -> Iterator[Site]:
    """Every node that may change."""
    for field, value in ast.iter_fields(parent):
        placed = enumerate(value) if isinstance(value, list) else [(None, value)]
        for place, node in placed:
            if not isinstance(node, ast.AST) or _is_words(node, parent):
                continue
            yield parent, field, place, node, inside
            scope = (node,) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ()
            yield from _sites(node, (*inside, *scope))


def _is_words(node: ast.AST, parent: ast.AST) -> bool:
    """Whether a node is a docstring, or the message of an error: nobody computes with it."""
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    error = isinstance(parent, ast.Raise) and isinstance(node, ast.Call)
    return docstring or error or isinstance(node, ast.JoinedStr)


def _change(original: str, changed: str) -> str:
    """'old => new' of the lines that differ; '-' stands for no line."""
    old, new = (
        [line.strip() for line in text.splitlines() if line.strip()] for text in (original, changed)
    )
    if old == new:
        return f"{old[0]} => {new[0]}"
    if sorted(old) == sorted(new):  # two lines changed places
        first = next(n for n, (one, other) in enumerate(zip(old, new, strict=True)) if one != other)
        return f"{old[first]}; {old[first + 1]} => {new[first]}; {new[first + 1]}"
    matched = difflib.SequenceMatcher(None, old, new, autojunk=False)
    blocks = [block for block in matched.get_opcodes() if block[0] != "equal"]
    gone = [line for _, start, stop, _, _ in blocks for line in old[start:stop]]
    come = [line for _, _, _, start, stop in blocks for line in new[start:stop]]
    return f"{'; '.join(gone) or '-'} => {'; '.join(come) or '-'}"
