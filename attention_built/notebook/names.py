"""The global names of a cell, read the same by every Python."""

import ast
import symtable
from collections.abc import Iterator
from typing import Any, NamedTuple


class SameScopes(ast.NodeTransformer):
    """Rewrites what Pythons read differently, and leaves every name in its scope.

    Since Python 3.12 ``symtable`` counts the variables of a list, set or dict comprehension among
    those of the code around it, but never those of a generator. The literal parts of f-strings hold
    no names, and before Python 3.12 some of them cannot be written again.
    """

    def visit_ListComp(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return ast.GeneratorExp(pair, node.generators)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        self.generic_visit(node)
        parts = [one for one in node.values if not isinstance(one, ast.Constant)]
        return ast.Tuple(parts, ast.Load())

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        parts = [node.value, node.format_spec] if node.format_spec else [node.value]
        return ast.Tuple(parts, ast.Load())


class Names(NamedTuple):
    """Global names of a cell."""

    assigned: set[str]
    imported: set[str]
    used: set[str]

    @property
    def bound(self) -> set[str]:
        """Names that are there once the cell has run."""
        return self.assigned | self.imported


def global_names(source: str) -> Names:
    """The global names of a cell; none of one that is no Python, as one with magics."""
    names = Names(set(), set(), set())
    try:
        same = ast.unparse(SameScopes().visit(ast.parse(source)))
        top = symtable.symtable(same, "cell", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return names
    for table in _tables(top):
        for one in table.get_symbols():
            declared = table is top or one.is_declared_global()
            if declared and one.is_assigned():
                names.assigned.add(one.get_name())
            if declared and one.is_imported():
                names.imported.add(one.get_name())
            if one.is_referenced() and (table is top or one.is_global()):
                names.used.add(one.get_name())
    return names


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)
