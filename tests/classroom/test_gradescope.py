"""The zip that Gradescope runs: what is in it, and what one submission gets there."""

import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from autograder.build.release import release
from autograder.classroom.results.gradescope import SETUP, autograder_zip, grade_folder
from autograder.course.chapter import find_chapter, student_path
from autograder.grading import Engine
from tests import damage
from tests.everyones_python import python_for_all
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


PRYING = """def double(x):
    import os, pathlib, signal, urllib.request
    tries = [
        lambda: pathlib.Path({source!r}).read_text(),
        lambda: pathlib.Path({results!r}).write_text("{{}}"),
        lambda: os.listdir({folder!r}),
        lambda: os.kill(1, 0),
    ]
    for one in tries:
        try:
            one()
            return "it worked"
        except OSError:
            pass
    return 2 * x
"""


@pytest.fixture
def container(released):
    """A folder that any user may enter, with the course and a submission that looks around."""
    root, notebook = released
    with tempfile.TemporaryDirectory(prefix="gradescope-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(root, folder / "source")
        for part in ("submission", "results"):
            (folder / part).mkdir()
        solved = damage.solved(notebook)
        damage.cell(solved, "ch01_double")["source"] = PRYING.format(
            source=str(folder / "source/source/ch01_small/ch01_small.py"),
            results=str(folder / "results/results.json"),
            folder=str(folder / "results"),
        )
        (folder / "submission/ch01_small.ipynb").write_bytes(as_bytes(solved))
        yield folder


def run_without_namespaces(container, path, python):
    """(results.json, what was printed) where bubblewrap is as ``path`` has it."""
    words = ["ch01", str(container / "submission"), str(container / "results/results.json")]
    done = subprocess.run(
        [python, "-m", "autograder", "gradescope", "run", *words],
        cwd=container / "source",
        env={"PATH": path, "HOME": str(container)},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((container / "results/results.json").read_text()), done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run code as another user")
def test_without_namespaces_code_runs_as_another_user_and_the_instructor_is_told(container):
    refusing = container / "bin"
    refusing.mkdir()
    (refusing / "bwrap").write_text(
        "#!/bin/sh\necho 'No permissions to create namespace' >&2; exit 1\n"
    )
    (refusing / "bwrap").chmod(0o755)
    python = python_for_all(container / "venv")
    if not python:
        pytest.skip("no Python here that another user may run")
    told, printed = run_without_namespaces(container, f"{refusing}:/usr/bin:/bin", python)
    assert told["score"] == 3, printed
    (about,) = (test for test in told["tests"] if test["visibility"] == "hidden")
    assert "network connections" in about["output"] and about["max_score"] == 0
    shown = json.dumps([told["output"], [t for t in told["tests"] if t is not about]])
    assert "sysctl" not in json.dumps(told) and "namespace" not in shown
    assert printed.startswith("no sandbox here: ")


@pytest.mark.slow
def test_with_the_graders_own_rights_the_same_code_is_seen_to_pry(container, engine):
    """The control: these tries do work where nothing keeps the code from it."""
    chapter = find_chapter(container / "source", "ch01")
    told = json.loads(grade_folder(chapter, container / "submission", engine))
    assert told["score"] == 1


@pytest.mark.parametrize("old, made_by", [(True, "uv"), (False, "python3")])
def test_setup_brings_an_interpreter_where_the_images_is_too_old(tmp_path, old, made_by):
    programs = tmp_path / "bin"
    (tmp_path / ".venv/bin").mkdir(parents=True)
    programs.mkdir()
    for name in ("apt-get", "uv", "python3", "../.venv/bin/pip"):
        code = 'case "$1" in -c) exit 1;; esac\n' if name == "python3" and old else ""
        text = f'#!/bin/sh\necho "{Path(name).name} $*" >> {tmp_path}/log\n{code}'
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    script = SETUP.replace("cd /autograder/source", f"cd {tmp_path}")
    subprocess.run(
        ["/bin/bash", "-c", script], env={"PATH": f"{programs}:/usr/bin:/bin"}, check=True
    )
    done = (tmp_path / "log").read_text().splitlines()
    assert [line.split()[0] for line in done if ".venv" in line and "venv" in line] == [made_by]
    assert done[-1].startswith("pip install") and done[-1].endswith("--editable .[grade]")
