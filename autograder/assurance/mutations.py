"""What may stand in the place of a piece of code: the slips that mutants are made of."""

import ast
import contextlib
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

Scopes = Sequence[ast.AST]  # functions and classes around a node, outermost first

# which operator, comparison or name is easily taken for which other one
BINARY: dict[type, list[type[ast.operator]]] = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.Pow: [ast.Mult],
    ast.FloorDiv: [ast.Div, ast.Mult],
    ast.Mod: [ast.FloorDiv],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
    ast.MatMult: [ast.Mult],
}
# the operands of these cannot change places unnoticed
ORDERED = (ast.Sub, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod, ast.MatMult)
COMPARED: dict[type, list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt, ast.GtE],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt, ast.LtE],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
PAIRS = """
    sum/mean amax/amin max/min maximum/minimum argmax/argmin any/all sin/cos tril/triu ones/zeros
    ones_like/zeros_like ones_/zeros_ softmax/log_softmax exp/exp2 log/log2 erf/tanh square/abs
    std/var cat/stack train/eval cumsum/cumprod rand/randn GELU/ReLU normal_/uniform_
"""
SWAPPED = {
    **{one: other for pair in PAIRS.split() for one, other in permutations(pair.split("/"))},
    "sqrt": "abs",
    "logsumexp": "amax",
}
SYMMETRIC = set(
    "transpose swapaxes maximum minimum cosine_similarity"
    " logical_and logical_or isclose allclose equal".split()
)
WORDS = {"-inf": "inf", "inf": "-inf"}


def replacements(node: ast.AST, parent: ast.AST, inside: Scopes) -> Iterator[Any]:
    """New nodes, or lists of statements, for one node of an answer.

    parent: the node that holds it. inside: the functions and classes around it, outermost first.
    """
    if isinstance(node, ast.stmt):
        yield from _statement(node, inside)
    elif isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
        yield from _expression(node, parent, inside)
    elif isinstance(node, ast.keyword) and isinstance(parent, ast.Call):
        yield []  # an option left out
    elif isinstance(node, ast.comprehension):
        yield from (_with(node, ifs=_without(node.ifs, test)) for test in node.ifs)


def _statement(node: ast.stmt, inside: Scopes) -> Iterator[Any]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        decorators = node.decorator_list
        yield from (_with(node, decorator_list=_without(decorators, one)) for one in decorators)
        return
    if inside or not isinstance(node, (ast.Assign, ast.Import, ast.ImportFrom)):
        yield ast.Pass()
    if isinstance(node, ast.If):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        yield node.body
        if node.orelse:
            yield node.orelse
    elif isinstance(node, ast.With):
        yield node.body
    elif isinstance(node, ast.Try):
        yield node.body + node.finalbody
    elif isinstance(node, ast.For):
        yield _with(node, iter=_part(node.iter, 1, None))
        yield _with(node, iter=_part(node.iter, None, -1))
    elif isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)
        yield from (_with(node, op=op()) for op in BINARY.get(type(node.op), []))


def _expression(node: ast.expr, parent: ast.AST, inside: Scopes) -> Iterator[Any]:
    number = _number(node)
    if number is not None and not _is_negative(parent):
        near = (number + 1, number - 1, -number, number * 2 + (number == 0) * 0.5)
        wrong = (not number,) if isinstance(number, bool) else near
        yield from (_literal(one) for one in dict.fromkeys(wrong) if one != number)
    elif isinstance(node, ast.Constant) and node.value in WORDS:
        yield ast.Constant(WORDS[node.value])
    elif isinstance(node, ast.Constant) and node.value is None:
        yield ast.Constant(1)
    elif isinstance(node, ast.BinOp):
        yield from (_with(node, op=op()) for op in BINARY.get(type(node.op), []))
        yield node.left
        yield node.right
        if isinstance(node.op, ORDERED):
            yield _with(node, left=node.right, right=node.left)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from node.values
    elif isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            before, after = node.ops[:place], node.ops[place + 1 :]
            others = COMPARED.get(type(op), [])
            yield from (_with(node, ops=[*before, other(), *after]) for other in others)
    elif isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
        yield _with(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, (ast.Tuple, ast.List)):
        if not isinstance(parent, (ast.Call, ast.arguments)):
            yield from (_with(node, elts=elts) for elts in _neighbours_swapped(node.elts))
    elif isinstance(node, ast.Slice):
        ends = [end for end in ("lower", "upper", "step") if getattr(node, end) is not None]
        yield from (_with(node, **{end: None}) for end in ends)
    elif isinstance(node, ast.Subscript):
        yield node.value
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Attribute):
        if node.attr in SWAPPED:
            yield _with(node, attr=SWAPPED[node.attr])
        yield from (_with(node, attr=name) for name in _next(node.attr, _siblings(inside)))
    elif isinstance(node, ast.Name):
        yield from (ast.Name(name, ast.Load()) for name in _next(node.id, _arguments(inside)))


