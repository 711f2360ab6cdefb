"""Which operator, comparison or name is easily taken for which other one."""

import ast

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
PAIRS = [
    ("sum", "mean"),
    ("amax", "amin"),
    ("max", "min"),
    ("maximum", "minimum"),
    ("argmax", "argmin"),
    ("any", "all"),
    ("sin", "cos"),
    ("tril", "triu"),
    ("ones", "zeros"),
    ("ones_like", "zeros_like"),
    ("ones_", "zeros_"),
    ("softmax", "log_softmax"),
    ("exp", "exp2"),
    ("log", "log2"),
    ("erf", "tanh"),
    ("square", "abs"),
    ("std", "var"),
    ("cat", "stack"),
    ("train", "eval"),
    ("cumsum", "cumprod"),
    ("rand", "randn"),
    ("GELU", "ReLU"),
    ("normal_", "uniform_"),
]
SWAPPED = {
    **{one: other for pair in PAIRS for one, other in (pair, pair[::-1])},
    "sqrt": "abs",
    "logsumexp": "amax",
}
SYMMETRIC = {
    "transpose",
    "swapaxes",
    "maximum",
    "minimum",
    "cosine_similarity",
    "logical_and",
    "logical_or",
    "isclose",
    "allclose",
    "equal",
}
WORDS = {"-inf": "inf", "inf": "-inf"}
