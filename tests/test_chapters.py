"""What every chapter owes: the parts a reader expects, a release that runs, right marks."""

import ast
import json
import re
from base64 import b64decode

import nbformat
import pytest

from autograder.build.execute import ADDRESS, LARGEST_PICTURE
from autograder.build.fresh import stale_files
from autograder.build.length import minutes
from autograder.course.chapter import find_chapter, solution_path, student_path
from autograder.course.kernel import kernel

from .conftest import ROOT, real_chapters
from .nbval_numbers import agree, tolerance_of

LARGEST_NOTEBOOK = 900_000
FULL_OF_NUMBERS = {"ch02_single_head": 1, "ch03_masks": 1, "ch04_multi_head": 1}
LONGEST_CELL = 60
WIDEST_LINE = 88
ONE_LINE = re.compile(r'# @title |# Property: |(\w+ = |ab\.\w+\()"https://\S+"(\)|, \{)?$')
PARTS = (
    "After this chapter you can",
    "Predict, then run",
    "What breaks if",
    "## Summary",
    "## Further reading",
)

every_chapter = pytest.mark.parametrize("name", real_chapters())


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_the_committed_release_is_what_the_source_gives():
    assert stale_files(ROOT) == []


@every_chapter
def test_a_chapter_has_the_parts_a_reader_expects(name):
    text = "\n".join(
        cell.source for cell in find_chapter(ROOT, name).cells if cell.kind == "markdown"
    )
    assert [part for part in PARTS if part not in text] == []
    assert re.search(r"\*\d+ minutes · [●○]{5} · \d+ exercises, \d+ points", text), (
        "time, exercises and points stand under the title"
    )


@every_chapter
def test_the_title_counts_what_the_chapter_holds(name):
    chapter = find_chapter(ROOT, name)
    exercises, points = re.search(
        r"(\d+) exercises, (\d+) points", chapter.cells[0].source + chapter.cells[1].source
    ).groups()
    assert (int(exercises), int(points)) == (len(chapter.exercises), chapter.points)


@every_chapter
def test_the_time_under_the_title_is_what_reading_code_and_exercises_take(name):
    stated = find_chapter(ROOT, name).facts["minutes"]
    assert int(stated) == minutes(cells(student_path(ROOT, name)))


@every_chapter
def test_code_cells_are_short_and_prose_comes_between(name):
    run = 0
    for cell in find_chapter(ROOT, name).cells:
        if cell.kind == "code" and not cell.role:
            assert len(cell.source.splitlines()) <= LONGEST_CELL, f"line {cell.line}"
            run += 1
            assert run <= 3, f"line {cell.line}: {run} code cells without a word between them"
        elif cell.kind == "markdown":
            run = 0


@every_chapter
def test_no_line_of_code_is_wider_than_a_page(name):
    """88 columns are what the site shows at 1280 px and what stays whole in print. Left out:
    the title of a folded cell, addresses, and what names a property of a hidden test.
    """
    for path in (student_path(ROOT, name), solution_path(ROOT, name)):
        for cell in cells(path):
            lines = "".join(cell["source"]).splitlines() if cell["cell_type"] == "code" else []
            wide = [line for line in lines if len(line) > WIDEST_LINE]
            left_out = [line for line in wide if ONE_LINE.match(line.strip())]
            assert wide == left_out, cell["id"]


@every_chapter
def test_no_player_stands_between_a_colon_and_its_code(name):
    before = ""
    for cell in cells(student_path(ROOT, name)):
        source = "".join(cell["source"])
        if "<audio" in source:
            assert not before.endswith(":"), f"{cell['id']} stands after {before[-60:]!r}"
        before = source.split("**Listen")[0].rstrip()


@every_chapter
def test_every_hidden_block_names_the_property_it_tests(name):
    for exercise in find_chapter(ROOT, name).exercises:
        hidden = "\n".join(check.source for check in exercise.checks)
        if "BEGIN HIDDEN" in hidden:
            assert "# Property:" in hidden, exercise.id


