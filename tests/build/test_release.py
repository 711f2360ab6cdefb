"""The build: nothing secret reaches the students, same source gives same bytes, only what changed
is executed.
"""

import base64
import io
import json
import subprocess
import threading

import matplotlib
import numpy as np
import pytest
from nbconvert.exporters import ScriptExporter
from PIL import Image

from autograder.build import record
from autograder.build.execute import COLOURS
from autograder.build.fresh import stale_files
from autograder.build.leaks import check_tree
from autograder.build.pairing import PAIRING, alone, pair, script_of
from autograder.build.record import is_as_released, remember_release, what_is_read
from autograder.build.release import release, student_bytes
from autograder.course.chapter import (
    chosen_chapters,
    deeper_path,
    find_chapter,
    notebook_of,
    solution_path,
    student_path,
)
from autograder.course.errors import ConflictError, LeakError, SolutionError, SourceError
from autograder.course.settings import DEFAULT_REPOSITORY, Settings, load_settings
from tests.conftest import CARRYING, CHAPTER, ROOT, write_chapter


def text_of(path):
    return "\n".join(
        "".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
    )


def tree(root):
    return {
        path.relative_to(root): path.read_bytes()
        for folder in ("notebooks", "solutions")
        for path in (root / folder).rglob("*")
        if path.is_file()
    }


def test_students_get_neither_solutions_nor_hidden_tests(course):
    release(course)
    student = student_path(course, "ch01_small")
    assert "raise NotImplementedError()" in text_of(student)
    for secret in ("twice_the_input", "-5.0", "half_of_the_input", "BEGIN", "END HIDDEN"):
        assert secret not in student.read_text(encoding="utf-8")


SHOWN = (
    CHAPTER
    + """
# %% tags=["show"]
import matplotlib.pyplot as plt
fig, ax = plt.subplots()
ax.imshow([[i * j % 997 for i in range(300)] for j in range(300)])
plt.show()

# %% tags=["uses-exercise"]
third = half(3.0)

# %% tags=["uses-exercise"]
print(double(third))

# %% tags=["show"]
guess = None   # type a number

# %% tags=["show"]
print("between", 45)

# %% tags=["show"]
check_guess = print
check_guess("see", guess)

# %% [markdown]
# ## 1.2 What comes next

# %% tags=["show"]
print("after the guess")
"""
)


