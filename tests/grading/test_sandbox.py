"""The sandbox can be had, or the reason is one line; what it shows and what it hides."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.course.errors import SandboxError
from autograder.grading import Engine
from autograder.grading.host import bubblewrap as sandbox
from tests.hostile import trial

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


def _ancestors(pid, table):
    found = []
    while pid in table and pid > 1:
        found.append(pid)
        pid = table[pid][1]
    return found
