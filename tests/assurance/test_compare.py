"""Another course's check of the same function, judged by the bank."""

import csv
import importlib

import pytest

from autograder.course.bank import bank_folder
from autograder.course.errors import AutograderError
from tests.conftest import ROOT

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
def check_double(answer):
    got = answer.double(4)
    assert got == 8, f"double(4) gave {got}"
    return isinstance(answer.double(3), int)

CHECKS = {"ch01_double": check_double}
LEFT_OUT = {"ch01_double": {"endless": "its runner has no limit on time"}}
'''


@pytest.fixture
def compare(monkeypatch):
    """The script beside the bank, as a module that its own processes find, too."""
    monkeypatch.syspath_prepend(ROOT / "bank")
    return importlib.import_module("compare")


@pytest.fixture
def banked(course, compare, monkeypatch):
    path = bank_folder(course) / "ch01_small" / "double.py"
    path.parent.mkdir(parents=True)
    path.write_text(BANK, encoding="utf-8")
    (course / "peer.py").write_text(PEER, encoding="utf-8")
    monkeypatch.chdir(course)
    monkeypatch.setattr(compare, "ROOT", course)
    return course


def test_each_answer_is_accepted_or_refused_with_a_word(banked, compare):
    ((exercise, judged),) = compare.compare(banked, banked / "peer.py")
    said = {answer.name: words for answer, words in judged}
    assert exercise == "ch01_double" and said.keys() == {
        "twice",
        "any_type",
        "thrice",
        "absolute",
        "leaves",
    }
    assert [name for name, words in said.items() if words is None] == [
        "twice",
        "any_type",
        "absolute",
    ]
    assert "double(4) gave 12" in said["thrice"]
    assert said["leaves"], "an answer that ends the process is refused with a word"


def test_the_script_names_the_answers_and_writes_a_line_for_each(banked, compare, capsys):
    (banked / "peer.py").write_text(PEER.replace("return isinstance", "return not isinstance"))
    compare.main("peer.py", "answers.csv")
    said = capsys.readouterr().out
    assert (
        "refuses the right answer ch01_double/twice AssertionError: the check returned False"
        in said
    )
    assert "ch01_double: 2 of 2 right ones refused, 0 of 3 wrong ones accepted" in said
    assert "left out: ch01_double/endless: its runner has no limit on time" in said
    with open("answers.csv", newline="", encoding="utf-8") as file:
        rows = {row["answer"]: row for row in csv.DictReader(file)}
    assert rows["twice"]["verdict"] == "refused"
    assert "endless" not in rows and len(rows) == 5


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("CHECKS = {", "OTHERS = {", "expected CHECKS"),
        ("def check_double", "import no_such_course\ndef check_double", "no_such_course"),
        ('"ch01_double": check', '"ch01_triple": check', "has no exercise 'ch01_triple'"),
        ('"endless": ', '"eternal": ', "LEFT_OUT names eternal"),
    ],
)
def test_a_faulty_adapter_is_one_line(banked, compare, old, new, said):
    (banked / "peer.py").write_text(PEER.replace(old, new), encoding="utf-8")
    with pytest.raises(AutograderError, match=said) as raised:
        list(compare.compare(banked, banked / "peer.py"))
    assert "\n" not in str(raised.value)


def test_an_adapter_that_is_not_there_is_named(banked, compare):
    with pytest.raises(AutograderError, match=r"nowhere.py: expected an adapter"):
        compare.read_adapter(banked / "nowhere.py")
