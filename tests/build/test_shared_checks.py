"""source/checks.py: each function refuses what it is for, and the build puts it into hidden tests
alone.
"""

import runpy

import pytest
import torch

from autograder.build.release import release, student_path
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from tests.conftest import CHAPTER, ROOT, write_chapter

CHECKS = runpy.run_path(str(ROOT / "source" / "checks.py"))
X = torch.arange(35.0).reshape(5, 7)
RIGHT = {
    "a product": lambda x: 2 * x,
    "two results": lambda x: (x + 1, x.sum(-1)),
    "a mask made beside the input": lambda x: x * torch.ones(7, device=x.device, dtype=x.dtype),
    "one that needs the numbers": lambda x: x * float(x.max()),
}
WRONG = {
    "keeps_dtype": (lambda x: x.float(), "in, torch.float32 out"),
    "stays_on_device": (lambda x: x * torch.ones(7), "made on the CPU"),
    "leaves_inputs_alone": (lambda x: x.mul_(2), "changed in place"),
    "takes_views": (lambda x: x.as_strided((5, 7), (7, 1)), "not contiguous"),
}


@pytest.mark.parametrize("check", WRONG)
@pytest.mark.parametrize("call", RIGHT)
def test_right_answers_pass(check, call):
    CHECKS[check](RIGHT[call], X.clone())


@pytest.mark.parametrize("check", WRONG)
def test_a_wrong_answer_is_refused_with_the_mistake(check):
    call, words = WRONG[check]
    with pytest.raises(AssertionError, match=words):
        CHECKS[check](call, X.clone())


def test_an_error_of_the_students_own_does_not_excuse_code_for_the_cpu_alone():
    def cpu_only(x):
        if x.device.type == "meta":
            raise RuntimeError("Tensor.item() cannot be called on meta tensors")
        return x * torch.ones(7)

    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](cpu_only, X)


NUMBER = torch.tensor(float("-inf"))  # one number, on the CPU, which a GPU takes


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_table_made_on_the_cpu_on_the_way_is_found_where_none_may_move(device):
    check, x = CHECKS["stays_on_device"], torch.ones(5, 7, device=device)
    for name in ("a product", "two results", "a mask made beside the input"):
        check(RIGHT[name], x, tables_may_move=False)
    for right in (lambda x: x * NUMBER, lambda x: x.masked_fill(x > 0, NUMBER)):
        check(right, x, tables_may_move=False)
    check(lambda x: x * torch.ones(7).to(x.device), x)
    for wrong in (
        lambda x: x * torch.ones(7).to(x.device),
        lambda x: x @ torch.ones(7, 3),
        lambda x: x.masked_fill(torch.ones(7) > 0, NUMBER),
        lambda x: torch.ones(7),
    ):
        with pytest.raises(AssertionError, match="made on the CPU"):
            check(wrong, x, tables_may_move=False)


def test_a_mask_of_the_cpu_is_found_beside_a_number_of_the_cpu():
    with pytest.raises(AssertionError, match="made on the CPU"):
        CHECKS["stays_on_device"](lambda x: x.masked_fill(torch.ones(7) > 0, NUMBER), X)


def asking(course, names):
    text = CHAPTER.replace(
        '"points": 2, "schema_version": 3, "solution": false, "task": false}',
        f'"points": 2, "schema_version": 3, "solution": false, "task": false}} checks={names}',
        1,
    )
    write_chapter(course, "ch01_small", text.replace("import math", "import torch"))
    (course / "source" / "checks.py").write_text((ROOT / "source" / "checks.py").read_text())
    return find_chapter(course, "ch01")


def test_the_functions_stand_in_the_hidden_tests_and_nowhere_else(course):
    chapter = asking(course, '["keeps_dtype"]')
    check = chapter.by_grade_id["ch01_double_check"]
    text = filled(course, check, chapter.path)
    assert (
        text.index("### BEGIN HIDDEN TESTS")
        < text.index("def keeps_dtype")
        < text.index("# Property")
    )
    assert "stays_on_device" not in text
    release(course, ["ch01"])
    assert "keeps_dtype" not in student_path(course, "ch01_small").read_text()


def test_an_unknown_function_is_an_error_with_the_cell(course):
    chapter = asking(course, '["keeps_type"]')
    with pytest.raises(SourceError, match="ch01_double_check: checks asks for 'keeps_type'"):
        filled(course, chapter.by_grade_id["ch01_double_check"], chapter.path)
