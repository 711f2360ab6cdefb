"""nbgrader's stock commands work from the course's root, on the files that our build makes and in
the same gradebook.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.build.release import release
from autograder.course.chapter import student_path

pytestmark = pytest.mark.slow
CHAPTER = "ch01_small"


@pytest.fixture
def nbgrader(course):
    """Run a stock nbgrader command in the course, with an exchange of its own."""
    release(course, ["ch01"])
    exchange = course / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = course / "nbgrader_config.py"
    config.write_text(
        config.read_text()
        + f"\nc.Exchange.root = {str(exchange)!r}\nc.Exchange.cache = {str(course / 'cache')!r}\n"
    )
    scripts = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "USER": "stella",
        "LOGNAME": "stella",
        "JUPYTER_DATA_DIR": str(course / "jupyter"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }

    def run(*command, folder=course, stock="", ends=0):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=folder,
            env={**environment, "AUTOGRADER_STOCK": stock},
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == ends, done.stderr[-3000:]
        return done.stdout + done.stderr

    return run


def test_the_stock_release_is_ours(course, nbgrader):
    deeper = student_path(course, CHAPTER).with_name("deeper.ipynb")
    deeper.write_text("committed")
    ours = student_path(course, CHAPTER).read_text()
    nbgrader("generate_assignment", CHAPTER)
    nbgrader("generate_assignment", CHAPTER, "--force")
    assert student_path(course, CHAPTER).read_text() == ours and deeper.exists()
    files = [path.name for path in (course / "release" / CHAPTER).iterdir()]
    assert files == [f"{CHAPTER}.ipynb"], "the script with the solutions lies beside the notebook"
    stock = (course / "release" / CHAPTER / f"{CHAPTER}.ipynb").read_text()
    for text in (stock, ours):
        assert "twice_the_input" not in text and "-5.0" not in text
    assert re.findall(r'"(?:id|checksum)": "(\w+)"', stock) == re.findall(
        r'"(?:id|checksum)": "(\w+)"', ours
    )


def test_a_fresh_clone_and_an_edited_script_are_what_nbgrader_generates(course, nbgrader):
    for notebook in course.glob("source/*/*.ipynb"):  # git-ignored: a clone has none
        notebook.unlink()
    nbgrader("generate_assignment", CHAPTER, "--force")
    script = course / "source" / CHAPTER / f"{CHAPTER}.py"
    script.write_text(script.read_text().replace("Its question.", "Another question."))
    later = script.stat().st_mtime + 10
    os.utime(script, (later, later))
    nbgrader("generate_assignment", CHAPTER, "--force")
    stock = course / "release" / CHAPTER / f"{CHAPTER}.ipynb"
    assert "Another question." in stock.read_text()


def test_an_assignment_goes_through_the_exchange_and_is_graded(course, nbgrader):
    nbgrader(
        "generate_assignment", CHAPTER, "--force"
    )  # our build leaves the gradebook alone, autograde wants it filled
    nbgrader("release_assignment", CHAPTER)
    home = course / "home"
    home.mkdir()
    (home / "nbgrader_config.py").write_text(
        "c = get_config()\nc.CourseDirectory.course_id = 'attention'\n"
        f"c.Exchange.root = {str(course / 'exchange')!r}\nc.Exchange.cache = "
        f"{str(course / 'cache')!r}\n"
    )
    nbgrader("fetch_assignment", CHAPTER, "--course=attention", folder=home)
    notebook = home / CHAPTER / f"{CHAPTER}.ipynb"
    solved = notebook.read_text().replace(
        '# YOUR CODE HERE\\n",\n    "    raise NotImplementedError()', "return 2 * x", 1
    )
    assert solved != notebook.read_text()
    notebook.chmod(0o644)
    notebook.write_text(solved)
    nbgrader("submit", CHAPTER, "--course=attention", folder=home)
    nbgrader("collect", CHAPTER)
    nbgrader("autograde", CHAPTER, stock="1")
    assert scores(course) == {"ch01_double_check": 2, "ch01_half_check": 0}
    nbgrader("generate_feedback", CHAPTER, stock="1")
    (page,) = (course / "feedback").rglob("*.html")
    assert "works for negative numbers" in page.read_text(), "the stock page shows hidden tests"


@pytest.mark.skipif(not shutil.which("bwrap"), reason="needs bubblewrap")
def test_nbgraders_own_commands_grade_sealed_and_show_no_hidden_test(course, nbgrader):
    folder = course / "submitted" / "ada" / CHAPTER
    folder.mkdir(parents=True)
    answer = "import os; os.mkdir('{}'); return 2 * x".format(course / "unsealed")
    solved = (
        student_path(course, CHAPTER)
        .read_text()
        .replace('# YOUR CODE HERE\\n",\n    "    raise NotImplementedError()', answer, 1)
    )
    assert answer in solved
    (folder / f"{CHAPTER}.ipynb").write_text(solved)
    nbgrader("autograde", CHAPTER)
    assert scores(course)["ch01_half_check"] == 0 and not (course / "unsealed").exists()
    nbgrader("generate_feedback", CHAPTER)
    for path in (course / "feedback").rglob("*.html"):
        assert "works for negative numbers" not in path.read_text()


def test_a_plain_assignment_beside_the_chapters_stays_nbgraders(course, nbgrader):
    def cell(text, **graded):
        about = {"grade": False, "solution": False, "locked": False, "task": False, **graded}
        about |= {"grade_id": f"cell-{len(text)}", "schema_version": 3}
        return nbformat.v4.new_code_cell(text, metadata={"nbgrader": about})

    answer = cell("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", solution=True)
    check = cell("assert x == 1", grade=True, points=2, locked=True)
    path = course / "source" / "ps1" / "ps1.ipynb"
    path.parent.mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=[answer, check]), path)
    nbgrader("generate_assignment", "ps1")
    assert "x = 1" not in (course / "release" / "ps1" / "ps1.ipynb").read_text()
    shutil.copytree(path.parent, course / "submitted" / "ada" / "ps1")
    assert "ps1 is no chapter" in nbgrader("autograde", "ps1", ends=1)
    nbgrader("autograde", "ps1", stock="1")
    assert (course / "autograded" / "ada" / "ps1" / "ps1.ipynb").is_file()


def scores(course):
    """{check: automatic points} of the only submission."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as book:
        return {
            grade.name: grade.auto_score
            for submission in book.assignment_submissions(CHAPTER)
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


def test_stock_zip_collect_reads_the_same_downloads(course, nbgrader):
    archive = course / "downloaded" / CHAPTER / "archive"
    archive.mkdir(parents=True)
    sent = student_path(course, CHAPTER).read_bytes()
    with zipfile.ZipFile(archive / "submissions.zip", "w") as made:
        made.writestr(f"ada/{CHAPTER}.ipynb", sent)
    nbgrader("generate_assignment", CHAPTER, "--force")
    nbgrader(
        "zip_collect",
        CHAPTER,
        "--ZipCollectApp.collector_plugin=nbgrader.plugins.zipcollect.FileNameCollectorPlugin",
        r"--FileNameCollectorPlugin.named_regexp=.+/extracted/submissions/"
        r"(?P<student_id>\w+)/(?P<file_id>\w+)\.ipynb",
        "--force",
    )
    assert (course / "submitted" / "ada" / CHAPTER / f"{CHAPTER}.ipynb").read_bytes() == sent
