"""Forty kinds of damage, each with the mark it must still get: right code is never lost to an
editor's habit.
"""

import ast
import copy
import json
import shutil
from dataclasses import replace

import pytest

from autograder.assurance.sample_class import StudentNotebook
from autograder.build.release import release
from autograder.course.added_cells import PROGRESS_ID
from autograder.course.carry import filled_chapter
from autograder.course.chapter import find_chapter, student_path
from autograder.grading import Engine
from autograder.grading.host.intake_process import take_in
from autograder.grading.intake import find_flags, read_notebook
from autograder.grading.repair import repair
from autograder.grading.result import Submission
from tests import damage
from tests.conftest import CHAPTER, ROOT, real_chapters, write_chapter
from tests.notebooks import as_bytes

IMPORTS = CHAPTER.replace(
    "# %% [markdown]\n# ## 1.2", '# %% tags=["show"]\nimport fractions\n\n# %% [markdown]\n# ## 1.2'
).replace('is 6."""\n', 'is 6."""\nimport operator\n')


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """(engine, chapter, the released notebook as a dictionary) of a course of one small chapter."""
    root = tmp_path_factory.mktemp("course")
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root / name)
    imports = "import math\nimport attention_built as ab"
    write_chapter(root, "ch01_small", IMPORTS.replace("import math", imports))
    release(root)
    with Engine(root, sandbox=False) as engine:
        yield (
            engine,
            find_chapter(root, "ch01"),
            json.loads(student_path(root, "ch01_small").read_text(encoding="utf-8")),
        )


def hand_in(small, harm):
    engine, chapter, released = small
    notebook = damage.solved(released)
    harm(notebook)
    data = as_bytes(notebook)
    return engine.grade(Submission("ada", chapter.name, data)), data


@pytest.mark.parametrize("name", damage.DAMAGES)
def test_a_damaged_notebook_gets_the_mark_of_what_is_in_it(small, name):
    result, _ = hand_in(small, damage.DAMAGES[name])
    assert result.problem == ""
    assert result.points == damage.RESULT.get(name, 3), result.repairs
    assert result.flags == ()


def noted(notebook):
    "a note below every check, and below the set-up"
    for cell in notebook["cells"]:
        about = cell["metadata"]
        if about.get("nbgrader", {}).get("grade") or "setup" in about.get("tags", ()):
            cell["source"] = "".join(cell["source"]) + "\n# this one passes"


@pytest.mark.parametrize("name", real_chapters())
@pytest.mark.parametrize(
    "harm", [damage.colab_download, damage.saved_by_databricks, damage.windows_line_ends, noted]
)
def test_no_honest_file_of_a_real_chapter_is_accused(name, harm):
    chapter = filled_chapter(ROOT, name)
    student = StudentNotebook(ROOT, chapter)
    student.solve()
    harm(student.notebook)
    assert find_flags(chapter, *read_notebook(student.notebook_bytes())) == ()


TYPED = "typed_here = 7"


def typed(text, place):
    """A cell's text with a line typed above it, below it, or between its first statements."""
    lines = text.split("\n")
    body = ast.parse(text).body
    at = {"above": 0, "below": len(lines), "inside": body[0].end_lineno if body else 0}[place]
    return "\n".join([*lines[:at], TYPED, *lines[at:]])


@pytest.mark.parametrize(
    ("harm", "every"), [(damage.nothing, 1), (damage.ids_and_metadata_gone, 12)]
)
@pytest.mark.parametrize("place", ["above", "inside", "below"])
def test_a_line_typed_into_any_cell_of_a_chapter_is_run_where_it_stands(place, harm, every):
    chapter = filled_chapter(ROOT, "ch02_single_head")
    student = StudentNotebook(ROOT, chapter)
    student.solve()
    last = chapter.exercises[-1]
    used = damage.cell(student.notebook, last.id)
    used["source"] = damage.text(used) + "\nassert typed_here"
    lost, cells = [], student.notebook["cells"]
    code = [n for n, one in enumerate(cells[: cells.index(used)]) if one["cell_type"] == "code"]
    for number in code[::every]:
        changed = copy.deepcopy(student.notebook)
        one = changed["cells"][number]
        one["source"] = typed(damage.text(one), place)
        harm(changed)
        plan = take_in(chapter, as_bytes(changed)).plan
        needs = next(n for n, cell in enumerate(plan) if "assert typed_here" in cell.text)
        lines = [line for cell in plan[:needs] for line in cell.text.split("\n")]
        lost += [one["source"]] if TYPED not in lines else []
    assert not lost


@pytest.mark.parametrize("place", ["above", "inside", "below"])
@pytest.mark.parametrize("tag", ["setup", "show"])
def test_an_import_typed_into_a_cell_of_the_chapter_serves_the_answers(small, place, tag):
    def harm(notebook):
        one = next(c for c in notebook["cells"] if tag in c["metadata"].get("tags", ()))
        text = typed(damage.text(one), place)
        one["source"] = text.replace(TYPED, "from operator import truediv as typed_here")
        damage.cell(notebook, "ch01_half")["source"] = "def half(x):\n    return typed_here(x, 2)"

    result, _ = hand_in(small, harm)
    assert result.points == 3 and not result.repairs and not result.flags


