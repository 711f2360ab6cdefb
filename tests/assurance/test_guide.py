"""The page for students' assistants: it quotes what students can read, and holds no key."""

import ast
import json
import re

import pytest

from autograder.assurance.guide import guide, guide_path
from autograder.build.known_mistakes import table_path
from autograder.build.leaks import check_tree, secret_lines
from autograder.build.release import student_path
from autograder.course.bank import right_answers
from autograder.course.chapter import find_chapter
from autograder.course.errors import LeakError
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
    return guide(ROOT).decode()


def test_the_committed_page_is_what_template_bank_and_notebooks_give(page):
    assert guide_path(ROOT).read_text(encoding="utf-8") == page


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
    if table_path(ROOT, chapter).is_file():
        shown += table_path(ROOT, chapter).read_text(encoding="utf-8")
    for line, exercise in zip(lines, chapter.exercises, strict=True):
        phrases = QUOTED.findall(line)
        assert exercise.title in line and len(phrases) >= 4, line
        assert [phrase for phrase in phrases if phrase not in shown] == []
        answers = [answer.text for answer in right_answers(ROOT, name, exercise.id)]
        lines_of_answers = {one.strip() for answer in answers for one in answer.splitlines()}
        assert not [one for one in lines_of_answers if len(one) > 7 and one in line]


def test_a_line_of_a_solution_in_it_is_a_leak(page, tmp_path):
    secret = next(iter(secret_lines([find_chapter(ROOT, "ch01")])))
    (tmp_path / "AGENTS.md").write_text(page, encoding="utf-8")
    check_tree(ROOT, tmp_path)
    (tmp_path / "AGENTS.md").write_text(page + f"\n    {secret}\n", encoding="utf-8")
    with pytest.raises(LeakError, match="stands only inside a solution"):
        check_tree(ROOT, tmp_path)


def test_a_course_without_a_template_has_no_page(tmp_path):
    assert guide(tmp_path) == b""
