"""A cell that uses exercises says which: those without which it shows nothing, and no others."""

import builtins
import dis
import re
from types import CodeType

import nbformat
import pytest

from autograder.build.outputs import Owed, show_outputs
from autograder.course.chapter import find_chapter, solution_path, student_path

from ..conftest import ROOT, real_chapters


def owed(*cells):
    """What each cell is said to need, where double is exercise 1.1 and half 1.2."""
    names = Owed({"double": "1.1", "half": "1.2"})
    return [" ".join(sorted(names.by_cell(cell))) for cell in cells]


def test_what_a_cell_uses_and_what_is_made_of_it():
    assert owed("x = double(1)", "print(x)", "y = half(x)", "y") == ["1.1"] * 2 + ["1.1 1.2"] * 2


def test_a_name_that_the_cell_binds_itself_is_no_longer_the_one_that_waited():
    assert owed("x = double(1)", "x = 3\nprint(half(x))", "x") == ["1.1", "1.2", "1.2"]
    assert owed("x = double(1)", "for x in range(3):\n    print(x)") == ["1.1", ""]
    assert owed("x = double(1)", "with open('f') as x:\n    print(x)") == ["1.1", ""]
    assert owed("x = double(1)", "print([x for x in range(3)], lambda x: x)") == ["1.1", ""]
    assert owed("x = double(1)", "x = x + 1", "x") == ["1.1"] * 3


def test_in_a_loop_and_a_branch_names_are_read_in_their_order():
    read = "for y in range(3):\n    try:\n        print(x)\n    finally:\n        x = 1"
    assert owed("x = double(1)", read) == ["1.1", "1.1"]
    assert owed("x = double(1)", "if len('a'):\n    x = 1\n    print(x)\nelse:\n    half(1)") == [
        "1.1",
        "1.2",
    ]


def test_a_function_needs_what_it_calls_and_stays_where_its_cell_ends_below_it():
    cell = "def f(x):\n    return half(x)\ndef g(x):\n    return x\nz = double(1)"
    assert owed(cell, "g(1)", "f(1)", "z") == ["1.1 1.2", "", "1.2", "1.1"]
    assert owed("z = double(1)\ndef g(x):\n    return x", "g(1)") == ["1.1", "1.1"]
    assert owed("def f():\n    return g()", "def g():\n    return half(1)", "f()")[-1] == "1.2"


def test_what_a_cell_had_half_made_goes_unless_nothing_ends_it():
    assert owed("a = 1\nprint(double(a))", "print(a)") == ["1.1", "1.1"]
    assert owed("a = 1\nab.beside(2, lambda: double(a))", "print(a)") == ["1.1", ""]


@pytest.fixture(params=real_chapters(), scope="module")
def said(request):
    """[(a cell's source, whether it is tagged, the exercises that it is said to need)]."""
    chapter = find_chapter(ROOT, request.param)
    notebook, solution = (
        nbformat.read(where(ROOT, chapter.name), as_version=4)
        for where in (student_path, solution_path)
    )
    show_outputs(chapter, notebook, solution)
    shown = {cell.id for cell in solution.cells}
    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "code" and "nbgrader" not in cell.metadata and cell.id in shown:
            tagged = "uses-exercise" in cell.metadata.get("tags", ())
            text = "".join(output.get("text", "") for output in cell.outputs) if tagged else ""
            cells.append((cell.source, tagged, set(re.findall(r"\d+\.\d+", text))))
    return chapter, cells


def globals_of(code):
    """(names that code reads before it binds them, names that it binds), told by Python's own
    compiler.
    """
    read, bound = set(), set()
    for one in dis.get_instructions(code):
        if one.opname in ("LOAD_NAME", "LOAD_GLOBAL") and one.argval not in bound:
            read.add(one.argval)
        elif one.opname in ("STORE_NAME", "STORE_GLOBAL"):
            bound.add(one.argval)
    inner = [globals_of(const)[0] for const in code.co_consts if isinstance(const, CodeType)]
    return read.union(*inner), bound


def test_every_exercise_that_is_named_is_read_before_it_is_bound(said):
    """Told by other means, and cell by cell, so that more may be needed: no less is named than the
    cell itself calls, and no more than that and what it takes from cells above.
    """
    chapter, cells = said
    own = {name: {one.number} for one in chapter.exercises for name in one.names}
    needs, asserted = dict(own), 0
    for source, tagged, named in cells:
        read, bound = globals_of(compile(source, "cell", "exec"))
        reads = read - set(dir(builtins))
        at_most = set().union(*(needs.get(name, ()) for name in reads))
        if tagged:
            asserted += bool(named)
            at_least = set().union(*(own.get(name, ()) for name in reads))
            assert at_least <= named <= at_most, source
        needs.update(dict.fromkeys(bound, at_most))
    assert asserted


@pytest.mark.parametrize(
    ("name", "begins", "needs"),
    [
        ("ch12", "# @title One new token after 2,000, both ways", {"12.2"}),
        ("ch13", "# edit this\nmy_drafts", {"13.2"}),
        ("ch14", "# @title The loss with the first token and without", {"14.5"}),
        ("ch14", "# @title Three ways to write 40 tokens", {"14.6"}),
    ],
)
def test_names_that_a_cell_assigns_name_no_exercise(name, begins, needs):
    chapter = find_chapter(ROOT, name)
    names = Owed({name: one.number for one in chapter.exercises for name in one.names})
    own = [cell for cell in chapter.code if not cell.role]
    told = {cell.text: names.by_cell(cell.text) for cell in own}
    assert [needed for text, needed in told.items() if text.startswith(begins)] == [needs]
