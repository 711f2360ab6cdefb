"""What `grade` prints: the table of a class. And which commands there are."""

import io
from importlib.metadata import EntryPoint

from rich.console import Console

from autograder.__main__ import command_line
from autograder.cli.grade import results_table
from autograder.course.chapter import find_chapter
from autograder.grading.result import Result, Status, Verdict


def test_the_table_holds_a_row_for_each_student_and_a_column_for_each_exercise(course):
    chapter = find_chapter(course, "ch01")
    verdicts = (
        Verdict("ch01_double_check", "ch01_double", Status.PASSED, 2, 2),
        Verdict("ch01_half_check", "ch01_half", Status.WRONG, 0, 1, "6 must become 3"),
    )
    results = [
        Result("ada", chapter.name, verdicts),
        Result("\x1b[2J[bold]ben", chapter.name, (), problem="not a notebook"),
    ]
    console = Console(file=io.StringIO(), width=120)
    console.print(results_table(chapter, results))
    said = console.file.getvalue()
    words = [line.replace("│", " ").replace("┃", " ").split() for line in said.splitlines()]
    assert ["student", "1.1", "1.2", "points", "remark"] in words
    assert ["ada", "2/2", "0/1", "2/3"] in words
    assert "[bold]ben" in said and "not a notebook" in said and "\x1b" not in said


def test_a_package_that_is_not_there_adds_no_command(monkeypatch):
    """As in Gradescope's container, where the metadata names the course site."""
    gone = EntryPoint("gone", "no_such_package.commands:add", "autograder.commands")
    monkeypatch.setattr("autograder.cli.console.entry_points", lambda group: [gone])
    assert "grade" in command_line().format_help()
