"""docs/instructors.md, followed line by line: every command that it names is run, or at least
understood, as it stands there.
"""

import re
import shlex

import pytest

from autograder.__main__ import command_line, main
from autograder.build.release import release, student_path
from tests.conftest import ROOT

from .test_collect import make_zip

DOCS = (ROOT / "docs/instructors.md").read_text(encoding="utf-8")
INLINE = re.compile(r"`autograder ([a-z][^`]*)`")
BLOCK = re.compile(r"^\.venv/bin/python -m autograder ([^#\n]+)", re.MULTILINE)


def commands(text):
    """The commands of a text, in order, each as a list of words."""
    found = [*INLINE.finditer(text), *BLOCK.finditer(text)]
    return [shlex.split(one[1]) for one in sorted(found, key=lambda one: one.start())]


def test_every_command_of_the_page_and_the_readme_is_understood():
    named = commands(DOCS) + commands((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(named) >= 12
    for words in named:
        command_line().parse_args(words)  # ends the program where it does not understand


def test_every_platform_of_the_table_can_be_collected_from():
    for name in ("Canvas", "Moodle", "Gradescope", "Blackboard", "Brightspace"):
        assert re.search(rf"^\| {name} \|", DOCS, re.MULTILINE)
        command_line().parse_args(["collect", "x.zip", "--from", name.lower()])


@pytest.mark.slow
def test_the_ten_commands_do_what_the_page_says(course, monkeypatch, capsys):
    release(course, ["ch01"])
    monkeypatch.chdir(course)
    notebook = student_path(course, "ch01_small").read_bytes()
    files = {"doeada_LATE_101_9001_ch01.ipynb": notebook, "roeben_102_9002_ch01.ipynb": notebook}
    make_zip(course / "submissions.zip", files)
    (course / "roster.csv").write_text("student,canvas\nada,101\nben,102\ncarl,103\n")
    (course / "Grades.csv").write_text(
        'Student,ID,SIS User ID,Section,ch01 (7)\n    Points Possible,,,,3\n"Doe, Ada",101,,,\n'
    )
    ten = DOCS.partition("## The first term in ten commands")[2].partition("\n| platform")[0]
    ran = []
    for words in commands(ten):
        words = [word.replace("ch02", "ch01") for word in words]
        if words[-1] == "moodle":
            continue
        alone = ["--no-sandbox", "--workers", "1"] if words[0] == "grade" else []
        assert main([*words, *alone]) == 0, words
        ran.append(words[0])
    assert ran == ["collect", "grade", "grade", "grade", "export", "return", "term"]
    for path in (
        "marks/ch01_small.csv",
        "marks/ch01_small.html",
        "feedback/ada/ch01_small/ch01_small.html",
        "marks/ch01_small-canvas.csv",
        "marks/ch01_small-feedback-canvas.zip",
        "marks/term.csv",
        "marks/term.html",
    ):
        assert (course / path).is_file(), path
    said = capsys.readouterr().out
    assert "not handed in, ch01_small: carl" in said and "1 missing: carl" in said
