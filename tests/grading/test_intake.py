"""A file becomes cells, or a reason in one line."""

import json

import pytest

from autograder.build.added import added_cells
from autograder.course.added_cells import NAMES, is_untouched
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SubmissionError
from autograder.course.settings import load_settings
from autograder.grading.intake import read_notebook
from tests.conftest import ROOT


def notebook(*cells, **more):
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}
    ).encode()


def test_a_cell_keeps_kind_text_ids_and_outputs_and_nothing_else():
    cell = {
        "cell_type": "code",
        "id": "a",
        "source": ["x = 1\n", "y = 2"],
        "metadata": {"tags": ["show"], "nbgrader": {"grade_id": "b", "points": 9}},
        "outputs": [{"text": "x"}],
    }
    [read], tags = read_notebook(notebook(cell))
    assert tags == ["show"]
    kept = {"kind": "code", "text": "x = 1\ny = 2", "id": "a", "grade_id": "b"}
    assert vars(read) == {**kept, "outputs": [{"text": "x"}]}


def test_a_byte_order_mark_is_no_obstacle():
    assert (
        read_notebook(b"\xef\xbb\xbf" + notebook({"cell_type": "code", "source": "1"}))[0][0].text
        == "1"
    )


def test_the_cell_that_looks_before_handing_in_is_left_out():
    assert (
        read_notebook(
            notebook(
                {
                    "cell_type": "code",
                    "id": "before-you-hand-in",
                    "source": "ab.ready_to_hand_in(1)",
                }
            )
        )[0]
        == []
    )


@pytest.mark.parametrize(
    "cell",
    [
        {},
        {"cell_type": 5},
        {"cell_type": "code", "id": 7},
        {"cell_type": "code", "metadata": 3},
        {"cell_type": "code", "metadata": {"nbgrader": "x"}},
        {"cell_type": "heading", "source": "x"},
    ],
    ids=repr,
)
def test_odd_metadata_does_no_harm(cell):
    assert len(read_notebook(notebook(cell))[0]) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"\xff\xfe{}", "UTF-8"),
        (b"{", "JSON"),
        (b"[]", "JSON object"),
        (b"null", "JSON object"),
        (notebook(), "no cells"),
        (json.dumps({"nbformat": 4}).encode(), "no cells"),
        (notebook(5), "cell 1"),
        (notebook({"source": 5}), "no text"),
        (notebook({"source": ["a", 5]}), "no text"),
        (json.dumps({"nbformat": 3, "worksheets": []}).encode(), "nbformat"),
        (notebook({"source": ""}, nbformat="4"), "nbformat"),
        (notebook(*[{"source": ""}] * 2001), "at most"),
        (b"[" * 10**6, "nested"),
        (notebook({"source": "x" * (1 << 20) + "y"}), "characters"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_notebook_gets_a_reason_in_one_line(data, reason):
    with pytest.raises(SubmissionError, match=reason) as caught:
        read_notebook(data)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 250


def test_every_code_cell_that_the_build_adds_is_told_by_rule():
    settings = load_settings(ROOT)
    made = [one for c in chosen_chapters(ROOT) for _, one in added_cells(settings, c, True)]
    texts = {cell.id: cell.source for cell in made if cell.cell_type == "code"}
    assert texts.keys() == NAMES.keys()
    for text in texts.values():
        assert is_untouched(text) and is_untouched(text.replace(" the ", " a "))
        for more in ("helper = 1", "def double(x): return 2 * x", "print(1)", "ab.check(1)"):
            assert not is_untouched(f"{more}\n{text}") and not is_untouched(f"{text}\n{more}")


def test_a_helper_of_a_students_with_one_of_our_names_is_the_students():
    assert not is_untouched("def record_run():\n    return 7")
    assert not is_untouched("page(7)") and not is_untouched("")
