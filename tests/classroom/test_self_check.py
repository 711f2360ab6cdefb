"""What a student learns before handing in."""

import json

import pytest

from autograder.build.release import release
from autograder.classroom.self_check import report
from autograder.course.chapter import student_path
from tests import damage
from tests.notebooks import as_bytes


@pytest.fixture
def released(course):
    release(course, ["ch01"])
    return course, json.loads(student_path(course, "ch01_small").read_text(encoding="utf-8"))


def check(released, notebook, name="ch01_small.ipynb"):
    root, _ = released
    path = root / name
    path.write_bytes(notebook if isinstance(notebook, bytes) else as_bytes(notebook))
    return report(root, path)


def test_a_solved_notebook_is_accepted(released):
    accepted, lines = check(released, damage.solved(released[1]))
    assert accepted and sum("visible checks pass" in line for line in lines) == 2


def test_an_untouched_notebook_is_accepted_and_says_that_nothing_was_done(released):
    accepted, lines = check(released, released[1])
    assert accepted and sum("not begun" in line for line in lines) == 2


def test_a_mistake_is_named(released):
    notebook = damage.solved(released[1])
    damage.cell(notebook, "ch01_double")["source"] = "def double(x):\n    return x"
    assert any("the input was not doubled" in line for line in check(released, notebook)[1])


def test_a_missing_cell_is_named_and_the_file_not_accepted(released):
    notebook = damage.solved(released[1])
    damage.solution_cell_deleted(notebook)
    accepted, lines = check(released, notebook)
    assert not accepted and "ch01_double" in lines[-1]


@pytest.mark.parametrize(
    "content, says",
    [
        (b"%PDF", "not a notebook"),
        (b"", "empty"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "1"}]}', "no exercise"),
    ],
)
def test_what_is_no_notebook_of_the_course_is_refused_in_one_line(released, content, says):
    accepted, lines = check(released, content, "x.ipynb")
    assert not accepted and says in lines[0] and len(lines) == 1


@pytest.mark.parametrize(
    "kind",
    [
        "colab_download",
        "saved_by_jupyterlab_4",
        "saved_by_notebook_7",
        "saved_by_vs_code",
        "ids_gone",
        "metadata_gone",
    ],
)
def test_files_of_colab_jupyter_and_vs_code_are_accepted(released, kind):
    notebook = damage.solved(released[1])
    damage.DAMAGES[kind](notebook)
    assert check(released, notebook)[0]


def test_packages_that_the_grader_lacks_are_named_and_cost_nothing_where_nothing_needs_them(
    released,
):
    notebook = damage.solved(released[1])
    answer = damage.cell(notebook, "ch01_double")
    answer["source"] = "import nbclient\n" + answer["source"]
    accepted, lines = check(released, notebook)
    assert accepted and sum("visible checks pass" in line for line in lines) == 2
    assert "it does not have nbclient: what needs that fails there." in lines
