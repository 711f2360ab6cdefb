"""The zip that Gradescope runs: what is in it, and what one submission gets there."""

import io
import json
import subprocess
import sys
import zipfile

import pytest

from autograder.build.release import release, student_path
from autograder.classroom.results.gradescope import autograder_zip, grade_folder
from autograder.course.chapter import find_chapter
from autograder.grading import Engine
from tests import damage
from tests.notebooks import as_bytes


@pytest.fixture
def released(course):
    release(course, ["ch01"])
    return course, json.loads(student_path(course, "ch01_small").read_text(encoding="utf-8"))


@pytest.fixture
def engine(course):
    with Engine(course, sandbox=False) as warm:
        yield warm


def results(released, engine, files):
    """results.json for a submission of these files: {name: bytes or notebook}."""
    root, _ = released
    folder = root / "gradescope"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else as_bytes(content))
    return json.loads(grade_folder(find_chapter(root, "ch01"), folder, engine))


def test_a_solved_notebook_gets_every_point(released, engine):
    told = results(released, engine, {"ch01_small.ipynb": damage.solved(released[1])})
    assert told["score"] == 3 and [test["max_score"] for test in told["tests"]] == [2, 1]
    assert {test["status"] for test in told["tests"]} == {"passed"}


def test_a_mistake_costs_its_points_and_is_named_without_the_hidden_test(released, engine):
    notebook = damage.solved(released[1])
    damage.cell(notebook, "ch01_double")["source"] = "def double(x):\n    return abs(2 * x)"
    told = results(released, engine, {"ch01_small.ipynb": notebook})
    first = told["tests"][0]
    assert told["score"] == 1 and (first["score"], first["status"]) == (0, "failed")
    assert "works for negative numbers" in first["output"] and "(-5.0, -7.0)" not in json.dumps(
        told
    )


@pytest.mark.parametrize(
    "files, says",
    [
        ({}, "No notebook"),
        ({"essay.pdf": b"%PDF"}, "No notebook"),
        ({"ch01_small.ipynb": b"%PDF"}, "not a notebook"),
        ({"a.ipynb": b"{}", "b.ipynb": b"{}"}, "Several notebooks"),
    ],
)
def test_what_cannot_be_graded_gets_no_points_and_one_reason(released, engine, files, says):
    told = results(released, engine, files)
    assert (
        told["score"] == 0 == sum(test["score"] for test in told["tests"])
        and says in told["output"]
    )


def test_of_several_notebooks_the_one_with_the_chapters_name_counts(released, engine):
    told = results(
        released, engine, {"scratch.ipynb": b"{}", "ch01_small.ipynb": damage.solved(released[1])}
    )
    assert told["score"] == 3


def test_the_zip_holds_the_two_scripts_that_gradescope_calls_and_is_the_same_every_time(course):
    chapter = find_chapter(course, "ch01")
    data = autograder_zip(course, chapter)
    assert data == autograder_zip(course, chapter)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        executable = {
            info.filename for info in archive.infolist() if info.external_attr >> 16 & 0o111
        }
        assert executable == {"setup.sh", "run_autograder"}
        assert "ch01_small" in archive.read("run_autograder").decode()


@pytest.mark.slow
def test_the_packed_course_grades_from_where_it_is_unpacked(released, real_root, tmp_path):
    root, notebook = released
    source = tmp_path / "autograder" / "source"
    for archive_root in (real_root, root):  # the package, and then the small course over it
        with zipfile.ZipFile(
            io.BytesIO(autograder_zip(archive_root, find_chapter(archive_root, "ch01")))
        ) as archive:
            archive.extractall(source)
    submission = tmp_path / "submission"
    submission.mkdir()
    (submission / "ch01_small.ipynb").write_bytes(as_bytes(damage.solved(notebook)))
    script = (source / "run_autograder").read_text(encoding="utf-8")
    command = (
        script.partition("python")[2].replace("\\\n", "").split()
    )  # what the script runs, with this Python and these folders
    moved = [
        part.replace("/autograder/submission", str(submission)).replace(
            "/autograder/results", str(tmp_path)
        )
        for part in command
    ]
    done = subprocess.run(
        [sys.executable, *moved], cwd=source, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert told["score"] == 3 or "could not run here" in told["output"]
