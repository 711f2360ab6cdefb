"""What lies beside a notebook that no terminal, no spreadsheet and no page should get as it is."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.classroom.collect.submitted import find_submissions
from autograder.cli.console import shown


def test_a_folder_whose_name_is_not_utf8_becomes_a_row_with_a_reason(tmp_path):
    for name in (b"ann\xff", b"two\nlines", b"red\x1b[31m"):
        os.makedirs(os.path.join(os.fsencode(tmp_path), name, b"ch01_small"))
    found = find_submissions(tmp_path, "ch01_small")
    assert sorted(one.student for one in found) == ["ann%FF", "red%1B%5B31m", "two%0Alines"]
    assert all("rename it" in one.problem and one.path is None for one in found)


@pytest.mark.parametrize("stamp", [b"0001-01-01 00:00 +14:00", b"soon", b"\xff"])
def test_a_time_of_handing_in_that_is_none_refuses_no_notebook(tmp_path, stamp):
    folder = tmp_path / "ada/ch01_small"
    folder.mkdir(parents=True)
    (folder / "ch01_small.ipynb").write_bytes(b"{}")
    (folder / "timestamp.txt").write_bytes(stamp)
    (found,) = find_submissions(tmp_path, "ch01_small")
    assert found.path is not None and found.received is None


@given(st.text() | st.binary().map(os.fsdecode))
def test_nothing_that_a_terminal_obeys_is_printed(name):
    text = shown(name)
    assert text.encode() is not None
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in text)
    assert not any(0x7F <= ord(letter) < 0xA0 for letter in text)
