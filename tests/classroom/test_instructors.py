"""docs/instructors.md, followed line by line: every command that it names is run, or at least
understood, as it stands there.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import SubmittedAssignment

from autograder.__main__ import command_line, main
from autograder.build.release import release
from autograder.classroom.results.gradebook import Book
from autograder.course.chapter import student_path
from autograder.course.settings import DEFAULT_REPOSITORY, Settings
from tests.conftest import ROOT

from .test_collect import make_zip

FORK = "prof/nlp-26"
LINK = Settings(ROOT, repository=DEFAULT_REPOSITORY).hosted_url("notebooks")
SET_UP = f'import math\nhere = "{LINK}"  # for subprocess.run'  # a sign, where it is a student's
DOCS = (ROOT / "docs/instructors.md").read_text(encoding="utf-8")
INLINE = re.compile(r"`autograder ([a-z][^`]*)`")
BLOCK = re.compile(r"^\.venv/bin/python -m autograder ([^#\n]+)", re.MULTILINE)


@pytest.fixture
def course(course):
    """The course as an instructor has it: a fork with another name, in a folder with brackets and
    blanks, its sources saved on Windows.
    """
    folder = course / "my course [ws 26]"
    folder.mkdir()
    for path in course.iterdir():
        if path != folder:
            shutil.move(path, folder)
    for path in folder.glob("source/*/*.py"):
        text = path.read_text(encoding="utf-8").replace("import math", SET_UP)
        path.write_text(text, encoding="utf-8", newline="\r\n")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    address = f"https://github.com/{FORK}.git"
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", address], check=True)
    return folder


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
    assert f"{FORK}/main/notebooks".encode() in notebook and LINK.encode() not in notebook
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
        if words[0] == "collect":  # "--dry-run first says the same and writes nothing"
            assert main([*words, "--dry-run"]) == 0 and not (course / "submitted").exists()
            dry = capsys.readouterr().out
            assert "read 2 student(s) in 1 chapter(s): 2 taken" in dry and "carl" in dry
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
    # the export knew the roster that collect used: 101 is ada
    assert '"Doe, Ada",101,,,0\n' in (course / "marks/ch01_small-canvas.csv").read_text()
    said = capsys.readouterr().out
    assert "tampering" not in said  # the links of the fork are not the student's
    assert said.count("not handed in, ch01_small: carl") == 3 and "1 missing: carl" in said


def test_the_rest_of_the_page_does_what_it_says(course, monkeypatch, capsys):
    release(course, ["ch01"])
    monkeypatch.chdir(course)
    clone, public = course / "FOLDER/ch01-octocat", f"{course}-public"
    clone.mkdir(parents=True)
    shutil.copy(student_path(course, "ch01_small"), clone)
    (course / "roster.csv").write_text("student,github\nada,octocat\nben,hubot\n")
    ten = DOCS.partition("## The first term in ten commands")[2].partition("\n| platform")[0]
    ran = []
    for words in commands(DOCS.replace(ten, "")):
        if words[0] == "publish":
            words = [word.replace("../your-course", public) for word in words]
        else:
            words = [word.replace("ch02", "ch01") for word in words]
        ran.append(" ".join(words[:2]))
        if words[0] == "grade":  # one of the ten
            continue
        if words[0] == "site":  # takes minutes: tests/site builds it
            (course / "_build/site").mkdir(parents=True)
            (course / "_build/site/index.html").write_text("<p>The course.</p>")
            (course / "_build/site/.made-from").write_text("its sources")
            continue
        if words[0] == "publish":
            release(course)
        assert main(words) == int(words[0] == "canvas"), words  # off until it is set up
    assert ran == [
        *("canvas collect", "canvas send", "gradescope pack", "grade ch01", "collect FOLDER"),
        *(f"publish {public}", "site --answers", f"publish {public}"),
    ]
    said = capsys.readouterr()
    assert said.err.count("Canvas's API is off: set canvas_url") == 2
    assert "not handed in, ch01_small: ben" in said.out
    assert (course / "submitted/ada/ch01_small/ch01_small.ipynb").is_file()
    assert (course / "marks/ch01_small-gradescope-autograder.zip").is_file()
    assert Path(public, "notebooks/ch02_carries/ch02_carries.ipynb").is_file()
    assert Path(public, "docs/index.html").is_file()


def test_several_chapters_or_all_that_have_submissions_are_graded(course, monkeypatch, capsys):
    graded: list = []
    monkeypatch.chdir(course)
    monkeypatch.setattr(
        "autograder.cli.grade.grade_with_progress",
        lambda settings, chapter, *more: graded.append(chapter.name),
    )
    assert main(["grade", "all"]) == 1
    assert "expected submissions in" in capsys.readouterr().err
    (course / "submitted/ada/ch01_small").mkdir(parents=True)
    assert main(["grade", "all"]) == 0 and graded == ["ch01_small"]
    assert main(["grade", "ch01", "ch02"]) == 0 and graded[1:] == ["ch01_small", "ch02_carries"]
    assert main(["grade", "ch01", "ch09"]) == 1 and len(graded) == 3


@pytest.mark.slow
def test_nothing_of_a_student_is_left_once_the_privacy_table_was_followed(course, monkeypatch):
    student, name = "zq7student", "quxfamilyname"
    release(course, ["ch01"])
    monkeypatch.chdir(course)
    make_zip(
        course / "submissions.zip",
        {f"{name}_101_9001_ch01.ipynb": student_path(course, "ch01_small").read_bytes()},
    )
    (course / "roster.csv").write_text(f"student,canvas\n{student},101\n")
    assert main(["collect", "submissions.zip", "--roster", "roster.csv"]) == 0
    assert main(["grade", "ch01", "--no-sandbox", "--workers", "1"]) == 0
    assert main(["term"]) == 0

    def traces():
        return {
            path.relative_to(course).as_posix()
            for path in course.rglob("*")
            if path.is_file()
            and any(
                word.encode() in path.read_bytes() or word in path.as_posix()
                for word in (student, name)
            )
        }

    table = DOCS.partition("## Privacy")[2]
    assert {path.partition("/")[0] for path in traces()} == {
        *("submitted", "marks", "feedback", "autograded"),  # the folders of the table
        *("gradebook.db", "roster.csv", "submissions.zip"),
    }
    (command,) = re.findall(r"`.venv/bin/nbgrader (db student remove ID --force)`", table)
    words = [sys.executable, "-m", "nbgrader", *command.replace("ID", student).split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(course)}
    subprocess.run(words, check=True, capture_output=True, env=environment)
    with Book(f"sqlite:///{course / 'gradebook.db'}", "attention") as book:
        assert not book.book.students and not book.book.db.query(SubmittedAssignment).count()
    for folder in (f"submitted/{student}", f"feedback/{student}", f"autograded/{student}", "marks"):
        assert f"`{folder.replace(student, '<student>')}/`" in table
        shutil.rmtree(folder)
    for path in ("submitted/collected.csv", "roster.csv", "submissions.zip"):
        (course / path).unlink()
    noted = course / "submitted/collected.json"
    entries = json.loads(noted.read_text()).items()
    left = {place: note for place, note in entries if not place.startswith(f"{student}/")}
    noted.write_text(json.dumps(left))
    # SQLite keeps the bytes of rows that are gone until it needs the room
    assert traces() <= {"gradebook.db"}
