"""Another course's check of the same function, judged by the bank beside ours."""

import csv

import pytest

from autograder.__main__ import main
from autograder.assurance.bench.checks import compare, read_adapter, tallies
from autograder.course.bank import bank_folder
from autograder.course.errors import AutograderError

BANK = """# %% right: twice
def double(x):
    return x + x

# %% right: any_type
def double(x):
    return type(x)(x * 2)

# %% wrong: thrice -> was not doubled
def double(x):
    return 3 * x

# %% wrong: absolute -> negative numbers
def double(x):
    return abs(2 * x)

# %% wrong: endless -> longer
def double(x):
    while x:
        pass

# %% wrong: leaves -> ended
def double(x):
    import os
    os._exit(0)
"""
PEER = '''"""A small check of the same function: integers only, and none below zero."""
NAME = "a small peer"

def check_double(answer):
    got = answer.double(4)
    assert got == 8, f"double(4) gave {got}"
    return isinstance(answer.double(3), int)

CHECKS = {"ch01_double": check_double}
LEFT_OUT = {"ch01_double": {"endless": "its runner has no limit on time"}}
'''


@pytest.fixture
def banked(course, monkeypatch):
    path = bank_folder(course) / "ch01_small" / "double.py"
    path.parent.mkdir(parents=True)
    path.write_text(BANK, encoding="utf-8")
    (course / "peer.py").write_text(PEER, encoding="utf-8")
    monkeypatch.chdir(course)
    return course


def test_false_accepts_and_refusals_of_both_are_counted(banked):
    adapter = read_adapter(banked / "peer.py")
    judged = {one.answer: one for one in compare(banked, adapter)}
    assert {name: (one.ours, one.theirs) for name, one in judged.items()} == {
        "twice": (True, True),
        "any_type": (True, True),
        "thrice": (False, False),
        "absolute": (False, True),
        "leaves": (False, False),
    }
    assert "double(4) gave 12" in judged["thrice"].said
    assert judged["leaves"].said, "an answer that ends the process is refused with a word"
    (row,) = tallies(adapter, judged.values())
    assert (row.right, row.wrong, row.left_out) == (2, 3, 1)
    assert (row.false_refusals, row.false_accepts) == ((0, 0), (0, 1))


def test_the_command_names_the_answers_and_writes_a_line_for_each(banked, capsys):
    (banked / "peer.py").write_text(PEER.replace("return isinstance", "return not isinstance"))
    assert main(["bench", "checks", "peer.py", "--csv", "answers.csv"]) == 0
    said = capsys.readouterr().out
    assert "ch01_double/twice: a small peer refuses a right answer" in said
    assert "left out: ch01_double/endless: its runner has no limit on time" in said
    with open("answers.csv", newline="", encoding="utf-8") as file:
        rows = {row["answer"]: row for row in csv.DictReader(file)}
    assert (rows["twice"]["ours"], rows["twice"]["theirs"]) == ("accepted", "refused")
    assert "endless" not in rows and len(rows) == 5


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("CHECKS = {", "OTHERS = {", "expected CHECKS"),
        ("NAME =", "import no_such_course\nNAME =", "no_such_course"),
        ('"ch01_double": check', '"ch01_triple": check', "has no exercise 'ch01_triple'"),
        ('"endless": ', '"eternal": ', "LEFT_OUT names eternal"),
    ],
)
def test_a_faulty_adapter_is_one_line(banked, old, new, said):
    (banked / "peer.py").write_text(PEER.replace(old, new), encoding="utf-8")
    with pytest.raises(AutograderError, match=said) as raised:
        compare(banked, read_adapter(banked / "peer.py"))
    assert "\n" not in str(raised.value)


def test_an_adapter_that_is_not_there_is_named(banked):
    with pytest.raises(AutograderError, match=r"nowhere.py: expected an adapter"):
        read_adapter(banked / "nowhere.py")
