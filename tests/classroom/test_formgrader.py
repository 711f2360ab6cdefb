"""formgrader shows what `grade` graded, takes marks and comments, and its buttons grade with us."""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import pytest

from autograder.build.release import release
from autograder.classroom.paths import autograded_path
from autograder.classroom.results.autograded import autograded_notebook
from autograder.classroom.results.gradebook import Book
from autograder.course.chapter import find_chapter, student_path
from autograder.course.settings import load_settings
from autograder.grading.result import Status
from autograder.grading.verdicts import refused
from tests.conftest import ROOT
from tests.small_class import grade

from .test_by_hand import CODE, Answering
from .test_grade import handed_in  # noqa: F401  (a fixture)

RIGHT, WRONG = [Status.PASSED, Status.PASSED], [Status.PASSED, Status.WRONG]
CHAPTER = "ch01_small"
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
SCRIPT = "<script>window.stolen = 1</script>"


def written(root):
    """A notebook that a student wrote into: an answer, a note and outputs with a script in each."""
    notebook = json.loads(student_path(root, CHAPTER).read_text())
    for cell in notebook["cells"]:
        if cell.get("id") == "ch01_double":
            cell["source"] = CODE
            cell["outputs"] = [
                {"output_type": "stream", "name": "stdout", "text": f"said {SCRIPT}"},
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"text/html": SCRIPT, "text/plain": "plain", "image/png": PNG},
                },
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {"image/svg+xml": SCRIPT, "image/png": f'"{SCRIPT}'},
                },
            ]
    note = {"cell_type": "markdown", "id": "mine", "metadata": {}}
    notebook["cells"].insert(4, {**note, "source": f"My note. {SCRIPT} ```` [x](javascript:1)"})
    return json.dumps(notebook).encode()


def test_the_notebook_holds_answers_verdicts_and_nothing_that_runs(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    hand_in("ada", {f"{CHAPTER}.ipynb": written(settings.root)})
    grade(settings, chapter, Answering(chapter, {"ada": WRONG}))
    notebook = json.loads(autograded_path(settings, "ada", CHAPTER).read_text())
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    assert cells["ch01_double"]["source"] == CODE
    assert cells["ch01_half_check"]["outputs"][0]["text"].startswith("wrong: 0 of 1 points\n")
    assert cells["ch01_double_check"]["metadata"]["nbgrader"]["points"] == 2
    assert "-5.0" not in json.dumps(notebook), "hidden tests stay where they are"
    kinds = [tuple(one.get("data", "s")) for one in cells["ch01_double"]["outputs"]]
    assert kinds == [("s",), ("image/png",)]
    (note,) = (cell for cell in notebook["cells"] if "My note" in cell["source"])
    assert note["source"].startswith("`````text\n")
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown" and SCRIPT in cell["source"]:
            assert cell is note


def test_a_file_that_is_no_notebook_becomes_the_chapter_with_the_reason(course):
    release(course, ["ch01"])
    chapter = find_chapter(course, "ch01")
    result = refused(chapter, "ada", "it is a poem")
    made = json.loads(autograded_notebook(chapter, result))
    assert "it is a poem" in made["cells"][0]["source"]
    assert len(made["cells"]) == len(chapter.cells) + 1


@pytest.fixture
def server(course, monkeypatch):
    """A Jupyter server of the course, two students graded; yields its address."""
    release(course, ["ch01"])
    settings, chapter = load_settings(course), find_chapter(course, "ch01")
    for student in ("ada", "ben"):
        folder = course / "submitted" / student / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{CHAPTER}.ipynb").write_bytes(written(course))
        (folder / "timestamp.txt").write_text("2026-11-20 22:59:00 UTC\n")
    (course / "names.csv").write_text("id,first_name,last_name\nada,Ada,Lovelace\n")
    command = [sys.executable, "-m", "nbgrader", "db", "student", "import", "names.csv"]
    subprocess.run(command, cwd=course, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    grade(settings, chapter, Answering(chapter, {"ada": RIGHT, "ben": WRONG}))
    environment = {
        **os.environ,
        "HOME": str(course / "home"),
        "JUPYTER_CONFIG_DIR": str(course / "home"),
        "JUPYTER_DATA_DIR": str(course / "home"),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", "--port=0"]
    more = ["--IdentityProvider.token=", f"--ServerApp.root_dir={course}"]
    log = course / "server.log"
    with log.open("w") as stderr:
        running = subprocess.Popen([*command, *more], cwd=course, env=environment, stderr=stderr)
    try:
        for _ in range(600):
            found = re.search(r"(http://(?:127\.0\.0\.1|localhost):\d+)/", log.read_text())
            if found or running.poll() is not None:
                break
            time.sleep(0.1)
        assert found, log.read_text()
        yield found[1]
    finally:
        running.terminate()
        running.wait(timeout=20)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_formgrader_shows_scores_takes_comments_and_grades_with_us(course, server, browser):
    page = browser.new_page()
    page.set_default_timeout(90_000)
    page.goto(f"{server}/formgrader/manage_submissions/{CHAPTER}")
    row = page.locator("tbody tr", has_text="Lovelace, Ada")
    row.get_by_text("3 / 3").wait_for()
    assert "graded" in row.inner_text() and "needs" not in row.inner_text()
    assert "2 / 3" in page.locator("tbody tr", has_text="ben").inner_text()
    assert f"autograder grade {CHAPTER}" in page.content()
    assert "nbgrader autograde" not in page.content()

    page.goto(f"{server}/formgrader/gradebook/{CHAPTER}/{CHAPTER}")
    page.get_by_role("link", name="Submission #1").click()
    page.wait_for_function("document.querySelectorAll('input.score').length == 2")
    page.wait_for_function("document.querySelector('#ch01_double_check').placeholder == '2'")
    assert page.evaluate("window.stolen") is None
    assert "My note." in page.locator("body").inner_text()
    page.fill("#ch01_half_check", "0.5")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
        page.locator("#ch01_double-comment").focus()
    page.fill("#ch01_half-comment", "well argued")
    with page.expect_response(lambda answer: answer.request.method == "PUT" and answer.ok):
        page.locator("#ch01_double-comment").focus()
    settings = load_settings(course)
    with Book(settings.database, settings.course_id) as book:
        (given,) = book.by_hand(CHAPTER).values()
    assert given.points == {"ch01_half_check": 0.5}
    assert given.comments == {"ch01_half": "well argued"}

    if shutil.which("bwrap"):
        page.goto(f"{server}/formgrader/manage_submissions/{CHAPTER}")
        row.locator(".glyphicon-flash").click()
        page.get_by_text(f"Successfully autograded '{CHAPTER}' for student 'ada'.").wait_for()
        entry = json.loads((course / "marks" / CHAPTER / "ada.json").read_text())
        found = {one["check"]: one["status"] for one in entry["result"]["verdicts"]}
        assert found == {"ch01_double_check": "passed", "ch01_half_check": "not attempted"}
    page.close()
