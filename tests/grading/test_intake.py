"""A file becomes cells, or a reason in one line."""

import json

import pytest

from autograder.build.exercise_cells import handin_cells, progress_cell
from autograder.course.added_cells import (
    FUNCTIONS,
    GPT2_ID,
    HANDIN_ID,
    MODEL_ID,
    PAGE_ID,
    PROGRESS_ID,
    SOUND_ID,
    YOURS_ID,
    is_untouched,
)
from autograder.course.chapter import find_chapter
from autograder.course.errors import SubmissionError
from autograder.course.settings import load_settings
from autograder.grading.intake import read_notebook
from coursesite.facts import model_offers, tensor_offers
from coursesite.narration.cells import SOUND_CELL
from coursesite.pages.cells import gpt2_cell, model_cells, page_cells, yours_cells
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
                {"cell_type": "code", "id": "before-you-hand-in", "source": "ready_to_hand_in()"}
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
    texts = {
        HANDIN_ID: handin_cells(load_settings(ROOT), find_chapter(ROOT, "ch02"), True)[1][1].source,
        PAGE_ID: page_cells("ch01_x", "https://x/", with_model=True)[1].source,
        YOURS_ID: yours_cells(tensor_offers(ROOT)["ch04_multi_head"])[1].source,
        MODEL_ID: model_cells(model_offers(ROOT)["ch09_training"])[1].source,
        GPT2_ID: gpt2_cell().source,
        PROGRESS_ID: progress_cell(load_settings(ROOT), find_chapter(ROOT, "ch02")).source,
        SOUND_ID: SOUND_CELL.replace("@segments@", "[]"),
    }
    assert texts.keys() == FUNCTIONS.keys()
    for cell_id, text in texts.items():
        assert is_untouched(cell_id, text) and is_untouched(cell_id, text.replace(" the ", " a "))
        assert not is_untouched("another", text)
        assert not is_untouched(cell_id, f"{text}\nhelper = 1")
        assert not is_untouched(cell_id, f"{text}\ndef double(x): return 2 * x")
        assert not is_untouched(cell_id, f"{text}\nprint(1)")
