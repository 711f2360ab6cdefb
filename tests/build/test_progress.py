"""status() in a student notebook: it follows the checks' own results, keeps them over a restart,
and changes nothing that is graded.
"""

import ast
import json
import os
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build.exercise_cells import progress_cell
from autograder.course.added_cells import PROGRESS_ID, is_untouched
from autograder.course.chapter import find_chapter, student_path
from autograder.course.settings import load_settings
from autograder.grading.intake import read_notebook

from ..conftest import ROOT, real_chapters

CHAPTER = find_chapter(ROOT, "ch02")
CELL = progress_cell(load_settings(ROOT), CHAPTER).source
FIRST, SECOND = CHAPTER.exercises[:2]


class Shell:
    """IPython's events and profile folder, as far as the cell uses them."""

    def __init__(self, folder):
        self.profile_dir = SimpleNamespace(location=str(folder))
        self.callbacks = {"post_run_cell": []}
        self.events = self

    def register(self, event, function):
        self.callbacks[event].append(function)

    def unregister(self, event, function):
        self.callbacks[event].remove(function)

    def ran(self, source, error=None):
        """What IPython tells after a cell."""
        for function in self.callbacks["post_run_cell"]:
            function(
                SimpleNamespace(
                    info=SimpleNamespace(raw_cell=source),
                    error_before_exec=None,
                    error_in_exec=error,
                )
            )


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """kernel(): a fresh kernel in which the cell was run: (its names, its shell)."""
    monkeypatch.chdir(tmp_path)

    def start():
        shell = Shell(tmp_path / "profile")
        monkeypatch.setattr("IPython.get_ipython", lambda: shell)
        names = {"__name__": "__main__"}
        exec(compile(CELL, "cell", "exec"), names)
        return names, shell

    return start


def said_by(names, capsys):
    capsys.readouterr()
    names["status"]()
    return capsys.readouterr().out.splitlines()


def run_checks(shell, exercise, error=None):
    for check in exercise.checks:
        shell.ran(check.visible, error)


def test_it_begins_with_nothing_held_and_names_the_first_exercise(kernel, capsys):
    names, _ = kernel()
    lines = said_by(names, capsys)
    assert lines[0].startswith(f"0 of {CHAPTER.points:g} points by the visible checks.")
    assert all("its check was not run" in line for line in lines[1:7])
    assert lines[-1].startswith("Next: exercise 2.1, ") and "in section 2.1 " in lines[-1]


def test_a_check_that_passes_is_held_and_one_that_fails_later_is_not(kernel, capsys):
    names, shell = kernel()
    run_checks(shell, FIRST)
    run_checks(shell, SECOND, NotImplementedError())
    lines = said_by(names, capsys)
    assert lines[0].startswith(f"{FIRST.points:g} of ")
    assert lines[2].endswith("not attempted")
    run_checks(shell, SECOND, NotImplementedError("not for this dtype"))
    assert said_by(names, capsys)[2].endswith("NotImplementedError")
    assert lines[-1].endswith("/ch02_single_head.html#done=2.1")
    run_checks(shell, FIRST, AssertionError("wrong"))
    assert said_by(names, capsys)[0].startswith("0 of ")


def test_another_cell_is_no_check(kernel, capsys):
    names, shell = kernel()
    shell.ran("x = 1")
    shell.ran(None)
    assert said_by(names, capsys)[0].startswith("0 of ")


def test_after_a_restart_it_says_what_was_held_and_since_when(kernel, capsys):
    _, shell = kernel()
    run_checks(shell, FIRST)
    names, shell = kernel()
    assert "From earlier runs:" in capsys.readouterr().out
    lines = said_by(names, capsys)
    assert lines[0].startswith(f"{FIRST.points:g} of ") and "before this run (" in lines[1]
    run_checks(shell, FIRST, AssertionError("wrong"))
    names, _ = kernel()
    assert said_by(names, capsys)[0].startswith("0 of ")


def test_another_folder_has_its_own_progress(kernel, capsys, tmp_path):
    _, shell = kernel()
    run_checks(shell, FIRST)
    (tmp_path / "copy").mkdir()
    os.chdir(tmp_path / "copy")
    names, _ = kernel()
    assert said_by(names, capsys)[0].startswith("0 of ")


def test_all_done_leads_to_the_last_cell(kernel, capsys):
    names, shell = kernel()
    for exercise in CHAPTER.exercises:
        run_checks(shell, exercise)
    lines = said_by(names, capsys)
    assert lines[0].startswith(f"{CHAPTER.points:g} of {CHAPTER.points:g} ")
    assert lines[-2].startswith("Nothing is left")


def test_running_the_cell_twice_notes_each_check_once(kernel):
    names, shell = kernel()
    exec(compile(CELL, "cell", "exec"), names)
    assert len(shell.callbacks["post_run_cell"]) == 1


def test_without_ipython_it_does_nothing(monkeypatch, capsys):
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    names = {"__name__": "__main__"}
    exec(compile(CELL, "cell", "exec"), names)
    assert said_by(names, capsys)[0].startswith("0 of ")


def test_in_a_real_kernel_it_follows_the_checks_and_outlives_it(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    check = CHAPTER.exercises[0].checks[0].visible.strip().split("\n")[0]

    def printed(*sources):
        """What the last of these cells printed in a kernel of its own."""
        cells = [nbformat.v4.new_code_cell(source) for source in (CELL, *sources)]
        made = nbformat.v4.new_notebook(cells=cells)
        NotebookClient(
            made, allow_errors=True, resources={"metadata": {"path": tmp_path}}
        ).execute()
        return "".join(output.get("text", "") for output in made.cells[-1].outputs)

    assert printed(check, "status()").startswith("1 of 12 points")
    assert "before this run (" in printed("status()")
    assert printed(f"{check}\nraise AssertionError('x')", "status()").startswith("0 of 12 points")
    assert printed("status()").startswith("0 of 12 points")


@pytest.mark.parametrize("name", real_chapters())
def test_each_student_notebook_has_it_once_and_intake_leaves_it_out(name):
    data = student_path(ROOT, name).read_bytes()
    cells = nbformat.reads(data.decode(), as_version=4).cells
    [cell] = [cell for cell in cells if cell.id == PROGRESS_ID]
    assert is_untouched(PROGRESS_ID, cell.source)
    kept, _ = read_notebook(data)
    assert PROGRESS_ID not in {cell.id for cell in kept}
    without = json.loads(data)
    without["cells"] = [one for one in without["cells"] if one["id"] != PROGRESS_ID]
    assert read_notebook(json.dumps(without).encode())[0] == kept
    names = {node.name for node in ast.parse(cell.source).body if hasattr(node, "name")}
    theirs = {name for exercise in find_chapter(ROOT, name).exercises for name in exercise.names}
    assert not names & theirs
