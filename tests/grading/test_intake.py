"""A file becomes cells, or a reason in one line."""

import gzip
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


def conflict(ours, theirs, count="1"):
    """A notebook in which git left both versions of a cell."""
    cell = '{"cell_type": "code", "execution_count": %s, "source": "%s"}\n'
    versions = f"<<<<<<< HEAD\n{cell % (1, ours)}=======\n{cell % (count, theirs)}>>>>>>> main\n"
    return ('{"nbformat": 4, "cells": [\n' + versions + "]}").encode()


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


WHOLE = notebook({"cell_type": "code", "source": "x = 1  # it’s"})


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (WHOLE, []),
        (WHOLE + b"\0" * 5000, []),
        (WHOLE + b' "metadata": {}}]}', ["what stood below the end"]),
        (WHOLE.replace(b"\\u2019", b"\x92"), ["read as Windows-1252"]),
        (WHOLE.decode().encode("utf-16"), ["UTF-16"]),
        (WHOLE.decode().encode("utf-16-be").join([b"\xfe\xff", b""]), ["UTF-16"]),
        (conflict("x = 1  # it’s", "x = 1  # it’s", 2), ["git left a conflict"]),
        (b'{"name": "a.ipynb", "type": "notebook", "content": %s}' % WHOLE, ["server's answer"]),
    ],
    ids=["as it is", "NUL", "older save", "Windows-1252", "UTF-16", "big-endian", "git", "API"],
)
def test_a_file_is_not_lost_for_a_few_bytes(data, said):
    report = []
    [read], _ = read_notebook(data, report)
    assert read.text == "x = 1  # it’s"
    assert len(report) == len(said) and all(map(str.__contains__, report, said))


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
        (b"\0" * 9, "empty"),
        (b"\xff\xfe{}", "JSON"),
        (b"{", "ends in the middle"),
        (b'{"nbformat": 4, "cells": [{"source": "x', "ends in the middle"),
        (b"{what}", "valid JSON"),
        (b"\xef\xbb\xbf<!DOCTYPE html><title>Colab", "saved web page.*hand in the .ipynb"),
        (b"%PDF-1.7", "a PDF.*hand in the .ipynb"),
        (b"PK\x03\x04", "a zip"),
        (gzip.compress(WHOLE), "compressed with gzip.*hand in the .ipynb"),
        (json.dumps({"nbformat": 5, "cells": []}).encode(), "nbformat 5; expected 4.*what wrote"),
        (conflict("1", "2"), r"conflict in the file \(line 2\): keep one"),
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
    assert not is_untouched("def page():\n    return 7")
    assert not is_untouched("page(7)") and not is_untouched("")
