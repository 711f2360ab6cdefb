"""What follows a student's run: status() keeps to the checks' own results over a restart; an
exercise that nobody has begun is called so, and "Run all" goes on. Nothing that is graded changes.
"""

import json
import os

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.profiledir import ProfileDir
from IPython.utils.capture import capture_output
from nbclient import NotebookClient
from nbgrader.utils import determine_grade
from traitlets.config import Config

import attention_built as ab
from attention_built.notebook import progress
from autograder.build.exercise_cells import exercises_bytes, handin_cells, progress_cells
from autograder.course.added_cells import PROGRESS_ID, is_untouched
from autograder.course.carry import filled_chapter
from autograder.course.chapter import find_chapter, student_path
from autograder.course.regions import strip_markers
from autograder.course.settings import load_settings
from autograder.grading.intake import read_notebook

from ..conftest import ROOT, real_chapters

CHAPTER = find_chapter(ROOT, "ch02")  # its first exercise wants values, and no function
IMPORT = "import attention_built as ab"
NOT_BEGUN = "Needs exercise 1.1: double is not begun.\n"


def added(kind, chapter):
    """The code of the last cell of a kind that the build adds to a chapter."""
    return kind(load_settings(ROOT), chapter, True)[-1][1].source


CELL = f"{IMPORT}\n{added(progress_cells, CHAPTER)}"


