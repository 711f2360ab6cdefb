"""Which names a cell takes from the cells above it."""

import ast
import functools
import re

from IPython.core.inputtransformer2 import TransformerManager

LONGEST_WITH_MAGICS, LONGEST_LINE = 100_000, 2_000
WORD = re.compile(r"[^\W\d]\w*")


def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a cell, magics included, or None."""
    try:
        return ast.parse(text)
    except (ValueError, RecursionError, MemoryError):
        return None
    except SyntaxError:
        if len(text) > LONGEST_WITH_MAGICS or max(map(len, text.split("\n"))) > LONGEST_LINE:
            return None  # IPython takes very long for very long lines
    try:
        return ast.parse(TransformerManager().transform_cell(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def bound(tree: ast.AST) -> set[str]:
    """Names that a piece of code binds anywhere."""
    names = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    names |= {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    names |= {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    return names | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def loaded(tree: ast.AST) -> set[str]:
    """Names that a piece of code reads anywhere."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def attributes(tree: ast.AST) -> set[str]:
    """Names of attributes that a piece of code reads or sets, methods that it defines included."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | {
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    }


@functools.lru_cache(maxsize=2048)
def needed(text: str) -> set[str]:
    """Names that a cell reads before it binds them itself; every word of it, if it cannot be
    parsed.
    """
    tree = parsed(text)
    return set(WORD.findall(text)) if tree is None else _free(tree.body, set())


def _free(body, known):
    """Names read in a list of statements before they are bound; what they bind is added to
    ``known``.
    """
    free = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            free |= (
                loaded(statement)
                - known
                - (
                    bound(statement)
                    if not isinstance(statement, ast.ClassDef)
                    else {statement.name}
                )
            )
            known.add(statement.name)
            continue
        blocks = [
            block
            for field in ("body", "orelse", "finalbody")
            for block in [getattr(statement, field, [])]
            if isinstance(block, list)
        ]
        blocks += [handler.body for handler in getattr(statement, "handlers", [])]
        if not any(blocks):
            local = {
                node.id
                for made in ast.walk(statement)
                if isinstance(made, ast.comprehension)
                for node in ast.walk(made.target)
                if isinstance(node, ast.Name)
            } | {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
            again = loaded(statement.target) if isinstance(statement, ast.AugAssign) else set()
            again |= (
                {statement.target.id}
                if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name)
                else set()
            )
            free |= (loaded(statement) - local | again) - known
            known |= bound(statement) - local
            continue
        heads = [
            part
            for field, part in ast.iter_fields(statement)
            if field not in ("body", "orelse", "finalbody", "handlers")
        ]
        for part in (
            node
            for head in heads
            for node in (head if isinstance(head, list) else [head])
            if isinstance(node, ast.AST)
        ):
            free |= loaded(part) - known
            known |= bound(part)
        inside = set(known)  # what only some branch binds may still be needed below
        for block in blocks:
            free |= _free(
                block,
                inside if isinstance(statement, (ast.For, ast.While, ast.With)) else set(known),
            )
        if isinstance(statement, ast.With):
            known |= inside
    return free
