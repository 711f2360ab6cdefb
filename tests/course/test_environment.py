"""What students' code finds when it is graded."""

from importlib.util import find_spec

import pytest

from autograder.course.chapter import find_chapter
from autograder.course.environment import PACKAGES, absent_packages
from autograder.grading.names import imported
from tests.conftest import ROOT, real_chapters


def test_the_packages_that_students_are_told_of_are_there():
    assert [name for name in PACKAGES if find_spec(name) is None] == []


@pytest.mark.parametrize("name", real_chapters())
def test_a_chapter_imports_nothing_else(name):
    cells = find_chapter(ROOT, name).code
    assert absent_packages(module for cell in cells for module in imported(cell.text)) == []
