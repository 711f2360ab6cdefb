"""A source that breaks a rule is refused, with file, line and cell."""

import os

import pytest

from autograder.course.chapter import find_chapter, read_chapter
from autograder.course.errors import SourceError
from autograder.course.model import definitions
from autograder.course.regions import without_region
from tests.conftest import CHAPTER, write_chapter


def test_a_good_chapter_is_read_with_its_exercises(course):
    chapter = find_chapter(course, "ch01")
    assert [(e.id, e.points, e.names) for e in chapter.exercises] == [
        ("ch01_double", 2, ("double",)),
        ("ch01_half", 1, ("half",)),
    ]
    assert chapter.exercises[0].title == "Exercise 1.1 · Double"
    assert chapter.exercises[0].section == "1.1 Doubling"


@pytest.mark.parametrize(
    "old, new, says",
    [
        (
            '    ### END SOLUTION\n\n# %% nbgrader={"grade": true, "grade_id": "ch01_double_check"',
            '\n# %% nbgrader={"grade": true, "grade_id": "ch01_double_check"',
            "never closed",
        ),
        (
            "### BEGIN HIDDEN TESTS\n# Property: works for odd",
            "# Property: works for odd",
            "END HIDDEN TESTS without its BEGIN",
        ),
        (
            "### BEGIN HIDDEN TESTS\n# Property: works for odd",
            "## BEGIN HIDDEN TEST\n# Property: works for odd",
            "looks like a marker",
        ),
        (
            "print(sum(range(10)))",
            "### BEGIN SOLUTION\nprint(1)\n### END SOLUTION",
            "belongs in a solution cell",
        ),
        ("    twice_the_input = 2 * x\n", "    ### BEGIN SOLUTION\n", "inside a SOLUTION region"),
        ('"grade_id": "ch01_half"', '"grade_id": "ch01_double"', "must be unique"),
        ('"points": 2, ', "", "needs points"),
        ('"points": 2', '"points": 0', "needs points"),
        ('"ch01_half_check"', '"ch01_halve_check"', "no solution cell fits"),
        ('tags=["show"]', 'tags=["shwo"]', "unknown tag 'shwo'"),
        ("    return twice_the_input\n", "    return twice_the_input)\n", "unmatched"),
        ('"solution": true, "task": false', '"solution": false, "task": true', "graded by hand"),
        ("# # 1 · A small chapter", "# A small chapter", "first cell must be Markdown"),
    ],
)
def test_a_broken_rule_names_file_line_and_cell(course, old, new, says):
    assert old in CHAPTER
    path = write_chapter(course, "ch01_small", CHAPTER.replace(old, new, 1))
    with pytest.raises(SourceError) as caught:
        read_chapter(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"{path}:")
    assert "\n" not in str(caught.value)


def test_an_unknown_chapter_lists_the_known_ones(course):
    with pytest.raises(SourceError, match="ch01_small, ch02_carries"):
        find_chapter(course, "ch09")


def test_a_source_is_parsed_once_and_again_when_it_was_rewritten(course):
    before = find_chapter(course, "ch01")
    assert find_chapter(course, "ch01") is before
    path = write_chapter(course, "ch01_small", CHAPTER.replace("Its question", "One question"))
    os.utime(path, (0, 0))  # whatever the clock says
    assert "One question" in find_chapter(course, "ch01").cells[0].source


def test_ids_do_not_move_when_another_cell_is_edited(course):
    before = [cell.id for cell in find_chapter(course, "ch01").cells]
    write_chapter(course, "ch01_small", CHAPTER.replace("# Its question.", "# Another question."))
    after = [cell.id for cell in find_chapter(course, "ch01").cells]
    assert before[1:] == after[1:] and before[0] != after[0]


def test_names_are_what_a_cell_binds_at_top_level():
    assert tuple(definitions("def f(): pass\nclass C: x = 1\na, b = 1, 2\nc: int = 3")) == (
        "f",
        "C",
        "a",
        "b",
        "c",
    )


def test_a_region_is_taken_out_with_its_markers():
    assert (
        without_region("a\n  ### BEGIN HIDDEN TESTS\nb\n### END HIDDEN TESTS\nc", "HIDDEN TESTS")
        == "a\nc"
    )
