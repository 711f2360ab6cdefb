"""The names of a cell are the same on every Python. What is expected is written by hand, not asked
of a ``symtable``, which has changed.
"""

import pytest

from attention_built.notebook.names import global_names

CASES = {  # cell: (names it assigns, names it imports, global names it uses)
    "x = y": ("x", "", "y"),
    "x: int = y": ("x", "", "int y"),
    "x: int": ("x", "", "int"),  # as a name of the module
    "a, (b, *c) = d": ("a b c", "", "d"),
    "a.b = c[d] = e": ("", "", "a c d e"),
    "x += y": ("x", "", "y"),
    "del x": ("x", "", ""),
    "import a": ("", "a", ""),
    "import a.b": ("", "a", ""),
    "import a.b as c": ("", "c", ""),
    "from a import b, c as d": ("", "b d", ""),
    "for i in x:\n    j = i": ("i j", "", "i x"),
    "while (x := y): pass": ("x", "", "y"),
    "with a as b, c as (d, e): pass": ("b d e", "", "a c"),
    "try: a\nexcept B as c: d\nelse: e\nfinally: f": ("c", "", "B a d e f"),
    "match a:\n    case B(c, d=e): f": ("c e", "", "B a f"),
    "match a:\n    case [b, *c] | {'d': b, **c}: e\n    case f: pass": ("b c f", "", "a e"),
    "match a:\n    case B.C as d if d > e: pass": ("d", "", "B a d e"),
    # comprehensions keep their variables, wherever they stand
    "[x for x in y]": ("", "", "y"),
    "{x for x in y if z}": ("", "", "y z"),
    "{k: v for k, v in y.items()}": ("", "", "y"),
    "list(x for x in y)": ("", "", "list y"),
    "[x for y in z for x in y]": ("", "", "z"),
    "[[x for x in y] for y in z]": ("", "", "z"),
    "[x for x in x]": ("", "", "x"),
    "x = [x for x in y]\nx": ("x", "", "x y"),
    "[a for b in c]": ("", "", "a c"),
    "x[[i for i in y]] = 1": ("", "", "x y"),
    "[f(lambda: x) for x in y]": ("", "", "f y"),
    "{a: {b for b in c} for a in d}": ("", "", "c d"),
    # but an assignment expression in one leaves its name
    "[(last := x) for x in y]": ("last", "", "y"),
    "{k: (v := k) for k in y}": ("v", "", "y"),
    "[[(last := x) for x in y] for y in z]": ("last", "", "z"),
    "def f():\n    return [(last := x) for x in y]": ("f", "", "y"),
    # f-strings
    "f'{x} {y!r:>{z}} {{w}}'": ("", "", "x y z"),
    "f'{[x for x in y]}'": ("", "", "y"),
    "f'{(x := 1)}'": ("x", "", ""),
    "f'{x[\"a\"]}' f\"{y['b']}\" 'c'": ("", "", "x y"),
    "f'''{\"\"\"a\nb\"\"\"} {x}'''": ("", "", "x"),
    # functions
    "def f(a, *b, c=d, **e) -> g:\n    return a, b, c, e, h": ("f", "", "d g h"),
    "def f():\n    x = 1\n    return x + y": ("f", "", "y"),
    "def f(x):\n    def g():\n        nonlocal x\n        x = y\n    return g": ("f", "", "y"),
    "def f():\n    global x\n    x = y": ("f x", "", "y"),
    "def f():\n    global x\n    return x": ("f", "", "x"),
    "def f():\n    global m\n    import m": ("f", "m", ""),
    "def f():\n    import m\n    return m": ("f", "", ""),
    "def f():\n    yield from (x for x in y)": ("f", "", "y"),
    "async def f():\n    return [x async for x in y if await z]": ("f", "", "y z"),
    "@a(b)\ndef f(): pass": ("f", "", "a b"),
    "f = lambda x, y=z: x + y + w": ("f", "", "w z"),
    "def f():\n    try: pass\n    except A as b: return b": ("f", "", "A"),
    "def f(a):\n    match a:\n        case [b, *_]: return b": ("f", "", ""),
    # classes
    "class A(B, metaclass=C):\n    x = y\n    z = x": ("A", "", "B C y"),
    "class A:\n    def f(self): return x, A": ("A", "", "A x"),
    "class A:\n    x = 1\n    y = [x for _ in z]": ("A", "", "x z"),
    "class A:\n    x = [x for x in y]": ("A", "", "y"),
    "class A:\n    global x\n    x = 1": ("A x", "", ""),
    "class A:\n    x: B = 1": ("A", "", "B"),
    "class A(B):\n    def f(self): return super().f(), __class__": ("A", "", "B super"),
    # no Python
    "%timeit x": ("", "", ""),
    "x = ": ("", "", ""),
    "x = 1\nnonlocal x": ("", "", ""),
    "def f():\n    x = 1\n    global x": ("", "", ""),
    "x = 1\0": ("", "", ""),
    "x = " + "+".join("y" * 50_000): ("", "", ""),
    "": ("", "", ""),
}


@pytest.mark.parametrize("cell", CASES, ids=lambda cell: cell[:40])
def test_a_cells_names_are_those_that_it_says(cell):
    assigned, imported, used = (set(names.split()) for names in CASES[cell])
    names = global_names(cell)
    assert names == (assigned, imported, used)
    assert names.bound == assigned | imported
