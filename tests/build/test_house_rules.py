"""Each notebook holds the house rules that its exercises name, folded, as chapter 1 says them."""

import re

import nbformat
import pytest

from autograder.build.house_rules import rules_cells
from autograder.course.added_cells import NOTEBOOK_LINK, RULES_ID, RULES_LINK
from autograder.course.chapter import deeper_path, find_chapter, solution_path, student_path
from autograder.course.settings import load_settings
from tests.conftest import ROOT, real_chapters

every_chapter = pytest.mark.parametrize("name", real_chapters())


def cells(path):
    return nbformat.read(path, as_version=4).cells


@every_chapter
def test_every_link_to_the_house_rules_leads_to_a_heading_of_its_notebook(name):
    """Jupyter and GitHub name a heading by its words; VS Code and Colab look for the anchor."""
    asked = any(RULES_LINK in cell.source for cell in find_chapter(ROOT, name).cells)
    for path in (student_path(ROOT, name), solution_path(ROOT, name)):
        text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
        assert RULES_LINK not in text and "html#house-rules" not in text, path.name
        assert (NOTEBOOK_LINK in text) == asked, path.name
        assert len(re.findall("^### House rules$", text, re.MULTILINE)) == 1, path.name
        assert len(re.findall('<a id="House-rules" name="House-rules"></a>', text)) == 1, path.name


@every_chapter
def test_the_box_says_what_chapter_1_says(name):
    first = find_chapter(ROOT, real_chapters()[0])
    (said,) = [cell.source for cell in first.cells if cell.source.startswith("### House rules")]
    rules = [line.removeprefix("> ") for line in said.split("\n") if line.startswith("> - **")]
    assert len(rules) == 7
    made = rules_cells(load_settings(ROOT), find_chapter(ROOT, name), for_students=True)
    if name == first.name:
        assert made == []
        return
    ((_, box),) = made
    assert box.id == RULES_ID and [rule for rule in rules if rule not in box.source] == []
    assert box.source.endswith("</details>") and "\n>" not in box.source


@every_chapter
def test_links_to_the_notebook_beside_lead_to_its_file_and_once_to_the_web(name):
    """Colab follows no link to a file."""
    site = load_settings(ROOT).site_url
    for path, other, page in (
        (student_path(ROOT, name), "deeper", f"{name}_deeper"),
        (deeper_path(ROOT, name), name, name),
    ):
        first, *others = [cell.source for cell in cells(path) if cell.cell_type == "markdown"]
        text = "\n".join(others)
        assert f"]({other}.ipynb) ([on the web]({site}{page}.html))" in first, path.name
        assert f"]({site}{page}.html" not in text, path.name


@every_chapter
def test_the_set_up_stands_folded(name):
    for path in (student_path(ROOT, name), solution_path(ROOT, name), deeper_path(ROOT, name)):
        (setup,) = [one for one in cells(path) if "setup" in one.metadata.get("tags", ())]
        assert setup.source.startswith("# @title Set-up\n"), path.name
        assert setup.metadata["jupyter"] == {"source_hidden": True}, path.name
        assert setup.metadata["cellView"] == "form", path.name
