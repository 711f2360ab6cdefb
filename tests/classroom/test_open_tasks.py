"""What students wrote for "Make it yours" reaches the class report: whole, escaped, and without
their names.
"""

import pytest

from autograder.classroom.paths import class_page_path
from autograder.classroom.results.open_tasks import open_answers
from autograder.course.chapter import find_chapter
from autograder.grading.host.intake_process import take_in
from autograder.grading.shown import task_cells
from tests.hostile import corpus

from ..conftest import CHAPTER, ROOT, real_chapters, write_chapter
from ..notebooks import as_bytes
from ..small_class import Classroom, Counting, grade

TASK = """
# %% [markdown]
# ### Make it yours
#
# Write a number of your own.

# %% tags=["uses-exercise", "show"]
mine = 3
print(double(mine))

# %% [markdown]
# ## Summary
#
# Twice is twice.
"""


@pytest.fixture
def chapter(course):
    write_chapter(course, "ch01_small", CHAPTER + TASK)
    return find_chapter(course, "ch01")


def handed_in(chapter, text=None, before=(), after=()):
    """A notebook whose open task holds ``text``, cells of the student's own before and after."""
    notebook = corpus.notebook(chapter)
    task = task_cells(chapter)[1].id
    place = next(n for n, cell in enumerate(notebook["cells"]) if cell["id"] == task)
    if text is not None:
        notebook["cells"][place]["source"] = text
    own = [
        {"cell_type": kind, "id": f"own{n}", "metadata": {}, "source": source}
        for n, (kind, source) in enumerate([*before, *after])
    ]
    cut = len(before)
    notebook["cells"][place : place + 1] = [*own[:cut], notebook["cells"][place], *own[cut:]]
    return notebook


def written(chapter, notebook):
    """What grading keeps of the open task in a notebook."""
    return take_in(chapter, as_bytes(notebook)).shown.open_task


def test_what_was_written_is_found_with_cells_of_the_students_own(chapter):
    notebook = handed_in(
        chapter, "mine = 8", before=[("markdown", "I expect\n16.")], after=[("code", "mine / 2")]
    )
    assert written(chapter, notebook) == "# I expect\n# 16.\n\nmine = 8\n\nmine / 2"


def test_an_untouched_task_says_nothing(chapter):
    assert written(chapter, handed_in(chapter)) == ""
    assert written(chapter, handed_in(chapter, "mine = 3 \nprint(double(mine))\n")) == ""


def test_ids_that_an_editor_made_anew_do_not_hide_the_text(chapter):
    notebook = handed_in(chapter, "mine = 8")
    for n, cell in enumerate(notebook["cells"]):
        cell["id"] = f"new-{n}"
    assert written(chapter, notebook) == "mine = 8"


def test_a_heading_that_was_deleted_does_not_hide_the_text(chapter):
    notebook = handed_in(chapter, "mine = 8")
    notebook["cells"] = [
        cell for cell in notebook["cells"] if "Make it yours" not in cell["source"]
    ]
    assert written(chapter, notebook) == "mine = 8"


def test_of_a_task_that_was_deleted_nothing_is_shown(chapter):
    notebook = corpus.notebook(chapter)
    ids = {cell.id for cell in task_cells(chapter)}
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] not in ids]
    assert written(chapter, notebook) == ""


def test_names_and_addresses_are_taken_out_and_the_order_is_not_that_of_the_class(chapter):
    class_ = {
        "ada": "mine = 1  # by Ada, ada@example.org; asked bob.b",
        "bob.b": "adamant = 2",
        "eve": "mine = 9",
        "zoe": "mine = 9",
    }
    texts = [written(chapter, handed_in(chapter, text)) for text in class_.values()]
    answers = open_answers(texts, class_)
    assert sorted((one.text, one.students) for one in answers) == [
        ("adamant = 2", 1),
        ("mine = 1  # by [name], [name]; asked [name]", 1),
        ("mine = 9", 2),
    ]
    assert answers == open_answers(reversed(texts), reversed(class_))


def test_the_class_report_shows_the_texts_escaped_and_without_names(course, chapter):
    classroom = Classroom(course)
    texts = {"anna": "mine = '<script>alert(1)</script>'", "boris": "mine = 'boris was here'"}
    for student, text in texts.items():
        classroom.hand_in_bytes(student, as_bytes(handed_in(chapter, text)))
    classroom.hand_in_bytes("carla", as_bytes(handed_in(chapter)))
    grade(classroom.settings, chapter, Counting(classroom))
    page = class_page_path(classroom.settings, chapter.name).read_text(encoding="utf-8")
    _, section = page.split("<h2>Make it yours</h2>")
    assert section.count('<div class="open">') == 2
    assert "&lt;script&gt;alert(1)" in section and "<script>alert" not in section
    assert "[name] was here" in section
    assert not any(student in section for student in ("anna", "boris", "carla"))
    # asked for one student alone, the report still holds the class
    grade(classroom.settings, chapter, Counting(classroom), ["anna"])
    page = class_page_path(classroom.settings, chapter.name).read_text(encoding="utf-8")
    assert page.count('<div class="open">') == 2


def test_a_chapter_without_the_task_has_no_such_section(course):
    classroom = Classroom(course)
    classroom.hand_in("ada")
    grade(classroom.settings, classroom.chapter, Counting(classroom))
    page = class_page_path(classroom.settings, "ch01_small").read_text(encoding="utf-8")
    assert "Make it yours" not in page


@pytest.mark.parametrize("name", real_chapters())
def test_every_chapter_ends_with_an_open_task_that_is_collected(name):
    chapter = find_chapter(ROOT, name)
    heading, *code = task_cells(chapter)
    assert code, f"{name}: no code cell follows {heading.source.splitlines()[0]!r}"
    task = code[0].id
    notebook = corpus.notebook(chapter, solved=False)
    assert written(chapter, notebook) == ""
    for cell in notebook["cells"]:
        if cell["id"] == task:
            cell["source"] = "mine = 'the cat sat'"
    assert written(chapter, notebook).startswith("mine = 'the cat sat'")
