"""Forty kinds of damage, each with the mark it must still get: right code is never lost to an
editor's habit.
"""

import json
import shutil

import pytest

from autograder.assurance.sample_class import StudentNotebook
from autograder.build.release import release
from autograder.course.added_cells import PROGRESS_ID
from autograder.course.carry import filled_chapter
from autograder.course.chapter import find_chapter, student_path
from autograder.grading import Engine
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
