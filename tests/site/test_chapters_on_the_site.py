"""What a chapter's page shows and hides: answers folded or left out, hidden tests never, pictures
with their words, the notebook's own text.
"""

import json
import re
from functools import cache

import nbformat
import pytest

from autograder.course.chapter import chapter_paths, read_chapter, solution_path, student_path
from autograder.course.regions import region_lines
from coursesite.site.chapters import facts_of_all
from coursesite.site.pages import FOLDED, NONE, OPEN, page

from ..conftest import ROOT, real_chapters

FACTS = cache(lambda: facts_of_all(ROOT))


@cache
def notebook(name, answers):
    facts = next(one for one in FACTS() if one.name == name)
    solution, student = (
        nbformat.read(path(ROOT, name), as_version=4) for path in (solution_path, student_path)
    )
    return page(facts, FACTS(), solution, student, "https://example.org/colab", answers), solution


def text_of(cells):
    return "\n".join(cell.source for cell in cells)


@cache
def chapter(name):
    return read_chapter(next(path for path in chapter_paths(ROOT) if path.stem == name))


@pytest.mark.parametrize("name", real_chapters())
@pytest.mark.parametrize("answers", [FOLDED, NONE])
def test_no_line_that_only_hidden_tests_hold_is_on_the_page(name, answers):
    made, _ = notebook(name, answers)
    shown = set(map(str.strip, text_of(made.cells).splitlines()))
    hidden = {
        line.strip()
        for exercise in chapter(name).exercises
        for check in exercise.checks
        for line in region_lines(check.source)
        if len(line.strip()) > 30
    }
    elsewhere = {line.strip() for cell in chapter(name).cells for line in cell.visible.splitlines()}
    assert hidden and sorted((hidden - elsewhere) & shown) == []


@pytest.mark.parametrize("name", real_chapters())
def test_left_out_answers_are_nowhere_and_the_stubs_are_there(name):
    made, solution = notebook(name, NONE)
    codes = [cell.source for cell in made.cells if cell.cell_type == "code"]
    solutions = {
        cell.source for cell in solution.cells if cell.metadata.get("nbgrader", {}).get("solution")
    }
    assert not solutions & set(codes)
    assert sum("# YOUR CODE HERE" in code for code in codes) == len(solutions)


@pytest.mark.parametrize("name", real_chapters())
def test_every_answer_stands_in_a_fold_below_its_stub(name):
    made, solution = notebook(name, FOLDED)
    before = {
        cell.source: previous.source
        for previous, cell in zip(made.cells, made.cells[1:], strict=False)
    }
    answers = [
        cell.source for cell in solution.cells if cell.metadata.get("nbgrader", {}).get("solution")
    ]
    assert answers and all(
        before[answer].startswith('<details class="fold answer">') for answer in answers
    )


def test_one_setting_opens_the_answers():
    made, _ = notebook(real_chapters()[0], OPEN)
    assert '<details class="fold answer" open>' in text_of(made.cells)


@pytest.mark.parametrize("name", real_chapters())
def test_no_output_is_lost(name):
    made, solution = notebook(name, FOLDED)
    outputs = [
        json.dumps(output, sort_keys=True)
        for cell in solution.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert [
        json.dumps(output, sort_keys=True)
        for cell in made.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ] == outputs


@pytest.mark.parametrize("name", real_chapters())
def test_every_fold_is_closed_again(name):
    made, _ = notebook(name, FOLDED)
    folds = [
        cell.source
        for cell in made.cells
        if cell.cell_type == "markdown"
        and re.match(r"</?details", cell.source)
        and not ("<details" in cell.source and "</details>" in cell.source)  # one of the chapter's
    ]
    assert [fold.startswith("</") for fold in folds] == [False, True] * (len(folds) // 2)


@pytest.mark.parametrize("name", real_chapters())
def test_what_the_site_says_about_a_chapter_is_all_there(name):
    facts = next(one for one in FACTS() if one.name == name)
    assert (
        facts.minutes
        and facts.needs
        and facts.question
        and facts.difficulty
        and facts.exercises == len(chapter(name).exercises)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", real_chapters())
def test_each_picture_of_the_notebook_has_its_own_words_in_the_page(name, site):
    from html import unescape

    wanted = [
        output.metadata["image/png"]["alt"]
        for cell in nbformat.read(solution_path(ROOT, name), as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    page_text = (site / f"{name}.html").read_text(encoding="utf-8")
    assert [unescape(alt) for alt in re.findall(r'<img[^>]*\balt="([^"]*)"', page_text)] == wanted
