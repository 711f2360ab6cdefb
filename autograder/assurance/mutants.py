"""Mutants: an answer changed in one small place, as by a slip of the pen. A good check refuses every one that computes something else."""

import ast
import difflib
import warnings
from dataclasses import dataclass

from autograder.assurance.mutations import replacements


@dataclass(frozen=True)
class Mutant:
    """One changed answer. ``change`` says what is other, as 'old line => new line'; it is what names the mutant."""

    change: str
    text: str


def mutants(text):
    """All mutants of the text of a solution cell, in order; none is written like the original or like another one."""
    tree = ast.parse(text)
    original = ast.unparse(tree)
    seen, made = {original, _plain(text)}, []
    for changed in _variants(tree):
        plain = _plain(changed)
        if plain not in seen:
            seen.add(plain)
            made.append(Mutant(_change(original, changed), changed))
    return made


def _variants(tree):
    """Source texts of the tree with one site changed at a time; the tree is as before afterwards."""
    for parent, field, place, node, inside in list(_sites(tree, ())):
        held = getattr(parent, field)
        before = list(held) if place is not None else held
        for new in replacements(node, parent, inside):
            if place is not None:
                new = [
                    *before[:place],
                    *(new if isinstance(new, list) else [new]),
                    *before[place + 1 :],
                ]
            yield from _written(tree, parent, field, new)
        if (
            isinstance(node, ast.stmt)
            and inside
            and place + 1 < len(before)
            and not _independent(node, before[place + 1])
        ):
            yield from _written(
                tree,
                parent,
                field,
                [*before[:place], before[place + 1], node, *before[place + 2 :]],
            )
        setattr(parent, field, held)


def _independent(one, other):
    """Whether the order of two statements is all the same: definitions, or assignments of which neither uses what the other sets."""
    if isinstance(one, ast.FunctionDef) or isinstance(other, ast.FunctionDef):
        return True
    if not (isinstance(one, ast.Assign) and isinstance(other, ast.Assign)):
        return False
    (sets, uses), (others, used) = (_names(one), _names(other))
    return not (sets & (others | used) or others & uses)


def _names(statement):
    """(names that a statement sets, names that it uses); attributes with what they belong to, as 'self.norm'."""
    leaves = [
        leaf
        for leaf in ast.walk(statement)
        if isinstance(leaf, (ast.Name, ast.Attribute, ast.Subscript))
    ]
    sets = {
        ast.unparse(leaf.value if isinstance(leaf, ast.Subscript) else leaf)
        for leaf in leaves
        if isinstance(leaf.ctx, ast.Store)
    }
    return sets - {"_"}, {ast.unparse(leaf) for leaf in leaves if isinstance(leaf.ctx, ast.Load)}


def _written(tree, parent, field, new):
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


def _sites(parent, inside):
    """(parent, field, place in the list or None, node, functions and classes around it) of every node that may change."""
    for field, value in ast.iter_fields(parent):
        for place, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(node, ast.AST) or _is_words(node, parent):
                continue
            yield parent, field, place, node, inside
            around = (
                (*inside, node) if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else inside
            )
            yield from _sites(node, around)


def _is_words(node, parent):
    """Whether a node is a docstring, or the message of an error: words that nobody computes with."""
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return (
        docstring
        or isinstance(node, ast.JoinedStr)
        or isinstance(parent, ast.Raise)
        and isinstance(node, ast.Call)
    )


def _plain(text):
    """The text as it is when a computer reads it: without docstrings, in one way of writing."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [
                one
                for one in body
                if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))
            ] or [ast.Pass()]
    return ast.unparse(tree)


def _change(original, changed):
    """'old => new' of the lines that differ; '-' stands for no line."""
    old, new = (
        [line.strip() for line in text.splitlines() if line.strip()] for text in (original, changed)
    )
    if sorted(old) == sorted(new):  # lines changed places
        first = next(place for place, (one, other) in enumerate(zip(old, new)) if one != other)
        return (
            f"{old[first]}; {old[first + 1]} => {new[first]}; {new[first + 1]}"
            if old != new
            else f"{old[0]} => {new[0]}"
        )
    blocks = [
        block
        for block in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if block[0] != "equal"
    ]
    gone = [line for _, start, stop, _, _ in blocks for line in old[start:stop]]
    come = [line for _, _, _, start, stop in blocks for line in new[start:stop]]
    return f"{'; '.join(gone) or '-'} => {'; '.join(come) or '-'}"
