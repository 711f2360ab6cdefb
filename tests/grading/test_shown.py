"""What people look at in a file is made where the file is read: safe, bounded, and in time."""

import json

import pytest

from autograder.course.chapter import find_chapter
from autograder.grading import shown
from autograder.grading.host.intake_process import take_in
from tests.hostile import corpus

from ..conftest import CHAPTER, write_chapter

TASK = """
# %% [markdown]
# ### Make it yours

# %% tags=["uses-exercise", "show"]
mine = 3
"""
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


@pytest.fixture
def chapter(tmp_path):
    write_chapter(tmp_path, "ch01_small", CHAPTER + TASK)
    return find_chapter(tmp_path, "ch01")


def read(chapter, change):
    """What is shown of a right notebook after a change."""
    notebook = corpus.notebook(chapter)
    change({cell["id"]: cell for cell in notebook["cells"]})
    taken = take_in(chapter, json.dumps(notebook).encode())
    assert not taken.problem
    return taken.shown


def picture(data):
    return {"output_type": "display_data", "metadata": {}, "data": {"image/png": data}}


def outputs_of(seen):
    (cell,) = (cell for cell in seen.cells if cell["id"] == "ch01_double")
    return cell["outputs"]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("filling", [" ", "A", "A ", "=", "\n", "A="])
def test_a_picture_that_is_none_takes_no_time(chapter, filling):
    data = (filling * 1_000_000)[:1_000_000] + "!"

    def change(cells):
        cells["ch01_double"]["outputs"] = [picture(data), picture(data[:-1]), picture(PNG)]

    assert outputs_of(read(chapter, change)) == [picture(PNG)]


@pytest.mark.timeout(30)
@pytest.mark.parametrize("text", ["a" * 900_000, "a@" * 450_000, "a@b." + "c" * 900_000])
def test_an_open_task_without_end_takes_no_time(chapter, text):
    task = shown.task_cells(chapter)[1].id
    seen = read(chapter, lambda cells: cells[task].update(source=text))
    assert 0 < len(seen.open_task) <= shown.MOST_TEXT


def test_what_is_shown_of_a_file_has_an_end(chapter):
    long = [{"output_type": "stream", "name": "stdout", "text": "x" * 50_000}] * 100

    def change(cells):
        for cell in cells.values():
            if cell["cell_type"] == "code":
                cell["outputs"] = long

    sizes = [len(one["text"]) for one in outputs_of(read(chapter, change))]
    assert sizes and max(sizes) <= shown.MOST_TEXT and len(sizes) <= shown.MOST_OUTPUTS
    room = shown.Room()
    assert sum(len(room.take("x" * shown.MOST_TEXT)) for _ in range(1000)) == shown.MOST


@pytest.mark.parametrize("outputs", [None, 3, "x", {}, [3], [{"data": 3}], [{"output_type": []}]])
def test_outputs_that_are_none_are_left_out(chapter, outputs):
    assert (
        outputs_of(read(chapter, lambda cells: cells["ch01_double"].update(outputs=outputs))) == []
    )
