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


@pytest.fixture
def adding(package_course, monkeypatch):
    """A function: the small course's first chapter with added cells {id: (index, source)}."""

    def made(**cells):
        def kind(settings, chapter, for_students):
            return [(index, cell(name, source)) for name, (index, source) in cells.items()]

        def cell(name, source):
            code = nbformat.v4.new_code_cell(source)
            code.id = name
            return code

        monkeypatch.setattr(added, "kinds", lambda: [kind])
        settings = load_settings(package_course)
        return added_cells(settings, find_chapter(package_course, "ch01"), True)

    return made


def test_cells_come_in_the_order_of_the_notebook(adding):
    cells = adding(**{PAGE_ID: (4, "ab.page(1)"), YOURS_ID: (2, "ab.show_my_attention(1)")})
    assert [(index, cell.id) for index, cell in cells] == [(2, YOURS_ID), (4, PAGE_ID)]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_raw_cell(str(n)) for n in range(5)])
    add(notebook, cells)
    assert [cell.id for cell in notebook.cells].index(YOURS_ID) == 2
    assert notebook.cells[4].source == "3" and notebook.cells[5].id == PAGE_ID


def test_an_added_cell_may_use_what_the_chapter_defines_above_it(adding):
    adding(**{MODEL_ID: (4, "ab.show_my_model(double(math.pi))")})


def test_not_what_the_chapter_defines_below(adding):
    with pytest.raises(SourceError, match="interactive-model: uses 'double', which no cell"):
        adding(**{MODEL_ID: (3, "ab.show_my_model(double(1))")})


def test_nor_in_a_function_that_is_called_later(adding):
    with pytest.raises(SourceError, match="interactive-model: uses 'from_nowhere'"):
        adding(**{MODEL_ID: (3, "ab.show_my_model(lambda: from_nowhere())")})


def test_a_cell_that_intake_would_grade_is_refused(adding):
    with pytest.raises(SourceError, match="belong into autograder/course/added_cells.py"):
        adding(**{"of-another-package": (0, "")})
    with pytest.raises(SourceError, match="belong into autograder/course/added_cells.py"):
        adding(**{PAGE_ID: (0, "helper = 1")})


def test_packages_add_kinds_by_an_entry_point(course):
    assert [kind.__name__ for kind in added.kinds()] == [
        "rules_cells",
        "interactive_cells",
        "narration_cells",
        "progress_cells",
        "handin_cells",
    ]


def test_a_chapter_that_does_not_import_the_package_gets_no_code(course):
    made = added_cells(load_settings(course), find_chapter(course, "ch01"), True)
    assert made == []


def test_one_that_does_is_followed_from_below_the_import_on_and_a_solution_is_not(package_course):
    settings = load_settings(package_course, "one/course")
    chapter = find_chapter(package_course, "ch01")
    made = added_cells(settings, chapter, True)
    assert [(index, cell.id) for index, cell in made] == [
        (2, "your-progress"),
        (len(chapter.cells), "before-you-hand-in-text"),
        (len(chapter.cells), "before-you-hand-in"),
    ]
    assert made[0][1].source == 'ab.follow("https://one.github.io/course/ch01_small.html")'
    assert made[-1][1].source == 'ab.ready_to_hand_in("ch01_small")'
    assert added_cells(settings, chapter, False) == []


def test_an_added_cell_with_another_line_than_the_registry_makes_is_a_leak(package_course):
    settings, chapter = load_settings(package_course), find_chapter(package_course, "ch01")
    notebook = student_notebook(settings, chapter)
    check_notebook(settings, chapter, notebook)
    notebook.cells[-1].source += "\nimport attention_built as ab"  # which the chapter may have
    with pytest.raises(LeakError, match="before-you-hand-in: the line 'import attention_built"):
        check_notebook(settings, chapter, notebook)


def test_addresses_are_those_of_the_settings_that_the_notebook_was_made_with(package_course):
    chapter = find_chapter(package_course, "ch01")
    notebook = student_notebook(load_settings(package_course, "one/course"), chapter)
    with pytest.raises(LeakError, match="one.github.io"):
        check_notebook(load_settings(package_course, "another/course"), chapter, notebook)
