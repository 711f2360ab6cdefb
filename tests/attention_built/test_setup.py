"""The set-up of a notebook: it imports the package, installs the wheel where it is missing, and
says in one sentence what to do where that is not possible.
"""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import attention_built as ab
from autograder.build.wheel import wheel_path
from autograder.course.carry import SETUP, filled_chapter
from tests.conftest import ROOT, real_chapters

WHEEL = wheel_path(ROOT).name
WEB = "https://raw.githubusercontent.com/attention-built/attention-built/main/notebooks"


IMPORTS = Path(ROOT, SETUP).read_text("utf-8")


@pytest.mark.parametrize("name", real_chapters())
def test_all_chapters_import_it_in_the_same_words(name):
    setup = filled_chapter(ROOT, name).code[0].source
    assert IMPORTS in setup and "plt.rcParams.update(ab.STYLE)" in setup


@pytest.fixture
def missing(monkeypatch, tmp_path):
    """missing(code): the set-up where the package is missing and pip ends with a code; what pip was
    told.
    """
    folder = tmp_path / "ch01"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def start(code):
        told = []

        def run(command):
            told.append(command)
            if code == 0:
                sys.modules["attention_built"] = ab
            return SimpleNamespace(returncode=code)

        monkeypatch.setattr(subprocess, "run", run)
        monkeypatch.setitem(sys.modules, "attention_built", None)
        exec(IMPORTS, {})
        return told

    return start


@pytest.mark.parametrize("answer", ["y", "n"])
def test_nothing_is_installed_into_a_shared_environment_without_asking(
    missing, tmp_path, monkeypatch, answer
):
    (tmp_path / WHEEL).touch()
    asked = []
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answer)
    if answer == "y":
        assert len(missing(0)) == 1
    else:
        with pytest.raises(ImportError, match="pip install"):
            missing(0)
    assert len(asked) == 1 and sys.prefix in asked[0]


def test_the_wheel_beside_the_notebooks_is_installed_where_it_is_missing(missing, tmp_path):
    (tmp_path / WHEEL).touch()
    assert missing(0) == [[sys.executable, "-m", "pip", "install", "-q", f"../{WHEEL}"]]


def test_and_that_of_the_repository_where_only_the_notebook_came_along(missing):
    assert missing(0)[0][-1] == f"{WEB}/{WHEEL}"


def test_where_neither_works_one_sentence_says_what_to_do(missing):
    with pytest.raises(ImportError) as caught:
        missing(1)
    assert str(caught.value) == f"download {WEB}/{WHEEL}, and type: pip install {WHEEL}"


def test_the_wheel_that_pip_installs_holds_all_that_the_package_reads(tmp_path):
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", tmp_path, wheel_path(ROOT)], check=True)
    code = (
        "import attention_built as ab, sys\n"
        "ab.ready_to_hand_in('ch02_single_head')\n"
        "assert ab.checks._table('2')['2.3 values']\n"
        "assert len(ab.manual()) == 465048\n"
        "print(ab.__file__, 'matplotlib' in sys.modules, 'IPython' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    first, *_, last = done.stdout.splitlines() or [done.stderr]
    assert first.startswith("0 of 12 points"), done.stderr
    assert last == f"{tmp_path / 'attention_built' / '__init__.py'} False True"