def reformatted(text):
    """A cell as a formatter writes it: other quotes, other line ends, comments and brackets."""
    try:
        return ast.unparse(ast.parse(text))
    except SyntaxError:
        return text


@pytest.mark.parametrize("name", real_chapters()[1::4])
def test_a_formatter_is_accused_of_nothing_and_changes_nothing(name):
    chapter = filled_chapter(ROOT, name)
    student = StudentNotebook(ROOT, chapter)
    student.solve()
    plain = take_in(chapter, student.notebook_bytes())
    for cell in student.cells:
        if cell["cell_type"] == "code":
            cell["source"] = reformatted(damage.text(cell))
    formatted = take_in(chapter, student.notebook_bytes())
    assert formatted.flags == () and formatted.report == plain.report
    assert [(c.id, c.released) for c in formatted.plan] == [(c.id, c.released) for c in plain.plan]


@pytest.mark.parametrize(
    ("line", "suspected"),
    [
        ("os.system('nvidia-smi')", False),
        ('subprocess.run(["nvidia-smi", "-L"])', False),
        ("os.system('nvidia-smi; cat /etc/passwd')", True),
        ("os.system('curl example.org')", True),
        ("def f():\n    os.popen('sh')", True),
    ],
)
def test_only_asking_what_the_machine_is_raises_no_suspicion(line, suspected):
    chapter = filled_chapter(ROOT, "ch01_why_attention")
    student = StudentNotebook(ROOT, chapter)
    student.cells.append(damage.new(line, id="my-own"))
    flags = take_in(chapter, student.notebook_bytes()).flags
    assert [flag.startswith("starts other programs") for flag in flags] == [True] * suspected


def test_two_versions_that_differ_are_named_where_they_stand(small):
    def conflict(notebook):
        damage.cell(notebook, "ch01_double")["source"] = (
            "def double(x):\n<<<<<<< local\n    return x + x\n=======\n    return x * 2\n"
            ">>>>>>> remote"
        )

    result, _ = hand_in(small, conflict)
    message = next(v.message for v in result.verdicts if v.exercise == "ch01_double")
    assert "git left both versions of a conflict in this cell (line 2): keep one" in message
    assert result.points == 1


def test_code_of_the_chapter_that_gives_a_name_is_no_answer(small):
    _, chapter, released = small
    shown = replace(
        next(cell for cell in chapter.cells if cell.show_only),
        source="def half(x):\n    return x / 2",
    )
    cells = tuple(shown if cell.show_only else cell for cell in chapter.cells)
    notebook = damage.solved(released)
    damage.cell(notebook, "ch01_half")["source"] = f"def half(x):\n{damage.STUB}"
    one = next(c for c in notebook["cells"] if c["id"] == shown.id)
    one["source"] = f"{shown.source}  # as shown\nextra = 1"
    done = repair(replace(chapter, cells=cells), read_notebook(as_bytes(notebook))[0])
    assert damage.STUB in done.answer("ch01_half")


def test_there_are_at_least_thirty_kinds_of_damage():
    assert len(damage.DAMAGES) >= 30


@pytest.mark.parametrize(
    "name",
    [
        "solution_duplicated",
        "check_deleted",
        "check_edited",
        "became_markdown",
        "reversed_order",
        "merged_with_its_check",
        "split_keeping_metadata",
        "answer_in_a_new_cell",
        "ids_and_metadata_gone",
        "setup_deleted",
    ],
)
def test_every_repair_is_reported(small, name):
    result, _ = hand_in(small, damage.DAMAGES[name])
    assert bool(result.repairs) == (
        name != "solution_duplicated"
    )  # two equal cells need no decision


def test_an_undamaged_notebook_needs_no_repair(small):
    result, _ = hand_in(small, damage.nothing)
    assert result.repairs == ()


def test_repairing_does_not_touch_the_original(small):
    _, chapter, released = small
    notebook = damage.solved(released)
    damage.reversed_order(notebook)
    before = json.dumps(notebook)
    repair(chapter, read_notebook(before.encode())[0])
    assert json.dumps(notebook) == before


def test_a_wrong_answer_is_not_repaired_into_a_right_one(small):
    def wrong(notebook):
        damage.cell(notebook, "ch01_double")["source"] = "def double(x):\n    return x ** 2"
        damage.ids_and_metadata_gone(notebook)

    result, _ = hand_in(small, wrong)
    assert result.points == 1


def remove_progress(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != PROGRESS_ID]


def call_status(notebook):
    place = next(n for n, cell in enumerate(notebook["cells"]) if cell["id"] == PROGRESS_ID)
    asked = {
        "cell_type": "code",
        "id": "asks",
        "metadata": {},
        "outputs": [],
        "source": "ab.status()",
    }
    notebook["cells"].insert(place + 1, asked | {"execution_count": None})
    notebook["cells"].append(asked | {"execution_count": None, "id": "asks-again"})


@pytest.mark.parametrize("harm", [remove_progress, call_status])
def test_status_costs_nothing_whether_it_is_called_or_taken_away(small, harm):
    as_released, _ = hand_in(small, damage.nothing)
    result, _ = hand_in(small, harm)
    assert result.points == as_released.points == 3
    assert result.repairs == as_released.repairs