def _call(node: ast.Call) -> Iterator[ast.expr]:
    if getattr(node.func, "attr", "") not in SYMMETRIC:
        yield from (_with(node, args=args) for args in _neighbours_swapped(node.args))
    if len(node.args) > 1:
        yield _with(node, args=node.args[:-1])
    before = node.func.value if isinstance(node.func, ast.Attribute) else None
    if before and getattr(before, "id", "") not in ("torch", "nn", "F", "math", "self"):
        yield before  # x.softmax(dim=-1) -> x
    elif node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]  # self.norm(x) -> x
    inner = node.args[0] if len(node.args) == 1 and not node.keywords else None
    if isinstance(inner, ast.Call) and len(inner.args) == 1 and not inner.keywords:
        yield _with(inner, args=[_with(node, args=inner.args)])  # f(g(x)) -> g(f(x))
    if isinstance(before, ast.Call) and isinstance(before.func, ast.Attribute):
        # x.abs().max() -> x.max().abs()
        base = _with(node, func=_with(node.func, value=before.func.value))
        yield _with(before, func=_with(before.func, value=base))


def _with(node: Any, **fields: Any) -> Any:
    """A copy of a node with other fields; the parts are shared."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _without(nodes: Sequence[ast.expr], left_out: ast.expr) -> list[ast.expr]:
    return [one for one in nodes if one is not left_out]


def _is_negative(node: ast.AST) -> bool:
    """Whether a minus stands in front."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _number(node: ast.expr) -> int | float | None:
    """The value of a number or truth value, its sign included, or None."""
    with contextlib.suppress(ValueError):
        value = ast.literal_eval(node)
        if isinstance(value, int | float):
            return value
    return None


def _literal(value: int | float) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


def _neighbours_swapped(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    for place in range(len(parts) - 1):
        if not any(isinstance(part, ast.Starred) for part in parts[place : place + 2]):
            yield [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def _part(iterable: ast.expr, lower: int | None, upper: int | None) -> ast.expr:
    """list(iterable)[lower:upper]"""
    ends = [None if end is None else _literal(end) for end in (lower, upper)]
    whole = ast.Call(ast.Name("list", ast.Load()), [iterable], [])
    return ast.Subscript(whole, ast.Slice(*ends), ast.Load())


def _arguments(inside: Scopes) -> list[str]:
    """Names of the arguments of the innermost function, without self."""
    functions = [node for node in inside if isinstance(node, ast.FunctionDef)]
    return [arg.arg for arg in functions[-1].args.args if arg.arg != "self"] if functions else []


def _siblings(inside: Scopes) -> list[str]:
    """Attributes that a class gives itself: layers that can be mistaken for one another."""
    classes = [node for node in inside if isinstance(node, ast.ClassDef)]
    stored = [
        leaf.attr
        for node in classes
        for leaf in ast.walk(node)
        if isinstance(leaf, ast.Attribute) and isinstance(leaf.ctx, ast.Store)
    ]
    return list(dict.fromkeys(stored))


def _next(name: str, names: list[str]) -> list[str]:
    """The name after this one, the first after the last; none if it is not among them or alone."""
    return [names[(names.index(name) + 1) % len(names)]] if name in names and len(names) > 1 else []
