"""What a reader meets is counted: prose without transcripts, code that is open, and all code; the
minutes under a title follow.
"""

import nbformat
import pytest

from autograder.build.fresh import stale_files
from autograder.build.length import length, minutes
from autograder.build.release import release
from autograder.course.chapter import student_path
from tests.conftest import CHAPTER, write_chapter


def test_transcripts_addresses_and_folded_code_are_told_apart(tmp_path):
    heard = "<details><summary>Transcript</summary>\n\nNot a word of this.\n\n</details>"
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell(f"Four [words](https://a.b/c) are here.\n\n{heard}"),
            nbformat.v4.new_code_cell("x = 1\n\ny = 2"),
            nbformat.v4.new_code_cell("z = 3", metadata={"jupyter": {"source_hidden": True}}),
        ]
    )
    path = tmp_path / "a.ipynb"
    nbformat.write(notebook, path)
    assert length(path)[:3] == (4, 2, 3)


def test_what_the_build_puts_in_front_is_no_text_of_the_chapter(tmp_path):
    badge = "[![Open in Colab](https://a.b)](https://c.d) · [deeper](deeper.ipynb)"
    fold = "<details><summary>What came out</summary>\n\nThree words more.\n\n</details>"
    box = nbformat.v4.new_markdown_cell("### House rules\n\nNot a word of this.", id="house-rules")
    first = nbformat.v4.new_markdown_cell(f"# Title\n\n{badge}\n\n{fold}")
    path = tmp_path / "a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[first, box]), path)
    assert length(path).words == 5


@pytest.mark.parametrize(
    ("words", "lines", "exercises", "needed"),
    [
        (180, 0, [], 5),
        (180 * 5, 0, [], 5),
        (180 * 5 + 1, 0, [], 10),
        (180, 12 * 4, [], 5),
        (180, 12 * 4 + 1, [], 10),
        (180, 12, [8], 10),
        (180, 12, [8, 70], 80),
    ],
)
def test_minutes_are_reading_code_and_exercises_rounded_up_to_five(words, lines, exercises, needed):
    titles = [f"### Exercise 1.1 · Double · 2 points · about {one} minutes" for one in exercises]
    folded = {"jupyter": {"source_hidden": True}}
    cells = [
        *map(nbformat.v4.new_markdown_cell, titles),
        nbformat.v4.new_markdown_cell("word " * (words - len(" ".join(titles).split()))),
        nbformat.v4.new_code_cell("x = 1\n\n" * lines),
        nbformat.v4.new_code_cell("x = 1\n" * 1000, metadata=folded),
    ]
    assert minutes(cells) == needed


def test_a_release_writes_the_minutes_under_the_title_of_the_source(course):
    stated = "# *90 minutes · ●●○○○ · 1 exercise, 2 points · you need nothing*"
    text = CHAPTER.replace("# Its question.", f"{stated}\n#\n# Its question.")
    text = text.replace("about 1 minute", "about 31 minutes")
    write_chapter(course, "ch01_small", text)
    release(course)
    script = course / "source/ch01_small/ch01_small.py"
    assert script.read_text() == text.replace("*90 minutes", "*65 minutes")
    assert "*65 minutes" in student_path(course, "ch01_small").read_text()
    assert stale_files(course) == []
    write_chapter(course, "ch01_small", text.replace("about 31", "about 36"))
    assert script.relative_to(course) in stale_files(course)
