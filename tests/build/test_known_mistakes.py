"""The tables of attention_built come from the reference and the bank, and its wheel from both."""

import json
import zipfile

import pytest

from attention_built.shipped import SHA256
from autograder.build.known_mistakes import table_bytes, table_path
from autograder.build.leaks import check_tree
from autograder.build.wheel import wheel_bytes, wheel_path
from autograder.course.bank import bank_folder, read_answers
from autograder.course.bundle import sources
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter
from autograder.course.errors import LeakError, SourceError
from tests.conftest import CHAPTER, ROOT, write_chapter

BANK = """# %% right: sum
def double(x):
    return x + x

# %% wrong: thrice (2) => it was taken three times !! sign
def double(x):
    return 3 * x

# %% wrong: limited (1) -> larger
def double(x):
    return min(2 * x, 10)

# %% wrong: random (1, 2) => it is random
def double(x):
    return torch.rand(()).item()
"""
CHECK = '''"""Exercise 1.1: {part}."""
ab.check("1.1 {part}", double, [ab.case("3", 3.0), ab.case("30, which is larger", 30.0)])
### BEGIN HIDDEN TESTS
# Property: works for negative numbers
ab.check("1.1 {part}", double, [ab.case("-5", -5.0)], like=reference("double"))
### END HIDDEN TESTS
'''


def with_cases(course, bank=BANK):
    """The small course with two checks of cases for its first exercise."""
    before, head, rest = CHAPTER.partition('# %% nbgrader={"grade": true')
    head += rest.partition("\n")[0] + ' checks=["reference"]\n'
    after = rest[rest.index("# %% [markdown]") :]
    cells = [
        head.replace("double_check", f"double_check_{part}") + CHECK.format(part=part)
        for part in ("number", "size")
    ]
    text = before.replace("import math", "import torch\nimport attention_built as ab")
    write_chapter(course, "ch01_small", text + "\n".join(cells) + "\n" + after)
    (course / "source" / "checks.py").write_text((ROOT / "source" / "checks.py").read_text())
    path = bank_folder(course) / "ch01_small" / "double.py"
    path.parent.mkdir(parents=True)
    path.write_text(bank)
    return find_chapter(course, "ch01")


def test_a_header_gives_the_sentence_and_what_the_mistake_costs(course):
    with_cases(course)
    right, thrice, limited, _ = read_answers(course, "ch01_small", "ch01_double")
    assert (right.costs, right.told) == ((), False)
    assert (thrice.phrase, thrice.told, thrice.forbidden) == (
        "it was taken three times",
        True,
        ("sign",),
    )
    assert (limited.phrase, limited.told, limited.costs) == ("larger", False, (1,))
    assert thrice.spares(1) and not thrice.spares(2) and not right.spares(1)


def test_a_table_holds_outcomes_sentences_and_slips_and_none_that_are_left_to_chance(course):
    table = json.loads(table_bytes(course, with_cases(course)))
    number, size = table["1.1 number"], table["1.1 size"]
    assert [one["values"] for one in number["wanted"]] == [[[6.0]], [[60.0]]]
    assert number["mistakes"] == []  # a slip that does not cost this check is no mistake of it
    assert number["slips"]["thrice"][0]["values"] == [[9.0]] and size["slips"] == {}


def test_a_table_is_made_anew_only_where_something_changed(course, monkeypatch):
    chapter = with_cases(course)
    path = table_path(course, chapter)
    path.parent.mkdir(parents=True)
    path.write_bytes(table_bytes(course, chapter))
    monkeypatch.setattr("autograder.build.known_mistakes._points", None)
    assert table_bytes(course, chapter) == path.read_bytes()
    bank = bank_folder(course) / "ch01_small" / "double.py"
    bank.write_text(bank.read_text() + "\n")
    with pytest.raises(TypeError):
        table_bytes(course, chapter)


def test_a_reference_that_is_left_to_chance_is_an_error_with_the_case(course):
    chapter = with_cases(course)
    text = chapter.path.read_text().replace(
        "twice_the_input = 2 * x", "twice_the_input = torch.rand(())"
    )
    chapter.path.write_text(text)
    with pytest.raises(SourceError, match="1.1 number, case '3': the reference solution gives"):
        table_bytes(course, find_chapter(course, "ch01"))


def test_hidden_tests_get_the_reference_and_the_slips_that_do_not_cost_the_check(course):
    chapter = with_cases(course)
    first, second = (filled(course, check, chapter.path) for check in chapter.exercises[0].checks)
    assert "twice_the_input = 2 * x" in first and "3 * x" in first and "min(2 * x" not in first
    assert "3 * x" not in second and "min(2 * x" in second


def test_a_worker_gets_the_answers_that_its_checks_compare_with(course):
    assert "bank/ch01_small/double.py" in sources(course, with_cases(course))


def test_the_wheel_is_the_same_bytes_and_holds_the_package_and_its_tables(tmp_path):
    tables = {ROOT / "attention_built" / "tables" / "ch99.json": b"{}"}
    made = wheel_bytes(ROOT, tables)
    assert made == wheel_bytes(ROOT, tables)
    path = tmp_path / wheel_path(ROOT).name
    path.write_bytes(made)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        record = archive.read("attention_built-1.0.0.dist-info/RECORD").decode()
    modules = {"attention_built/checks.py", "attention_built/notebook/pages.py"}
    modules |= {f"attention_built/shipped/{name}" for name in [*SHA256, "manual.LICENSE"]}
    assert modules | {"attention_built/tables/ch99.json"} <= set(names)
    assert all(f"{name}," in record for name in names)


def test_a_secret_line_in_the_wheel_is_a_leak(course):
    package = course / "attention_built"
    package.mkdir()
    (package / "__init__.py").write_text('__version__ = "1.0.0"\n')
    path = wheel_path(course)
    path.parent.mkdir()
    path.write_bytes(wheel_bytes(course, {}))
    check_tree(course, course / "notebooks")
    (package / "more.py").write_text("twice_the_input = 2 * x\n")
    path.write_bytes(wheel_bytes(course, {}))
    with pytest.raises(LeakError, match="twice_the_input"):
        check_tree(course, course / "notebooks")
    (package / "notebook").mkdir()  # what a notebook shows is no secret
    (package / "notebook" / "shown.py").write_text("twice_the_input = 2 * x\n")
    check_tree(course, course / "notebooks")


@pytest.mark.parametrize(
    "exercise, calls", [("ch02_self_attention", True), ("ch02_project_qkv", False)]
)
def test_hidden_tests_get_the_earlier_solutions_that_their_answers_call(exercise, calls):
    chapter = find_chapter(ROOT, "ch02")
    check = next(one for one in chapter.exercises if one.id == exercise).checks[0]
    text = filled(ROOT, check, chapter.path)
    assert ("earlier=" in text and "def scaled_dot_product_attention" in text) is calls
