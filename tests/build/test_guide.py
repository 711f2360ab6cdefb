"""The page for students' assistants: it quotes what students can read, and holds no key."""

import ast
import json
import re

import pytest

from autograder.__main__ import main
from autograder.build.fresh import stale_files
from autograder.build.guide import MARK, guide, guide_path
from autograder.build.known_mistakes import table_path
from autograder.build.leaks import check_tree, secret_lines
from autograder.build.release import release
from autograder.course.bank import bank_folder, right_answers
from autograder.course.chapter import chosen_chapters, find_chapter, student_path
from autograder.course.errors import LeakError
from autograder.course.settings import load_settings
from tests.conftest import ROOT, real_chapters

QUOTED = re.compile(r"“([^”]+)”")


def messages(code):
    """The strings of a cell, each whole however many lines it stands on."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(part.value for part in node.values if isinstance(part, ast.Constant))


@pytest.fixture(scope="module")
def page():
    return guide(ROOT, chosen_chapters(ROOT)).decode()


BANK = """# %% right: twice
def double(x):
    return x + x

# %% wrong: thrice -> the input was not doubled
def double(x):
    return 3 * x
"""
ITS_FILE = "bank/ch01_small/double.py"


@pytest.fixture
def guided(course, monkeypatch):
    """The small course with a template for the page, and a bank for its first exercise only."""
    monkeypatch.chdir(course)
    (course / "source" / "AGENTS.md").write_text(f"# Help\n\n{MARK}\n", encoding="utf-8")
    path = bank_folder(course) / "ch01_small" / "double.py"
    path.parent.mkdir(parents=True)
    path.write_text(BANK, encoding="utf-8")
    return course


def test_the_release_writes_the_page_whoever_calls_it(guided):
    release(guided)
    page = guide_path(guided).read_bytes()
    assert "thrice (“the input was not doubled”)" in page.decode()
    guide_path(guided).unlink()
    assert main(["release"]) == 0
    assert guide_path(guided).read_bytes() == page


def test_a_page_that_is_not_what_the_bank_gives_is_stale(guided):
    release(guided)
    assert stale_files(guided) == []
    path = guided / ITS_FILE
    path.write_text(BANK.replace("thrice", "tripled"), encoding="utf-8")
    assert stale_files(guided) == [guide_path(guided).relative_to(guided)]


def test_a_bank_that_is_missing_is_told_first_and_the_chapter_is_built(guided, capsys):
    assert main(["release", "ch01"]) == 0
    told, built = capsys.readouterr().err.strip().splitlines()
    assert told.startswith("ch01_small: the bank has no bank/ch01_small/half.py, so nothing proves")
    assert built.startswith("ch01_small ")
    assert "Exercise 1.2 · Half**, no hints.\n" in guide_path(guided).read_text(encoding="utf-8")


def test_a_bank_that_cannot_be_read_is_told_before_anything_is_built(guided, capsys):
    (guided / ITS_FILE).write_text("# %% nearly: right\n", encoding="utf-8")
    assert main(["release"]) == 1
    assert "double.py:1: expected '# %% right: name'" in capsys.readouterr().err
    assert not student_path(guided, "ch01_small").exists()


@pytest.mark.parametrize("name", real_chapters())
def test_each_mistake_it_names_stands_in_a_check_that_students_have(page, name):
    chapter = find_chapter(ROOT, name)
    section = page.partition(f"### Chapter {chapter.title}\n")[2].partition("\n### ")[0]
    lines = [line for line in section.splitlines() if line.startswith("- ")]
    assert len(lines) == len(chapter.exercises)
    cells = json.loads(student_path(ROOT, name).read_text(encoding="utf-8"))["cells"]
    shown = "\n".join(
        text
        for cell in cells
        if cell["cell_type"] == "code"
        for text in messages("".join(cell["source"]))
    )
    if table_path(ROOT, chapter).is_file():  # of known mistakes: students have it in the wheel
        shown += table_path(ROOT, chapter).read_text(encoding="utf-8")
    for line, exercise in zip(lines, chapter.exercises, strict=True):
        phrases = QUOTED.findall(line)
        assert exercise.title in line and len(phrases) >= 4, line
        assert [phrase for phrase in phrases if phrase not in shown] == []
        answers = [answer.text for answer in right_answers(ROOT, name, exercise.id)]
        lines_of_answers = {one.strip() for answer in answers for one in answer.splitlines()}
        assert not [one for one in lines_of_answers if len(one) > 7 and one in line]


def test_a_line_of_a_solution_in_it_is_a_leak(page, tmp_path):
    secret = next(iter(secret_lines(load_settings(ROOT), [find_chapter(ROOT, "ch01")])))
    (tmp_path / "AGENTS.md").write_text(page, encoding="utf-8")
    check_tree(ROOT, tmp_path)
    (tmp_path / "AGENTS.md").write_text(page + f"\n    {secret}\n", encoding="utf-8")
    with pytest.raises(LeakError, match="stands only inside a solution"):
        check_tree(ROOT, tmp_path)


def test_a_course_without_a_template_has_no_page(course):
    release(course)
    assert not guide_path(course).exists() and stale_files(course) == []
