"""The sandbox can be had, or the reason is one line; what it shows and what it hides."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.cli.sandbox_setup import sandbox_error
from autograder.course.chapter import find_chapter
from autograder.course.errors import SandboxError
from autograder.grading import Engine
from autograder.grading.host import bubblewrap as sandbox
from autograder.grading.result import Submission
from tests.conftest import CHAPTER, ROOT, write_chapter
from tests.everyones_python import python_for_all
from tests.hostile import trial
from tests.notebooks import as_bytes, student_notebook

needs_bwrap = pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")


def test_without_bubblewrap_the_error_is_one_line_and_says_how_to_install_it(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxError, match="apt-get install bubblewrap") as caught:
        Engine(".")
    assert "\n" not in str(caught.value)


def test_where_namespaces_are_refused_the_error_is_one_line_with_the_reason(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    tmp_path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sandbox, "command", lambda bwrap, number: [bwrap])
    with pytest.raises(SandboxError, match="No permissions") as caught:
        sandbox.probe(sandbox.start_student_server())
    assert "\n" not in str(caught.value) and str(caught.value).count("cannot be set up") == 1


def test_nothing_of_the_course_is_among_what_the_sandbox_shows():
    binds, _ = sandbox.visible()
    course = str(sandbox.Path(sandbox.__file__).parents[3])
    assert not [
        source
        for source, target in binds
        if course.startswith(source.rstrip("/") + "/") or source == course
    ]


def test_a_package_of_ours_that_is_installed_is_covered_up(monkeypatch, tmp_path):
    packages = tmp_path / "site-packages"
    (packages / "autograder").mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])
    words = sandbox.command("/usr/bin/bwrap", 3)
    assert words[words.index(str(packages / "autograder")) - 1] == "--tmpfs"


@needs_bwrap
def test_a_student_s_cells_read_what_the_package_brings_along(tmp_path):
    imports = "import math\nimport attention_built as ab\n\nREAD = len(ab.manual())"
    text = CHAPTER.replace("import math", imports).replace("2 * x\n", "2 * x + READ - 465048\n")
    write_chapter(tmp_path, "ch01_small", text)
    chapter = find_chapter(tmp_path, "ch01")
    with Engine(tmp_path) as engine:
        solved = as_bytes(student_notebook(chapter))
        result = engine.grade(Submission("ada", "ch01_small", solved))
    assert result.points == chapter.points, result.verdicts


@needs_bwrap
def test_an_honest_submission_gets_the_same_verdicts_as_without_a_sandbox(course, loose):
    with Engine(course) as engine:
        for solved in (True, False):
            data = trial.submission(trial.notebook(course, solved))
            assert engine.grade(data).verdicts == loose.grade(data).verdicts


@needs_bwrap
def test_packages_below_tmp_can_be_imported_late_although_a_submission_has_a_tmp_of_its_own(
    course, monkeypatch
):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        packages = Path(folder, "site-packages")
        packages.mkdir()
        packages.joinpath("late.py").write_text(
            "def twice(x):\n    return 2 * x\n", encoding="utf-8"
        )
        monkeypatch.setattr(sys, "path", [*sys.path, str(packages)])
        answer = (
            f"import sys\nsys.path.append({str(packages)!r})\ndef double(x):\n    from late import"
            " twice\n    return twice(x)\n"
        )
        with Engine(course) as engine:
            result = engine.grade(
                trial.submission(trial.notebook(course, True, {"ch01_double": answer}))
            )
    assert result.points == 10, result.verdicts


@needs_bwrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_root_steps_down_before_any_code_of_a_student_runs(course):
    with Engine(course) as engine:
        engine.grade(trial.submission(trial.notebook(course)))
        listed = subprocess.run(
            ["ps", "-eo", "ruid=,ppid=,pid="], capture_output=True, text=True, check=True
        ).stdout.split("\n")
        table = {
            int(pid): (int(user), int(parent))
            for user, parent, pid in (line.split() for line in listed if line.strip())
        }
        inside = [
            pid
            for pid in table
            if engine.parents.student_server().process.pid in _ancestors(pid, table)
        ]
        assert len(inside) >= 2 and {table[pid][0] for pid in inside} == {65534}


WITHOUT = """
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for capability in map(int, sys.argv[1].split(",")):
    assert libc.prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP; gone at the next exec
import os
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""
GRADE = """
import os, sys
from pathlib import Path
from autograder.course.errors import SandboxError
from autograder.grading import Engine
from autograder.grading.result import Submission
try:
    with Engine(sys.argv[1]) as engine:
        result = engine.grade(Submission("ada", "ch01_trial", Path(sys.argv[2]).read_bytes()))
        print(engine.sealed, result.points, *result.flags)
        user = Path(f"/proc/{engine.parents.student_server().process.pid}").stat().st_uid
        print("user", user)
except SandboxError as error:
    print(error)
"""
CAP_SETUID, CAP_SYS_ADMIN = 7, 21


def graded_by_root_without(capabilities, python, course, submission):
    """What a grader said that root started where root lacks capabilities, as in a container."""
    numbers = ",".join(map(str, capabilities))
    done = subprocess.run(
        [python, "-c", WITHOUT, numbers, "-c", GRADE, str(course), str(submission)],
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "HOME": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def open_python():
    with tempfile.TemporaryDirectory(prefix="everyone-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        python = python_for_all(Path(folder, "venv"))
        if not python:
            pytest.skip("no Python here that another user may run")
        yield python


@needs_bwrap
@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up what root has")
def test_root_that_may_not_mount_has_the_same_sandbox(course, tmp_path, open_python):
    path = tmp_path / "ada.ipynb"
    path.write_bytes(trial.submission(trial.notebook(course, True)).notebook)
    said = graded_by_root_without([CAP_SYS_ADMIN], open_python, course, path)
    assert said.splitlines() == ["True 10", "user 65534"]


@needs_bwrap
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give up what root has")
def test_root_that_may_not_change_its_user_is_told_what_to_do_in_one_line(course, tmp_path):
    lacks = [CAP_SETUID, CAP_SYS_ADMIN]
    (tmp_path / "ada.ipynb").write_bytes(b"{}")
    said = graded_by_root_without(lacks, sys.executable, course, tmp_path / "ada.ipynb")
    assert "start the grader as one that is not root" in said and said.count("\n") == 1
    assert "sysctl" not in said


def _ancestors(pid, table):
    found = []
    while pid in table and pid > 1:
        found.append(pid)
        pid = table[pid][1]
    return found


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root steps down")
@needs_bwrap
def test_what_root_cloned_for_itself_alone_is_named_with_the_command_that_opens_it(
    monkeypatch, tmp_path
):
    """Control: after that command the sandbox can be had."""
    for name, place in (("SANDBOXED", sandbox.SANDBOXED), ("OF_STUDENTS", sandbox.OF_STUDENTS)):
        monkeypatch.setattr(sandbox, name, shutil.copytree(place, tmp_path / "a clone" / name))
    subprocess.run(["chmod", "-R", "go=", tmp_path], check=True)
    with pytest.raises(SandboxError, match="the sandbox's user cannot read") as caught:
        sandbox.probe(sandbox.start_student_server())
    said = str(caught.value)
    assert "\n" not in said and "sysctl" not in said
    assert sandbox_error() == said  # make demo asks so
    command = said[said.index("chmod -R go+rX") :].removesuffix(".")
    assert command.count("a clone") == 2
    subprocess.run(command, shell=True, check=True)
    server = sandbox.start_student_server()
    sandbox.probe(server)
    server.close()