class Shell(InteractiveShell):
    """IPython as it runs the cells of a notebook."""

    def run(self, source):
        """(The error that a cell replies, or None; what it wrote)."""
        with capture_output(display=False) as wrote:
            result = self.run_cell(source, store_history=True)
        return result.error_before_exec or result.error_in_exec, wrote.stdout + wrote.stderr


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """kernel(cell): a fresh IPython in which the cell was run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setattr(progress, "EXERCISES", tmp_path / "exercises.json")
    progress.EXERCISES.write_bytes(exercises_bytes([CHAPTER]))
    profile = ProfileDir.create_profile_dir(str(tmp_path / "profile"))
    config = Config({"HistoryManager": {"enabled": False}})

    def start(cell=CELL):
        Shell.clear_instance()
        shell = Shell.instance(config=config, profile_dir=profile)
        shell.run(cell)
        return shell

    yield start
    Shell.clear_instance()


@pytest.fixture
def chapter(package_course):
    return find_chapter(package_course, "ch01")


@pytest.fixture
def small(chapter, kernel):
    """small(): a fresh IPython that follows the small chapter, and {part: its source}."""
    sources = {"hand in": added(handin_cells, chapter)}
    for exercise in chapter.exercises:
        name = exercise.id.removeprefix("ch01_")
        sources |= {name: exercise.solution.text, f"{name} stub": exercise.solution.released}
        sources[f"{name} check"] = exercise.checks[0].visible

    def start():
        progress.EXERCISES.write_bytes(exercises_bytes([chapter]))
        return kernel(f"{IMPORT}\n{added(progress_cells, chapter)}"), sources

    return start


def said_by(shell):
    return shell.run("ab.status()")[1].splitlines()


def test_it_begins_with_nothing_held_and_names_the_first_exercise(kernel):
    lines = said_by(kernel())
    assert lines[0].startswith(f"0 of {CHAPTER.points:g} points by the visible checks.")
    assert all("its check was not run" in line for line in lines[1:7])
    assert lines[-1].startswith("Next: exercise 2.1, ") and "in section 2.1 " in lines[-1]


def test_a_check_that_passes_is_held_and_one_that_fails_later_is_not(small):
    shell, sources = small()
    shell.run(sources["double"])
    shell.run(sources["double check"])
    lines = said_by(shell)
    assert lines[0].startswith("2 of 3 points") and lines[-1].endswith("/ch01_small.html#done=1.1")
    shell.run("def double(x): return x")
    shell.run(sources["double check"])
    lines = said_by(shell)
    assert lines[0].startswith("0 of 3 points") and lines[1].endswith(
        "3 must become 6: the input was not doubled"
    )


def test_an_answer_that_is_run_anew_waits_for_its_check(small):
    shell, sources = small()
    for part in ("double", "double check", "double"):
        shell.run(sources[part])
    lines = said_by(shell)
    assert lines[0].startswith("0 of 3 points") and lines[1].endswith(progress.NOT_RUN)


def test_a_check_of_cases_says_what_is_wrong_and_run_all_goes_on(kernel):
    shell = kernel()
    cases = "ab.check('9.9 twice', lambda x: x, [ab.case('three', 3)], like=of(twice))"
    shell.run(
        "from attention_built.looks import observe\ndef twice(x): return 2 * x\n"
        "def of(f): return {'': lambda *case: observe(f, *case)}"
    )
    assert shell.run(cases) == (None, "three: the result should be 6, it is 3\n")
    assert isinstance(shell.run("assert False, 'my own'")[0], AssertionError)


def test_another_cell_is_no_check(kernel):
    shell = kernel()
    shell.run("x = 1")
    shell.run("")
    assert said_by(shell)[0].startswith("0 of ")


def test_after_a_restart_it_says_what_was_held_and_since_when(small):
    shell, sources = small()
    shell.run(sources["half"])
    shell.run(sources["half check"])
    shell, _ = small()
    lines = said_by(shell)
    assert lines[0].startswith("1 of 3 points") and "before this run (" in lines[2]
    shell.run("def half(x): return x")
    shell.run(sources["half check"])
    assert said_by(small()[0])[0].startswith("0 of ")


def test_another_folder_has_its_own_progress(small, tmp_path):
    shell, sources = small()
    shell.run(sources["half"])
    shell.run(sources["half check"])
    (tmp_path / "copy").mkdir()
    os.chdir(tmp_path / "copy")
    assert said_by(small()[0])[0].startswith("0 of ")


def test_all_done_leads_to_the_last_cell(small):
    shell, sources = small()
    for part in ("double", "double check", "half", "half check"):
        assert shell.run(sources[part])[0] is None
    lines = said_by(shell)
    assert lines[0].startswith("3 of 3 ") and lines[-2].startswith("Nothing is left")


def test_running_the_cell_twice_changes_nothing(small):
    shell, sources = small()
    shell.run(shell.user_ns["In"][1])
    names = [one.__name__ for one in shell.events.callbacks["post_run_cell"]]
    assert names.count("_after_cell") == 1
    shell.run(sources["double stub"])
    assert shell.run(sources["double check"]) == (None, NOT_BEGUN)


def test_without_ipython_it_does_nothing(monkeypatch, capsys):
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    ab.follow("https://x/ch02_single_head.html")
    ab.status()
    assert capsys.readouterr().out.startswith("0 of ")


def test_what_is_not_followed_yet_is_said_in_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr(progress, "_followed", None)
    ab.status()
    assert capsys.readouterr().out.startswith("First run the cell below the set-up")


def test_a_chapter_that_the_package_does_not_know_yet_is_named_and_stops_nothing(kernel):
    shell = kernel(f'{IMPORT}\nab.follow("https://x/ch98_new.html")')
    assert said_by(shell) == ["attention_built is older than ch98_new: install the one beside it."]


@pytest.mark.parametrize(
    "check",
    [
        "double(3.0)",
        "try:\n    double(1)\nexcept RuntimeError as error:\n"
        "    raise AssertionError('the shapes do not fit') from error",
        "try:\n    double(1)\nexcept Exception:\n    assert False, 'no text'",
    ],
    ids=["as it is", "as a cause", "while it is handled"],
)
def test_a_cell_that_needs_an_untouched_stub_says_so_and_replies_without_an_error(small, check):
    shell, sources = small()
    shell.run(sources["double stub"])
    assert shell.run(check) == (None, NOT_BEGUN)


def test_what_such_a_cell_had_half_made_is_needed_as_well(small):
    shell, sources = small()
    shell.run(sources["double stub"])
    shell.run("limit = 1")
    shell.run("results, limit_ = [], limit\nresults.append(double(1))")
    assert shell.run("results[0]") == (None, NOT_BEGUN)
    assert shell.run("print(limit)") == (None, "1\n")
    shell.run(sources["double"])
    assert isinstance(shell.run("results[0]")[0], NameError), "the exercise is begun now"


def test_a_cell_that_is_to_give_values_is_begun_once_it_holds_some(kernel):
    shell, (exercise, *_) = kernel(), CHAPTER.exercises
    said = "Needs exercise 2.1: its cell is not begun.\n"
    assert shell.run(exercise.solution.released) == (None, said)
    assert shell.run(exercise.checks[0].visible) == (None, said)
    assert shell.run("weights_by_hand") == (None, said)
    shell.run(exercise.solution.text)
    assert shell.run("assert len(weights_by_hand) == 2") == (None, "")


@pytest.mark.parametrize(
    "answer",
    [
        "def double(x):\n    raise NotImplementedError('not for this dtype')",
        "def double(x):\n    y = 2 * x\n    raise NotImplementedError()",
        "def double(x):\n    return 1 / 0",
    ],
    ids=["with a text", "not the stub", "another error"],
)
def test_an_error_of_an_answer_is_shown_as_it_is(small, answer):
    shell, sources = small()
    shell.run(answer)
    error, wrote = shell.run(sources["double check"])
    assert error is not None and "Traceback" in wrote
    assert f"  {type(error).__name__}:" in said_by(shell)[1]


def test_status_and_the_last_cell_call_it_not_begun_and_name_an_earlier_one_that_is_needed(small):
    shell, sources = small()
    for part in ("double stub", "double check"):
        shell.run(sources[part])
    shell.run("def half(x):\n    return double(x) / 4")
    shell.run(sources["half check"])
    for lines in (said_by(shell)[1:3], shell.run(sources["hand in"])[1].splitlines()[1:3]):
        assert lines[0].endswith(" double is not begun")
        assert lines[1].endswith(" Needs exercise 1.1: double is not begun")


def test_the_last_cell_says_it_alone_as_well(small, monkeypatch):
    shell, sources = small()
    monkeypatch.setattr(progress, "_followed", None)
    for part in ("double stub", "double check"):
        shell.run(sources[part])
    assert " double is not begun\n" in shell.run(sources["hand in"])[1]


def test_the_last_cell_runs_the_checks_again_and_says_what_the_file_lacks(
    small, tmp_path, monkeypatch
):
    shell, sources = small()
    for part in ("double", "double check", "half", "half check"):
        shell.run(sources[part])
    shell.run("def half(x): return x")
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "mine.ipynb"))
    cells = [nbformat.v4.new_code_cell("", id="ch01_double")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "mine.ipynb")
    first, double, half, *_, last = shell.run(sources["hand in"])[1].splitlines()
    assert first.startswith("2 of 3 points") and double.endswith(" 2 of 2")
    assert half.endswith("  6 must become 3")
    assert last.startswith("Cells missing from the file: ch01_double_check, ch01_half, ")
    cells += [
        nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade_id": one}})
        for one in ("ch01_double_check", "ch01_half", "ch01_half_check")
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "mine.ipynb")
    assert shell.run(sources["hand in"])[1].splitlines()[-1].startswith("The file holds every")
    monkeypatch.setenv("JPY_SESSION_NAME", "")
    assert "cannot be seen from here" in shell.run(sources["hand in"])[1].splitlines()[-1]


def test_under_nbgrader_an_untouched_stub_is_an_error_as_ever(small, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    shell, sources = small()
    shell.run(sources["double stub"])
    assert isinstance(shell.run(sources["double check"])[0], NotImplementedError)


def test_nbgraders_validate_reads_the_one_sentence(small, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    shell, sources = small()
    shell.run(sources["double stub"])
    assert shell.run(sources["double check"]) == (None, NOT_BEGUN)


def test_in_a_real_kernel_it_follows_the_checks_and_outlives_it(chapter, tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    path = tmp_path / "exercises.json"
    path.write_bytes(exercises_bytes([chapter]))
    cell = (
        f"{IMPORT}\nfrom attention_built.notebook import progress\nfrom pathlib import Path\n"
        f"progress.EXERCISES = Path({str(path)!r})\n{added(progress_cells, chapter)}"
    )
    double, half = chapter.exercises

    def ran(*sources):
        """The cells, run in a kernel of their own, which stops at the first error."""
        cells = [nbformat.v4.new_code_cell(source) for source in (cell, *sources)]
        made = nbformat.v4.new_notebook(cells=cells)
        NotebookClient(made, resources={"metadata": {"path": tmp_path}}).execute()
        return cells

    cells = ran(
        double.solution.text,
        double.checks[0].visible,
        half.solution.released,
        half.checks[0].visible,
        "ab.status()",
    )
    assert cells[-1].outputs[0].text.startswith("2 of 3 points")
    check = cells[-2]
    assert [output.text for output in check.outputs] == ["Needs exercise 1.2: half is not begun.\n"]
    check.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 1}
    assert determine_grade(check) == (0, 1), "nbgrader, not told who runs it, gives no point"
    assert "before this run (" in ran("ab.status()")[-1].outputs[0].text
    drawn = ran(
        half.solution.released, "import matplotlib.pyplot as plt", "plt.subplots(); half(1)"
    )
    assert [output.output_type for output in drawn[-1].outputs] == ["stream"], "no empty axes"


@pytest.mark.parametrize("name", real_chapters())
def test_each_student_notebook_has_it_once_and_intake_leaves_it_out(name):
    data = student_path(ROOT, name).read_bytes()
    cells = nbformat.reads(data.decode(), as_version=4).cells
    [cell] = [cell for cell in cells if cell.id == PROGRESS_ID]
    assert is_untouched(cell.source)
    kept, _ = read_notebook(data)
    assert PROGRESS_ID not in {cell.id for cell in kept}
    without = json.loads(data)
    without["cells"] = [one for one in without["cells"] if one["id"] != PROGRESS_ID]
    assert read_notebook(json.dumps(without).encode())[0] == kept


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ch01_why_attention", "ch03_masks"])
def test_the_table_before_handing_in_gives_right_answers_all_points(kernel, name):
    """Checks share names: what one defines, a later exercise's may have defined anew."""
    chapter = filled_chapter(ROOT, name)
    progress.EXERCISES.write_bytes(exercises_bytes([chapter]))
    shell = kernel(IMPORT)
    for cell in chapter.code:
        if not cell.show_only:
            text = strip_markers(cell.visible if cell.role == "check" else cell.source)
            assert shell.run(text)[0] is None
    said = shell.run(f'ab.ready_to_hand_in("{name}")')[1]
    assert f"{chapter.points:g} of {chapter.points:g} points by the visible checks" in said
