"""Chapters say the same on every Python that students have: each cell of a solution prints what is
committed, within the tolerances that nbval allows here.

In a normal run one Python is tried, chosen by the day; ``AUTOGRADER_ALL=1`` tries them all.
"""

import json
import os
import subprocess
import sys
from zipfile import ZipFile

import pytest

from autograder.build.wheel import wheel_path
from autograder.course.chapter import solution_path
from autograder.course.environment import kernel_environment

from .conftest import EVERYTHING, ROOT, real_chapters
from .other_pythons import MISSING, STUDENT, SUPPORTED, requirements, student_python, version_of

RUNNING = ".".join(map(str, sys.version_info[:2]))
OTHERS = [version for version in SUPPORTED if version != RUNNING]  # nbval itself tries this one
TODAY = [OTHERS[int(os.environ["AUTOGRADER_DAY"]) % len(OTHERS)]]
CELL = 1200  # seconds, on a machine that has much else to do
# torch with CUDA says on stderr that it found a compiler for a GPU and no GPU
QUIET = "import logging; logging.getLogger('torch.utils.cpp_extension').setLevel('ERROR')"


def comparison(notebook, python, folder):
    """nbval's run of a notebook with the kernel of another Python, as `make test` runs it with
    ours; folder: an empty one for what it needs.
    """
    with ZipFile(wheel_path(ROOT)) as wheel:
        wheel.extractall(folder / "package")
    (folder / "package" / "sitecustomize.py").write_text(QUIET)
    spec = {
        "argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "another Python",
        "language": "python",
        "env": {"PYTHONPATH": str(folder / "package")},
    }
    kernels = folder / "kernels" / "another"
    kernels.mkdir(parents=True)
    (kernels / "kernel.json").write_text(json.dumps(spec))
    plugins = ["no:cacheprovider", "no:xdist", "tests.nbval_numbers", "tests.nbval_release"]
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--color=no", "-rf"),
            *(part for plugin in plugins for part in ("-p", plugin)),
            *("--nbval", "--nbval-kernel-name=another", f"--nbval-cell-timeout={CELL}"),
            *("--nbval-sanitize-with=tests/sanitize.cfg", "--nbval-kernel-startup-timeout=600"),
            notebook,
        ],
        cwd=ROOT,
        env=os.environ | kernel_environment() | {"JUPYTER_PATH": str(folder)},
        capture_output=True,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.proof("python")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("python", OTHERS if EVERYTHING else TODAY)
@pytest.mark.parametrize("name", real_chapters())
def test_a_chapter_says_the_same_with_another_python(name, python, tmp_path):
    found = student_python(python)
    if not found:
        pytest.skip(MISSING.format(version=python))
    run = comparison(solution_path(ROOT, name), found, tmp_path)
    assert run.returncode == 0, (
        f"{name} with Python {python}: these cells lie outside their tolerances\n"
        f"{run.stdout}{run.stderr}"
    )


def test_a_cell_that_says_something_else_is_named(tmp_path):
    def cell(number, source, text, *tags):
        said = {"output_type": "stream", "name": "stdout", "text": text}
        return {
            "cell_type": "code",
            "execution_count": number,
            "id": f"cell{number}",
            "metadata": {"tags": tags},
            "outputs": [said],
            "source": source,
        }

    cells = [
        cell(1, "import attention_built as ab\nprint(ab.__version__[:2])", "1.\n"),
        cell(2, "print('loss 1.04')", "loss 1.03\n", "tolerance-0.05"),
        cell(3, "print('loss 1.04')", "loss 1.03\n"),
        cell(4, "print(open('/dev/null'))", "a file\n"),
    ]
    notebook = tmp_path / "small.ipynb"
    made = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    notebook.write_text(json.dumps(made))
    run = comparison(notebook, sys.executable, tmp_path)
    failed = [line.split("::")[1] for line in run.stdout.splitlines() if "FAILED" in line]
    assert [line[:6] for line in failed] == ["Cell 2", "Cell 3"], run.stdout + run.stderr
    assert "loss 1.04" in run.stdout


def test_what_is_no_python_has_no_version(tmp_path):
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    assert version_of(shim) == version_of(tmp_path / "nothing") == ""
    assert version_of(sys.executable) == RUNNING


def test_a_python_that_is_named_is_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("AUTOGRADER_PYTHONS", os.pathsep.join([str(tmp_path), sys.executable]))
    student_python.cache_clear()
    assert student_python(RUNNING) == sys.executable and student_python("3.99") == ""
    student_python.cache_clear()


def test_an_environment_has_the_versions_of_requirements_txt():
    pinned = (ROOT / "requirements.txt").read_text()
    wanted = requirements("3.12", pinned)
    assert len(wanted) == len(STUDENT) and all("==" in one for one in wanted)
    torch, *others = requirements("3.10", pinned)
    assert torch == wanted[0] and others == list(STUDENT[1:])
