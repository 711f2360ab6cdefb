"""source/checks.py: each function refuses what it is for, and the build puts it into hidden tests
alone.
"""

import runpy

import pytest
import torch

from autograder.build.release import release
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter, student_path
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
    "leaves_inputs_alone": (lambda x: x.mul_(2), "changed in place"),
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
    assert "leaves_inputs_alone" not in text
    release(course, ["ch01"])
    assert "keeps_dtype" not in student_path(course, "ch01_small").read_text()


def test_an_unknown_function_is_an_error_with_the_cell(course):
    chapter = asking(course, '["keeps_type"]')
    with pytest.raises(SourceError, match="ch01_double_check: checks asks for 'keeps_type'"):
        filled(course, chapter.by_grade_id["ch01_double_check"], chapter.path)
