"""What is slow to import comes in between two cells of a notebook, and nowhere else."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from traitlets.config import Config

from attention_built.notebook import ahead
from autograder.sandboxed.process.ipython_shell import Shell
from tests.conftest import ROOT

NAME = "slow_to_import"
IMPORT = "from attention_built.notebook import ahead; ahead.import_ahead()"
THERE = f"import sys; print({NAME!r} in sys.modules)"


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """slow(text): a module with this text that takes a while stands in for PyTorch's."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(ahead, "SLOW", NAME)
    monkeypatch.delenv(ahead.FORBIDS, raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)

    def write(text=""):
        (tmp_path / f"{NAME}.py").write_text(f"import time\ntime.sleep(0.5)\n{text}")

    write()
    yield write
    for thread in threading.enumerate():
        if NAME in thread.name:
            thread.join()
    sys.modules.pop(NAME, None)


@pytest.fixture
def notebook():
    """notebook(kind): a shell; one with a kernel runs a notebook."""

    def start(kind=InteractiveShell, kernel=True):
        made = type("Made", (kind,), {"kernel": object()} if kernel else {})
        for one in (InteractiveShell, Shell):
            one.clear_instance()
        return made.instance(config=Config({"HistoryManager": {"enabled": False}}))

    yield start
    for one in (InteractiveShell, Shell):
        one.clear_instance()


def test_it_is_there_when_the_next_cell_begins_and_no_cell_runs_beside_it(slow, notebook, capsys):
    shell = notebook()
    shell.run_cell(f"{IMPORT}\n{THERE}")
    shell.run_cell(THERE)
    assert capsys.readouterr().out.split() == ["False", "True"]
    assert {"pre_run_cell", "post_run_cell"} <= set(shell.events.callbacks)
    left = [*shell.events.callbacks["pre_run_cell"], *shell.events.callbacks["post_run_cell"]]
    assert not [one for one in left if one.__module__ == ahead.__name__]


def test_a_cell_that_imports_nothing_does_not_wait_for_it(slow, notebook, tmp_path):
    slow(
        f"from pathlib import Path\nwhile not Path({str(tmp_path / 'gate')!r}).exists():\n"
        "    time.sleep(0.01)\ndone = True"
    )
    shell = notebook()
    shell.user_ns["ab"] = SimpleNamespace(follow=str)
    shell.run_cell(IMPORT)
    assert shell.run_cell("ab.follow('x')").success
    assert not hasattr(sys.modules.get(NAME), "done")
    (tmp_path / "gate").touch()
    shell.run_cell("1")
    assert sys.modules[NAME].done


@pytest.mark.parametrize("text", ["1 / 0", "import warnings\nwarnings.warn('old')"])
def test_what_is_wrong_with_it_is_said_by_nobody_before_it_is_needed(slow, notebook, capfd, text):
    slow(text)
    shell = notebook()
    shell.run_cell(IMPORT)
    assert shell.run_cell("x = 1").success
    assert capfd.readouterr() == ("", "")
    with suppress(ZeroDivisionError):
        import_module(NAME)  # as if nobody had tried it


@pytest.mark.parametrize("variable", [ahead.FORBIDS, "NBGRADER_EXECUTION"])
def test_a_variable_forbids_it(slow, notebook, monkeypatch, variable):
    monkeypatch.setenv(variable, "1")
    shell = notebook()
    shell.run_cell(IMPORT)
    shell.run_cell("1")
    assert NAME not in sys.modules


@pytest.mark.parametrize("kind", [InteractiveShell, Shell], ids=["a terminal", "the grader's"])
def test_a_shell_without_a_notebook_imports_nothing(slow, notebook, kind):
    shell = notebook(kind, kernel=False)
    shell.run_cell(IMPORT)
    shell.run_cell("1")
    assert NAME not in sys.modules


def test_a_script_and_the_grader_import_neither_it_nor_ipython():
    code = (
        "import sys, threading, attention_built\n"
        "print('torch._dynamo' in sys.modules, 'IPython' in sys.modules, threading.active_count())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == ["False", "False", "1"]


def test_in_a_real_kernel_the_first_check_finds_it_and_who_leaves_early_waits_for_nothing(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.delenv(ahead.FORBIDS, raising=False)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    asks = "import sys; print('torch._dynamo' in sys.modules)"
    for sources in (["import attention_built as ab", asks], ["import attention_built as ab"]):
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        made = nbformat.v4.new_notebook(cells=cells)
        client = NotebookClient(made, timeout=120, shutdown_kernel="graceful")
        with client.setup_kernel():
            for index, cell in enumerate(cells):
                client.execute_cell(cell, index)
            began = time.monotonic()
        assert time.monotonic() - began < 20, "the kernel's end waits for the import"
        said = ["".join(output.text for output in cell.outputs) for cell in cells[1:]]
        assert said == ["True\n"] * len(said)
