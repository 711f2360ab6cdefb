"""The interactive page in a notebook: its links lead somewhere, and no mark depends on it."""

import ast
import re

import nbformat
import pytest

from autograder.build.preprocessors import with_badge
from autograder.build.readme import badge
from autograder.course.chapter import find_chapter, student_path
from autograder.course.errors import SourceError
from autograder.course.settings import Settings
from autograder.grading.host.intake_process import take_in
from coursesite.facts import FACTS, model_offers, tensor_offers
from coursesite.pages.cells import (
    LINK_ID,
    PAGE_MARK,
    PAGES,
    interactive_cells,
)
from tests.conftest import ROOT, real_chapters

WEB = "https://owner.github.io/course/interactive/"
every_page = pytest.mark.parametrize(
    "name", [name for name in real_chapters() if (ROOT / PAGES / f"{name}.html").is_file()]
)


def released(name, repository="owner/course"):
    """The committed student notebook without what was put in, with a repository's badge."""
    notebook = nbformat.read(student_path(ROOT, name), as_version=4)
    notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith("interactive-")]
    title = notebook.cells[0].source.split("\n", 1)[0]
    notebook.cells[0].source = with_badge(
        title + "\n", badge(Settings(ROOT, repository=repository).colab_url(name))
    )
    return notebook


def added(name, root=ROOT, **options):
    """The same with what is put in; its other cells stay as they are."""
    notebook = released(name, **options)
    settings = Settings(root, repository=options.get("repository", "owner/course"))
    chapter = find_chapter(ROOT, name)
    for index, cell in reversed(interactive_cells(settings, chapter, for_students=True)):
        above = chapter.cells[index - 1].id
        place = next(place for place, one in enumerate(notebook.cells) if one.id == above)
        notebook.cells.insert(place + 1, cell)
    return notebook


@every_page
def test_the_link_stands_where_the_chapter_asks_for_it_and_its_file_exists(name):
    cells = added(name).cells
    place = next(place for place, cell in enumerate(cells) if cell.id == LINK_ID)
    assert PAGE_MARK in cells[place - 1].source
    cell = cells[place]
    path, web = re.findall(r"\]\(([^)]+)\)", cell.source)
    assert (student_path(ROOT, name).parent / path).resolve().is_file()
    assert web == f"{WEB}{name}.html"
    assert cells[place + 1].source == f'ab.page("{web}")'


@every_page
def test_nothing_else_of_the_notebook_changes(name):
    kept = [
        (cell.id, cell.source, cell.metadata)
        for cell in added(name).cells
        if not cell.id.startswith("interactive-")
    ]
    assert kept == [(cell.id, cell.source, cell.metadata) for cell in released(name).cells]


def test_a_chapter_without_a_page_gets_nothing(tmp_path):
    name = real_chapters()[0]
    assert [cell.id for cell in added(name, root=tmp_path).cells] == [
        cell.id for cell in released(name).cells
    ]


def test_the_pages_stand_where_github_serves_the_repository():
    served = Settings(ROOT, repository="Some-One/my.course").pages_url
    assert served == "https://some-one.github.io/my.course/interactive/"
    own = Settings(ROOT, repository="one/one.github.io").pages_url
    assert own == "https://one.github.io/interactive/"


@pytest.mark.parametrize(
    "name, cell_id",
    [(name, "interactive-yours") for name in sorted(tensor_offers(ROOT))]
    + [(name, "interactive-model") for name in sorted(model_offers(ROOT))],
)
def test_the_cell_above_an_offer_works_with_the_same_names(name, cell_id):
    cells = [cell for cell in added(name).cells if cell.cell_type == "code"]
    at = next(index for index, cell in enumerate(cells) if cell.id == cell_id)
    offered, above = (
        {node.id for node in ast.walk(_parsed(cell.source)) if isinstance(node, ast.Name)}
        for cell in (cells[at], cells[at - 1])
    )
    assert offered & above


def test_an_offer_whose_place_is_gone_stops_the_release(tmp_path):
    page = tmp_path / PAGES / "ch04_multi_head.html"
    page.parent.mkdir(parents=True)
    page.write_text("<p>page</p>")
    (tmp_path / FACTS).parent.mkdir()
    (tmp_path / FACTS).write_text(
        '[your_tensor.ch04_multi_head]\nabove = "No such line"\ncall = "x"'
    )
    with pytest.raises(SourceError, match="No such line"):
        added("ch04_multi_head", root=tmp_path)


@every_page
def test_the_grader_finds_nothing_to_repair_or_to_flag(name):
    chapter = find_chapter(ROOT, name)
    plain, with_page = (
        take_in(chapter, nbformat.writes(notebook).encode())
        for notebook in (released(name), added(name))
    )
    assert (
        with_page.report == plain.report
        and with_page.flags == plain.flags
        and with_page.earlier == plain.earlier
    )
    checks = [[cell for cell in made.plan if cell.is_check] for made in (plain, with_page)]
    assert checks[0] == checks[1]


def test_what_a_student_writes_into_our_cell_is_the_students():
    name = "ch04_multi_head"
    notebook = added(name)
    cell = next(cell for cell in notebook.cells if cell.id == "interactive-yours")
    untouched = take_in(find_chapter(ROOT, name), nbformat.writes(notebook).encode())
    cell.source = "def helper(x):\n    return x\n"
    plan = take_in(find_chapter(ROOT, name), nbformat.writes(notebook).encode()).plan
    assert any("helper" in str(cell) for cell in plan) and not any(
        "helper" in str(cell) for cell in untouched.plan
    )


def _parsed(source):
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse("")
