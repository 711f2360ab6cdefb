"""What a verdict depends on: the rooms that grade, and nothing that a page or a notebook shows."""

import shutil
import subprocess
import sys

import pytest

from autograder.grading.fingerprint import grader_mark
from tests.conftest import ROOT


@pytest.fixture
def mark(tmp_path):
    """A function that changes a file of a copy of the package and gives that grader's mark."""
    package = tmp_path / "autograder"
    for name in ("autograder", "attention_built"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)

    def after(path="", old="", new=""):
        if path:
            file = package / path
            text = file.read_text(encoding="utf-8")
            assert old in text
            file.write_text(text.replace(old, new), encoding="utf-8")
        grader_mark.cache_clear()
        return grader_mark(package)

    return after


def test_a_sentence_that_a_notebook_shows_leaves_the_mark_as_it_was(mark):
    before = mark()
    assert mark("build/exercise_cells.py", "Run the whole notebook", "Run all of it") == before
    assert mark("../attention_built/notebook/progress.py", "would be accepted", "is fine") == before


@pytest.mark.parametrize(
    "path",
    [
        "grading/verdicts.py",
        "sandboxed/rpc/tags.py",
        "course/added_cells.py",
        "../attention_built/checks.py",
    ],
)
def test_a_file_that_decides_verdicts_changes_it(mark, path):
    before = mark()
    assert mark(path, '"""', '"""Changed. ') != before


def test_importing_the_grader_loads_no_library_of_the_build():
    heavy = "('torch', 'nbgrader', 'nbconvert', 'matplotlib')"
    loaded = _run(
        f"import sys, autograder.grading; print([name for name in {heavy} if name in sys.modules])",
        ROOT,
    )
    assert loaded == "[]"


def test_importing_the_package_blocks_no_other_package():
    assert _run("import sys, autograder; print('rfc3987_syntax' in sys.modules)", ROOT) == "False"


def _run(code, folder):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