@every_chapter
def test_every_picture_has_words_for_those_who_cannot_see_it(name):
    for cell in cells(solution_path(ROOT, name)):
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                assert len(output["metadata"].get("image/png", {}).get("alt", "")) > 20, (
                    f"cell {cell['id']}"
                )


@every_chapter
def test_student_code_parses_on_every_supported_python(name):
    for cell in cells(student_path(ROOT, name)):
        if cell["cell_type"] == "code":
            ast.parse("".join(cell["source"]), feature_version=(3, 10))


@every_chapter
def test_no_solution_output_depends_on_the_machine(name):
    for cell in cells(solution_path(ROOT, name)):
        text = json.dumps(
            [
                {
                    **o,
                    "data": {
                        k: v for k, v in o.get("data", {}).items() if not k.startswith("image/")
                    },
                }
                for o in cell.get("outputs", [])
            ]
        )
        assert not re.search(r"/work/|/tmp/|/home/|site-packages", text), f"cell {cell['id']}"


@every_chapter
def test_figures_in_the_release_are_small(name):
    """What GitHub, VS Code and nbviewer show at once. Some figures are matrices full of numbers."""
    path = student_path(ROOT, name)
    pictures = [
        "".join(output["data"]["image/png"])
        for cell in cells(path)
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    large = [picture for picture in pictures if len(b64decode(picture)) > LARGEST_PICTURE]
    assert len(large) <= FULL_OF_NUMBERS.get(name, 0)
    assert path.stat().st_size <= LARGEST_NOTEBOOK


def text_of(cell):
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", [])
        if output.get("name") != "stderr"
    ]
    return ADDRESS.sub("", "".join(texts))


@pytest.mark.slow
@pytest.mark.proof("release")
@every_chapter
def test_run_all_reaches_the_end_of_the_untouched_release_and_says_what_is_not_begun(
    name, tmp_path, monkeypatch
):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = student_path(ROOT, name)
    notebook = nbformat.read(path, as_version=4)
    released = {cell.id: text_of(cell) for cell in notebook.cells}
    with kernel(
        notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}
    ) as client:
        for index, cell in enumerate(notebook.cells):  # the first reply that is an error ends it
            client.execute_cell(cell, index)
    for cell in notebook.cells:
        said = "".join(o.text for o in cell.get("outputs", []) if o.get("name") == "stderr")
        said = said.strip(" \r")  # what a bar of progress leaves where a cell was slow
        waits = re.fullmatch(r"Needs exercise ([\d.]+): \S+( cell)? is not begun\.\n", said)
        seen = released[cell.id]
        if cell.metadata.get("nbgrader", {}).get("grade"):
            assert waits, f"{cell.metadata.nbgrader.grade_id}: {said}"
        elif not (
            cell.metadata.get("nbgrader") or "uses-exercise" in cell.metadata.get("tags", ())
        ):
            assert not said, f"{cell.id} is not tagged uses-exercise: {said}"
            if seen and "nbval-ignore-output" not in cell.metadata.get("tags", ()):
                assert agree(text_of(cell), seen, tolerance_of(cell)), cell.id
        elif waits and seen:
            assert re.search(rf"{re.escape(waits[1])}(?!\d)", seen), f"{cell.id}: {said}"
    table = "".join(output.text for output in notebook.cells[-1].outputs)
    chapter = find_chapter(ROOT, name)
    first, *rows = table.splitlines()[: len(chapter.exercises) + 1]
    assert first.startswith(f"0 of {chapter.points:g} points"), table
    assert all("is not begun" in row for row in rows), table


@pytest.mark.slow
@pytest.mark.proof("marks")
@every_chapter
def test_the_solution_gets_full_marks_and_the_untouched_release_none(name, engine):
    from autograder.grading.result import Status, Submission

    chapter = find_chapter(ROOT, name)
    untouched = engine.grade(Submission("untouched", name, student_path(ROOT, name).read_bytes()))
    assert untouched.points == 0 and {v.status for v in untouched.verdicts} == {Status.UNTOUCHED}
    solved = engine.grade(Submission("solved", name, solution_path(ROOT, name).read_bytes()))
    assert [v for v in solved.verdicts if v.status is not Status.PASSED] == []
    assert solved.points == chapter.points
