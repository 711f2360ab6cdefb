"""The registry of added cells: what they use is there, intake knows them, and they hold what the
registry makes.
"""

import nbformat
import pytest

from autograder.build import added
from autograder.build.added import add, added_cells
from autograder.build.leaks import check_notebook
from autograder.build.nbgrader_run import student_notebook
from autograder.course.added_cells import MODEL_ID, PAGE_ID, YOURS_ID
from autograder.course.chapter import find_chapter
from autograder.course.errors import LeakError, SourceError
from autograder.course.settings import load_settings

GUARDED = 'if "show_my_model" in globals():\n    show_my_model({})'


@pytest.fixture
def adding(course, monkeypatch):
    """A function: the small course's first chapter with added cells {id: (index, source)}."""

    def made(**cells):
        def kind(settings, chapter, for_students):
            return [(index, cell(name, source)) for name, (index, source) in cells.items()]

        def cell(name, source):
            code = nbformat.v4.new_code_cell(source)
            code.id = name
            return code

        monkeypatch.setattr(added, "kinds", lambda: [kind])
        return added_cells(load_settings(course), find_chapter(course, "ch01"), True)

    return made


def page(index, body="pass"):
    return {
        PAGE_ID: (
            index,
            f"def course_page():\n    {body}\ndef show_my_model(x):\n    x\ncourse_page()",
        )
    }


def test_cells_come_in_the_order_of_the_notebook(adding):
    cells = adding(**page(4), **{YOURS_ID: page(2)[PAGE_ID]})
    assert [(index, cell.id) for index, cell in cells] == [(2, YOURS_ID), (4, PAGE_ID)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_raw_cell(str(n)) for n in range(5)])
    add(notebook, cells)
    assert [cell.id for cell in notebook.cells].index(YOURS_ID) == 2
    assert notebook.cells[4].source == "3" and notebook.cells[5].id == PAGE_ID


def test_an_added_cell_may_use_what_the_chapter_defines_above_it(adding):
    adding(**page(0), **{MODEL_ID: (4, GUARDED.format("double(math.pi)"))})


def test_not_what_the_chapter_defines_below(adding):
    with pytest.raises(SourceError, match="interactive-model: uses 'double', which no cell"):
        adding(**page(0), **{MODEL_ID: (3, GUARDED.format("double(1)"))})


def test_not_what_another_added_cell_defines_which_may_be_left_out(adding):
    with pytest.raises(SourceError, match="interactive-model: uses 'show_my_model'"):
        adding(**page(0), **{MODEL_ID: (4, "show_my_model(1)")})


def test_not_what_an_added_cell_further_down_defines_even_where_it_asks(adding):
    with pytest.raises(SourceError, match="interactive-model: uses 'show_my_model'"):
        adding(**page(5), **{MODEL_ID: (4, GUARDED.format(1))})


def test_nor_in_a_function_that_is_called_later(adding):
    with pytest.raises(SourceError, match="interactive-page: uses 'from_nowhere'"):
        adding(**page(0, "from_nowhere()"))


def test_a_cell_that_intake_would_grade_is_refused(adding):
    with pytest.raises(SourceError, match="belong into autograder/course/added_cells.py"):
        adding(**{"of-another-package": (0, "")})
    with pytest.raises(SourceError, match="belong into autograder/course/added_cells.py"):
        adding(**{PAGE_ID: (0, "helper = 1")})


def test_packages_add_kinds_by_an_entry_point(course):
    assert [kind.__name__ for kind in added.kinds()] == [
        "interactive_cells",
        "narration_cells",
        "progress_cells",
        "handin_cells",
    ]


def test_an_added_cell_with_another_line_than_the_registry_makes_is_a_leak(course):
    settings, chapter = load_settings(course), find_chapter(course, "ch01")
    notebook = student_notebook(settings, chapter)
    check_notebook(settings, chapter, notebook)
    notebook.cells[-1].source += "\nimport math"  # which the chapter may have, and this cell not
    with pytest.raises(LeakError, match="before-you-hand-in: the line 'import math'"):
        check_notebook(settings, chapter, notebook)


def test_addresses_are_those_of_the_settings_that_the_notebook_was_made_with(course):
    chapter = find_chapter(course, "ch01")
    notebook = student_notebook(load_settings(course, "one/course"), chapter)
    with pytest.raises(LeakError, match="one.github.io"):
        check_notebook(load_settings(course, "another/course"), chapter, notebook)