def outputs_of(course):
    """{text of a cell: its outputs} of the code cells in the first chapter's student notebook."""
    cells = json.loads(student_path(course, "ch01_small").read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return {"".join(cell["source"]): cell["outputs"] for cell in code}


def test_students_see_the_outputs_of_cells_that_need_no_answer_of_theirs(course):
    write_chapter(course, "ch01_small", SHOWN)
    release(course)
    said = {
        source: "".join("".join(output.get("text", "")) for output in outputs)
        for source, outputs in outputs_of(course).items()
        if outputs
    }
    assert said.pop("print(sum(range(10)))") == "45\n"
    assert said.pop("third = half(3.0)") == "Needs exercise 1.2.\n"
    assert said.pop("print(double(third))") == "Needs exercise 1.1, 1.2.\n"
    assert said.pop('print("after the guess")') == "after the guess\n"
    assert [source.split()[-1] for source in said] == ["plt.show()"]
    assert stale_files(course) == []


def test_a_cell_with_a_title_stands_folded(course):
    titled = '\n# %%\n# @title The code of the figure\nprint("drawn")\n'
    write_chapter(course, "ch01_small", CHAPTER + titled)
    release(course)
    cells = json.loads(student_path(course, "ch01_small").read_bytes())["cells"]
    folded = [
        "".join(cell["source"]) for cell in cells if cell["metadata"].get("cellView") == "form"
    ]
    assert [source for source in folded if "drawn" in source] and len(folded) == 1


def test_a_figure_has_a_palette_and_no_more_colours_than_it_may(course):
    write_chapter(course, "ch01_small", SHOWN)
    release(course)
    (picture,) = [
        output["data"]["image/png"]
        for outputs in outputs_of(course).values()
        for output in outputs
        if "data" in output
    ]
    image = Image.open(io.BytesIO(base64.b64decode("".join(picture))))
    assert image.mode == "P" and len(image.getcolors()) <= COLOURS[-1]
    first = tree(course)
    release(course, force=True)
    assert tree(course) == first


@pytest.mark.parametrize(
    "telling",
    [
        "print('def half(x):\\n    half_of_the_input = x / 2')",
        "from IPython.display import HTML, display; display(HTML('half_of_the_input = x / 2'))",
    ],
)
def test_an_output_that_holds_the_answer_of_an_exercise_is_refused(course, telling):
    write_chapter(course, "ch01_small", CHAPTER.replace("print(sum(range(10)))", telling))
    with pytest.raises(LeakError, match="its output holds 'half_of_the_input = x / 2'"):
        release(course, ["ch01"])
    assert tree(course) == {}


def test_an_output_in_the_tree_that_holds_an_answer_is_refused(course):
    release(course)
    path = student_path(course, "ch01_small")
    path.write_text(path.read_text().replace("45\\n", "half_of_the_input = x / 2\\n"))
    with pytest.raises(LeakError, match="half_of_the_input"):
        check_tree(course, course / "notebooks")


def test_the_head_of_a_chapter_counts_what_is_there(course):
    head = "*10 minutes · ●○○○○ · 9 exercises, 99 points · you need nothing*"
    write_chapter(course, "ch01_small", CHAPTER.replace("# Its question.", f"# {head}"))
    release(course, ["ch01"])
    told = text_of(student_path(course, "ch01_small"))
    assert "2 exercises, 3 points · you" in told and "99 points" not in told
    assert find_chapter(course, "ch01").facts["work"] == "2 exercises, 3 points"


def test_nbconvert_makes_python_of_a_notebook(course):
    release(course, ["ch01"])
    for path in (student_path(course, "ch01_small"), solution_path(course, "ch01_small")):
        _, about = ScriptExporter().from_filename(str(path))
        assert about["output_extension"] == ".py"


def test_the_student_tree_holds_notebooks_only(course):
    release(course)
    assert {path.suffix for path in (course / "notebooks").rglob("*") if path.is_file()} == {
        ".ipynb"
    }


def test_solutions_have_outputs_and_no_markers(course):
    release(course)
    solution = solution_path(course, "ch01_small")
    assert "twice_the_input" in text_of(solution) and "BEGIN" not in text_of(solution)
    assert "1.1 holds." in solution.read_text() and "45" in solution.read_text()


def test_same_source_gives_same_bytes_even_when_executed_again(course):
    release(course)
    first = tree(course)
    release(course, force=True)
    assert tree(course) == first


def test_nothing_of_the_machine_stands_in_a_built_file(course):
    release(course)
    for content in tree(course).values():
        for trace in (
            b"timestamp",
            b"iopub",
            b"/tmp",
            str(course).encode(),
            b'"version"',
            b"ipython3",
        ):
            assert trace not in content


def test_only_the_chapter_that_changed_is_executed_and_what_carries_its_code(course, monkeypatch):
    assert [b.executed for b in release(course)] == [True, True]
    assert [b.executed for b in release(course)] == [False, False]
    write_chapter(
        course, "ch01_small", CHAPTER.replace("print(sum(range(10)))", "print(sum(range(11)))")
    )
    assert [b.executed for b in release(course)] == [True, False]
    write_chapter(course, "ch01_small", CHAPTER.replace("2 * x", "x * 2"))
    assert [b.executed for b in release(course)] == [True, True]
    monkeypatch.setattr("autograder.build.release.code_of_checks", lambda **_: b"checked otherwise")
    (course / ".autograder" / "released").unlink()
    assert [b.executed for b in release(course)] == [True, True]


def test_where_nothing_changed_since_the_last_release_nothing_is_built(course, monkeypatch):
    release(course)
    building = []
    monkeypatch.setattr(
        "autograder.build.release._build",
        lambda settings, chapter, *_: building.append(chapter.name),
    )
    assert [(one.executed, one.changed) for one in release(course)] == [(False, ())] * 2
    release(course, force=True)
    assert building == ["ch01_small", "ch02_carries"]


@pytest.mark.parametrize(
    "name",
    ["source/ch01_small/ch01_small.py", "notebooks/ch02_carries/ch02_carries.ipynb", "bank/new.py"],
)
def test_a_file_that_is_not_what_it_was_is_seen(course, name):
    release(course)
    assert is_as_released(load_settings(course))
    (course / name).parent.mkdir(exist_ok=True)
    (course / name).write_text("x", encoding="utf-8")
    assert not is_as_released(load_settings(course))


def test_other_settings_and_other_code_are_seen(course, monkeypatch):
    release(course)
    assert not is_as_released(load_settings(course, "somebody/fork"))
    monkeypatch.setattr(record, "_packages", lambda: [course / "pyproject.toml"])
    assert not is_as_released(load_settings(course))


def test_an_edit_during_a_release_is_built_by_the_next_one(course):
    def edit(*_):
        write_chapter(course, "ch01_small", CHAPTER.replace("Its question", "One question"))

    release(course, progress=edit)
    release(course)
    assert "One question" in text_of(student_path(course, "ch01_small"))


def test_fresh_trusts_no_record(course):
    release(course)
    path = student_path(course, "ch01_small")
    path.write_text(path.read_text().replace("Its question", "Another"), encoding="utf-8")
    settings = load_settings(course)
    remember_release(settings, what_is_read(settings))
    assert is_as_released(settings)
    (stale,) = stale_files(course)
    assert stale == student_path("", "ch01_small")


def test_new_prose_is_released_without_executing(course):
    release(course)
    write_chapter(course, "ch01_small", CHAPTER.replace("# Its question.", "# Another question."))
    built = release(course)[0]
    assert not built.executed and len(built.changed) == 2
    assert "Another question." in text_of(solution_path(course, "ch01_small"))


def test_links_to_the_courses_own_files_name_the_repository_of_the_settings(course):
    default = Settings(course, repository=DEFAULT_REPOSITORY)
    links = f"# [raw]({default.hosted_url('raw.bin')}), [seen]({default.viewed_url('seen.py')})"
    write_chapter(course, "ch01_small", CHAPTER.replace("# Its question.", links))
    settings = load_settings(course, "owner/fork")
    notebook = student_bytes(settings, find_chapter(course, "ch01_small")).decode()
    assert "owner/fork/main/raw.bin" in notebook and "owner/fork/blob/main/seen.py" in notebook
    assert DEFAULT_REPOSITORY not in notebook


def test_links_in_code_are_released_in_a_fork_without_executing_again(course):
    url = Settings(course, repository=DEFAULT_REPOSITORY).hosted_url("raw.bin")
    write_chapter(course, "ch01_small", CHAPTER.replace("import math", f'data = "{url}"'))
    release(course)
    (course / "pyproject.toml").write_text('[tool.autograder]\nrepository = "owner/fork"\n')
    assert not any(built.executed for built in release(course))
    assert "owner/fork/main/raw.bin" in text_of(solution_path(course, "ch01_small"))
    assert stale_files(course) == []


def test_a_leak_in_the_last_chapter_ends_a_release_before_the_first_is_written(course, monkeypatch):
    def leaks(settings, chapter, notebook):
        if chapter.name == "ch02_carries":
            raise LeakError("Nothing was written.")

    monkeypatch.setattr("autograder.build.release.check_notebook", leaks)
    with pytest.raises(LeakError):
        release(course)
    assert tree(course) == {}


def test_carried_code_stands_in_the_later_notebook(course):
    release(course)
    assert "twice_the_input = 2 * x" in text_of(student_path(course, "ch02_carries"))
    assert "### BEGIN" not in text_of(student_path(course, "ch02_carries"))


def test_carrying_an_unknown_name_says_what_is_known(course):
    write_chapter(
        course, "ch02_carries", CARRYING.replace("ch01_small: double", "ch01_small: triple")
    )
    with pytest.raises(SourceError, match="Known there: double, half"):
        release(course, ["ch02"])


@pytest.mark.parametrize(
    "new, says",
    [
        ("raise ValueError('no')", "raised ValueError: no"),
        ("import sys; print('oh', file=sys.stderr)", "wrote to stderr"),
    ],
)
def test_a_solution_that_fails_writes_nothing(course, new, says):
    write_chapter(course, "ch01_small", CHAPTER.replace("print(sum(range(10)))", new))
    with pytest.raises(SolutionError, match=says):
        release(course, ["ch01"])
    assert tree(course) == {}


@pytest.mark.parametrize(
    "name, text",
    [
        ("ch01_small.py", CHAPTER),
        ("notes.md", "half_of_the_input = x / 2"),
        ("helper.txt", "nothing secret"),
    ],
)
def test_a_file_beside_the_notebook_is_refused(course, name, text):
    release(course)
    (course / "notebooks" / "ch01_small" / name).write_text(text, encoding="utf-8")
    with pytest.raises(LeakError, match=name):
        check_tree(course, course / "notebooks")


def test_a_solution_line_in_another_cell_is_refused(course):
    release(course)
    path = student_path(course, "ch01_small")
    notebook = json.loads(path.read_text())
    notebook["cells"][1]["source"].append("\n    twice_the_input = 2 * x")
    path.write_text(json.dumps(notebook))
    with pytest.raises(LeakError, match="twice_the_input"):
        check_tree(course, course / "notebooks")


def test_stale_and_left_over_files_are_named(course):
    release(course)
    assert stale_files(course) == []
    write_chapter(course, "ch01_small", CHAPTER.replace("twice 3 is 6", "two times 3 is 6"))
    (course / "solutions" / "ch09_gone").mkdir()
    stale = [str(path) for path in stale_files(course)]
    assert stale == [
        "notebooks/ch01_small/ch01_small.ipynb",
        "solutions/ch01_small/ch01_small.ipynb",
        "solutions/ch09_gone",
    ]


def test_a_release_in_a_fork_is_not_stale(course, monkeypatch):
    release(course)
    monkeypatch.setenv("AUTOGRADER_REPOSITORY", "somebody/fork")
    assert stale_files(course) == []
    release(course)
    assert (
        "github/somebody/fork/blob/main/notebooks/ch01_small"
        in student_path(course, "ch01_small").read_text()
    )


def test_an_edited_paired_notebook_becomes_the_script(course):
    release(course)
    paired = course / "source/ch01_small/ch01_small.ipynb"
    paired.write_text(paired.read_text().replace("Its question.", "Asked in JupyterLab."))
    release(course)
    script = course / "source/ch01_small/ch01_small.py"
    assert (
        "# Asked in JupyterLab." in script.read_text()
        and "### BEGIN HIDDEN TESTS" in script.read_text()
    )
    assert "Asked in JupyterLab." in text_of(student_path(course, "ch01_small"))


def test_two_different_edits_are_refused_and_neither_is_overwritten(course):
    release(course)
    script, paired = (
        course / "source/ch01_small/ch01_small.py",
        course / "source/ch01_small/ch01_small.ipynb",
    )
    paired.write_text(paired.read_text().replace("Its question.", "Asked in JupyterLab."))
    script.write_text(script.read_text().replace("Its question.", "Asked in an editor."))
    before = script.read_text(), paired.read_text()
    with pytest.raises(ConflictError, match="both edited"):
        release(course)
    assert (script.read_text(), paired.read_text()) == before


def test_what_a_cell_asks_of_the_build_survives_an_edit_in_jupyterlab(course):
    head, points = '"schema_version": 3, "solution": false, "task": false}', '"points": 2, '
    text = CHAPTER.replace(points + head, f'{points}{head} checks=["gpt_logits"]', 1)
    text = text.replace("import math", "import torch", 1)
    asking = next(line for line in text.splitlines() if "checks=" in line)
    write_chapter(course, "ch01_small", text)
    (course / "source" / "checks.py").write_text((ROOT / "source" / "checks.py").read_text())
    release(course)
    paired = course / "source/ch01_small/ch01_small.ipynb"
    paired.write_text(paired.read_text().replace("Its question.", "Asked in JupyterLab."))
    release(course)
    script = course / "source/ch01_small/ch01_small.py"
    assert script.read_text() == text.replace("Its question.", "Asked in JupyterLab.")
    assert asking in script.read_text()


def test_two_builds_at_once_do_not_take_each_others_writing_for_an_edit(course):
    release(course)
    script = course / "source/ch01_small/ch01_small.py"
    edited = script.read_text().replace("Its question.", "Asked in an editor.")
    script.write_text(edited)
    chapter, done = find_chapter(course, "ch01"), []
    with alone(course):  # another build is between reading and writing
        waiting = threading.Thread(target=lambda: done.append(pair(course, chapter)))
        waiting.start()
        waiting.join(0.3)
        assert not done
    waiting.join()
    assert done == ["notebook written"] and script.read_text() == edited


@pytest.mark.parametrize("chapter", chosen_chapters(ROOT), ids=lambda chapter: chapter.name)
def test_a_chapter_comes_back_from_its_notebook_as_it_is_written(chapter):
    made = notebook_of(chapter)
    made.metadata["jupytext"] = PAIRING
    assert script_of(made) == chapter.path.read_text(encoding="utf-8")


def test_line_ends_are_the_same_in_every_clone():
    """The release is compared byte by byte; git on Windows writes CRLF unless it is told."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--eol"], capture_output=True, text=True, check=True
    )
    for line in listed.stdout.splitlines():
        kinds, _, path = line.partition("\t")
        index, _, *attributes = kinds.split()
        assert index in ("i/-text", "i/none") or attributes[-1] == "eol=lf", path


DEEPER = """# %% [markdown]
# # 1 · Deeper
#
# Beside [the chapter](ch01_small.ipynb).

# %% carry=["ch01_small: LIMIT"]
print(LIMIT + 1)
"""


@pytest.fixture
def deeper(course):
    """The source of an optional notebook beside the first chapter, which links to it."""
    text = CHAPTER.replace("import math", "LIMIT = 41")
    write_chapter(course, "ch01_small", text.replace("Its question.", "[More](deeper.ipynb)"))
    path = course / "source/ch01_small/deeper.py"
    path.write_text(DEEPER, encoding="utf-8")
    return path


def test_an_optional_notebook_beside_a_chapter_is_built_with_its_outputs(course, deeper):
    release(course)
    path, site = deeper_path(course, "ch01_small"), load_settings(course).site_url
    assert "LIMIT = 41" in text_of(path) and '"42\\n"' in path.read_text()
    assert "notebooks/ch01_small/deeper.ipynb" in text_of(path)  # the badge
    ways = f"· [the chapter](ch01_small.ipynb) ([on the web]({site}ch01_small.html))"
    assert ways in text_of(path) and "Beside [the chapter](ch01_small.ipynb)." in text_of(path)
    released = text_of(student_path(course, "ch01_small"))
    assert f"· [deeper](deeper.ipynb) ([on the web]({site}ch01_small_deeper.html))" in released
    assert "[More](deeper.ipynb)" in released
    assert stale_files(course) == [] and [one.executed for one in release(course)] == [False] * 2
    deeper.write_text(DEEPER.replace("LIMIT + 1", "LIMIT + 2"), encoding="utf-8")
    assert stale_files(course) == [path.relative_to(course)]
    deeper.unlink()
    assert stale_files(course) == [path.relative_to(course)]


def test_the_optional_notebook_has_neither_exercises_nor_answers_of_its_chapter(course, deeper):
    deeper.write_text(
        DEEPER.replace("LIMIT + 1", "double(1)").replace("LIMIT", "double"), encoding="utf-8"
    )
    with pytest.raises(LeakError, match="deeper.ipynb: holds the line 'return twice_the_input'"):
        release(course)
    deeper.write_text(CHAPTER, encoding="utf-8")
    with pytest.raises(SourceError, match=r"Exercise 1\.1 · Double belongs into the chapter"):
        release(course)


def test_a_chapter_whose_model_is_not_installed_is_not_executed(course):
    wanted = course / "source/ch01_small/model.txt"
    wanted.write_text("# A model.\nno-such-model==0.1 --hash=sha256:0  # weights\nnumpy==2.0\n")
    with pytest.raises(SolutionError, match=r"ch01_small: .*\(no-such-model\): make model"):
        release(course)
    assert not solution_path(course, "ch01_small").exists()
    wanted.write_text("numpy==2.0\n")
    release(course)
    wanted.write_text("no-such-model==0.1\n")
    assert [one.executed for one in release(course, force=False)] == [False] * 2


def test_a_figure_keeps_its_rare_colours(course):
    figure = """
# %% tags=["show"]
import matplotlib.pyplot as plt, numpy as np
fig, ax = plt.subplots()
ax.imshow(np.random.default_rng(1).normal(size=(90, 90)) * 3, cmap="PuOr", vmin=-25, vmax=25)
ax.plot([0, 9], [9, 9], color=(0, 0.45, 0.7))
for n, ends in enumerate((0.0, 1.0)):
    ax.plot([5 + n, 6 + n], [5, 6], color=plt.get_cmap("PuOr")(ends), linewidth=9)
plt.show()
"""
    write_chapter(course, "ch01_small", CHAPTER + figure)
    release(course)
    (picture,) = (
        output["data"]["image/png"]
        for outputs in outputs_of(course).values()
        for output in outputs
        if "image/png" in output.get("data", {})
    )
    shown = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")).astype(int)
    for ends in (0.0, 1.0):
        wanted = np.array(matplotlib.colormaps["PuOr"](ends)[:3]) * 255
        assert np.abs(shown - wanted).max(axis=-1).min() < 20
