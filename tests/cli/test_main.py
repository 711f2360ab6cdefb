"""What stands in the way of a command, and is not its own fault, is told in one sentence."""

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder import __main__
from autograder.course.files import write
from tests.conftest import ROOT

PYTHON = [sys.executable, "-S"]  # without packages


def test_outside_the_environment_the_command_line_says_which_python_to_take():
    done = subprocess.run(
        [*PYTHON, "-m", "autograder", "grade", "ch01"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith(f"error: {sys.executable} has no package ")
    assert ".venv/bin/python -m autograder" in done.stderr and done.stderr.count("\n") == 1


def test_an_old_python_is_told_before_anything_is_imported():
    program = "import runpy, sys; sys.version_info = (3, 9); runpy.run_module('autograder')"
    done = subprocess.run([*PYTHON, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.startswith("error: Python 3.9 is too old: 3.11 is needed.")
    assert done.returncode == 1 and done.stderr.count("\n") == 1


def test_a_module_of_our_own_that_is_missing_is_an_error_of_ours():
    program = (
        "import runpy, sys; sys.modules['autograder.cli.demo'] = None; "
        "runpy.run_module('autograder')"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert "Traceback" in done.stderr and "autograder.cli" in done.stderr


@pytest.fixture
def command(monkeypatch):
    """A function: what `main` makes of a command that does what is given."""

    def run(does):
        def add(commands):
            commands.add_parser("ours").set_defaults(run=lambda chosen: does())

        monkeypatch.setattr(__main__.grade, "add", add)
        return __main__.main(["ours"])

    return run


def test_a_read_only_folder_of_marks_is_told_in_one_line(command, capsys):
    with tempfile.TemporaryDirectory() as folder:
        marks = Path(folder, "marks", "ch01.csv")
        marks.parent.mkdir(mode=0o555)
        Path(folder).chmod(0o755)
        user = os.geteuid()
        os.seteuid(user or 65534)  # root may write there all the same
        try:
            assert command(lambda: write(marks, b"1")) == 1
        finally:
            os.seteuid(user)
    said = capsys.readouterr().err
    assert said.startswith(f"error: {marks}: Permission denied. Let this user ")
    assert said.count("\n") == 1


def test_so_are_a_full_disk_and_a_disk_that_is_mounted_read_only(command, capsys):
    def refuse(number):
        raise OSError(number, os.strerror(number), "marks/ch01.csv")

    assert command(lambda: refuse(errno.ENOSPC)) == command(lambda: refuse(errno.EROFS)) == 1
    full, read_only = capsys.readouterr().err.splitlines()
    assert full == f"error: marks/ch01.csv: No space left on device. {__main__.MAKE_ROOM}"
    assert read_only == f"error: marks/ch01.csv: Read-only file system. {__main__.ALLOW}"


def test_a_package_that_one_command_lacks_is_named_with_the_place_that_has_it(command, capsys):
    def lack():
        raise ModuleNotFoundError("No module named 'distributed'", name="distributed")

    assert command(lack) == 1
    assert f"{sys.executable} has no package distributed. Run it" in capsys.readouterr().err
