"""source/checks.py: the build puts its functions into hidden tests alone."""

import pytest

from autograder.build.release import release
from autograder.course.carry import filled
from autograder.course.chapter import find_chapter, student_path
from autograder.course.errors import SourceError
from tests.conftest import CHAPTER, ROOT, write_chapter


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
    chapter = asking(course, '["gpt_logits"]')
    check = chapter.by_grade_id["ch01_double_check"]
    text = filled(course, check, chapter.path)
    assert (
        text.index("### BEGIN HIDDEN TESTS")
        < text.index("def gpt_logits")
        < text.index("# Property")
    )
    assert "def gpt_numbers" not in text
    release(course, ["ch01"])
    assert "gpt_logits" not in student_path(course, "ch01_small").read_text()


def test_an_unknown_function_is_an_error_with_the_cell(course):
    chapter = asking(course, '["keeps_type"]')
    with pytest.raises(SourceError, match="ch01_double_check: checks asks for 'keeps_type'"):
        filled(course, chapter.by_grade_id["ch01_double_check"], chapter.path)
