"""Which names a cell binds, and which it takes from the cells above it, told without running it."""

import ast
import functools
import re

from IPython.core.inputtransformer2 import TransformerManager

from autograder.course.regions import STUB

LONGEST_WITH_MAGICS, LONGEST_LINE = 100_000, 2_000
WORD = re.compile(r"[^\W\d]\w*")
TOP_LEVEL = re.compile(
    r"^(?:async +)?(?:def|class) +(\w+)|^(\w+) *(?:: *[^=\n]+)?=(?!=)", re.MULTILINE
)


def defined(text: str) -> set[str]:
    """Names that a text binds at the left margin; works on fragments that do not parse."""
    return {name for match in TOP_LEVEL.finditer(text) for name in match.groups() if name}


@functools.lru_cache(maxsize=512)
def parses(text: str) -> bool:
    """Whether a text is Python, magics aside."""
    lines = text.split("\n")
    try:
        ast.parse("\n".join("pass" if line.startswith(("%", "!")) else line for line in lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@functools.lru_cache(maxsize=512)
def parsed(text: str) -> ast.Module | None:
    """The syntax tree of a cell, magics included, or None; nobody changes it."""
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


@functools.lru_cache(maxsize=2048)
def statements(text: str) -> dict[str, list[tuple[int, int]]]:
    """{the syntax tree of a statement, in words: the lines, counted from 0, of each place where it
    stands, at any depth}: the same, however a formatter wrapped, quoted or indented it.
    """
    lines = text.split("\n")
    found: dict[str, list[tuple[int, int]]] = {}
    try:
        tree = ast.parse("\n".join("pass" if line[:1] in ("%", "!") else line for line in lines))
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt):
                span = (node.lineno - 1, node.end_lineno or node.lineno)
                found.setdefault(ast.dump(node), []).append(span)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return found


@functools.lru_cache(maxsize=2048)
def same_code(text: str, other: str) -> bool:
    """Whether two cells hold the same code, comments and layout aside."""
    if text.strip() == other.strip():
        return True
    trees = parsed(text), parsed(other)
    try:
        return None not in trees and len({ast.dump(tree) for tree in trees if tree}) == 1
    except RecursionError:
        return False


@functools.lru_cache(maxsize=2048)
def given(text: str) -> dict[str, bool]:
    """{name that a cell binds at top level: whether it is worked on}. What reaches the stub's
    ``raise`` is not.
    """
    tree = parsed(text)
    if tree is None:
        return dict.fromkeys(defined(text), STUB[1] not in text)
    found: dict[str, bool] = {}
    for node in tree.body:
        whole = not _reaches_stub([node])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = whole
        elif not whole:
            break
        else:
            found |= dict.fromkeys(bound(node), True)
    return found


def _reaches_stub(body: list[ast.stmt]) -> bool:
    """Whether some way through these statements leads to the stub's ``raise``."""
    for node in body:
        stub = isinstance(node, ast.Raise) and ast.unparse(node) == STUB[1]
        if stub or any(map(_reaches_stub, _blocks(node))):
            return True
        if _leaves(node):
            return False
    return False


def _leaves(node: ast.stmt) -> bool:
    """Whether nothing below a statement is reached."""
    if isinstance(node, ast.If):
        return all(block and _leaves(block[-1]) for block in (node.body, node.orelse))
    if isinstance(node, ast.With):
        return _leaves(node.body[-1])
    return isinstance(node, (ast.Return, ast.Raise, ast.Continue, ast.Break))


def _blocks(node: ast.stmt) -> list[list[ast.stmt]]:
    """The statements that stand indented below a statement."""
    blocks = [getattr(node, field, []) for field in ("body", "orelse", "finalbody")]
    return blocks + [handler.body for handler in getattr(node, "handlers", [])]


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


def imported(text: str) -> set[str]:
    """Modules that a cell imports at top level."""
    tree = parsed(text)
    found = {""}
    for node in tree.body if tree else ():
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module or "")
    return found - {""}


@functools.lru_cache(maxsize=4096)  # trees are compared by identity
def loaded(tree: ast.AST) -> frozenset[str]:
    """Names that a piece of code reads anywhere."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return frozenset(node.id for node in names if isinstance(node.ctx, ast.Load))


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


def _free(body: list[ast.stmt], known: set[str]) -> set[str]:
    """Names read in a list of statements before they are bound; what they bind is added to
    ``known``.
    """
    free: set[str] = set()
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            free |= loaded(statement) - known - bound(statement)
            known.add(statement.name)
            continue
        if isinstance(statement, ast.ClassDef):
            around = [*statement.bases, *statement.keywords, *statement.decorator_list]
            free |= set().union(*map(loaded, around)) - known
            known.add(statement.name)
            free |= _free(statement.body, set(known))
            continue
        blocks = _blocks(statement)
        if not any(blocks):
            local = {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)}
            for made in ast.walk(statement):
                local |= _names(made.target) if isinstance(made, ast.comprehension) else set()
            again = _names(statement.target) if isinstance(statement, ast.AugAssign) else set()
            free |= (loaded(statement) - local | again) - known
            known |= bound(statement) - local
            continue
        for part in ast.iter_child_nodes(statement):
            if not isinstance(part, (ast.stmt, ast.excepthandler)):
                free |= loaded(part) - known
                known |= bound(part)
        inside = set(known)  # what only some branch binds may still be needed below
        one_way = isinstance(statement, (ast.For, ast.While, ast.With))
        for block in blocks:
            free |= _free(block, inside if one_way else set(known))
        if isinstance(statement, ast.With):
            known |= inside
    return free


def _names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
