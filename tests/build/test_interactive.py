"""The interactive page in a notebook: links that lead somewhere, a frame that can reach nothing,
and nothing that a mark depends on.
"""

import ast
import base64
import html
import json
import re
from contextlib import nullcontext
from types import SimpleNamespace

import nbformat
import pytest

from autograder.build.preprocessors import with_badge
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
    offered,
    page_cells,
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
        title + "\n", Settings(ROOT, repository=repository).colab_url(name)
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


class Shown(list):
    """Stands in for IPython's display: keeps what a cell shows."""

    def run(self, monkeypatch, source, folder, **names):
        monkeypatch.setattr("IPython.display.display", self.append)
        monkeypatch.chdir(folder)
        space = dict(names)
        exec(source, space)
        return space


@every_page
def test_the_link_stands_where_the_chapter_asks_for_it_and_its_file_exists(name):
    cells = added(name).cells
    place = next(place for place, cell in enumerate(cells) if cell.id == LINK_ID)
    assert PAGE_MARK in cells[place - 1].source
    cell = cells[place]
    path, web = re.findall(r"\]\(([^)]+)\)", cell.source)
    assert (student_path(ROOT, name).parent / path).resolve().is_file()
    assert web == f"{WEB}{name}.html"


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


def test_the_page_shows_in_a_frame_that_may_run_scripts_and_nothing_else(monkeypatch):
    name, shown = real_chapters()[0], Shown()
    shown.run(monkeypatch, page_cells(name, WEB)[1].source, student_path(ROOT, name).parent)
    (frame,) = shown
    assert (
        re.findall(r'sandbox="([^"]*)"', frame.data) == ["allow-scripts"]
        and "srcdoc=" in frame.data
        and " src=" not in frame.data
    )
    assert len(frame.data) > 50_000


@pytest.mark.parametrize("folder", [PAGES, "interactive"])
def test_the_page_is_found_in_a_clone_and_in_the_offline_pack(tmp_path, monkeypatch, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "ch01_x.html").write_text('<p>the page & its "text"</p>', encoding="utf-8")
    notebooks, shown = tmp_path / "notebooks" / "ch01_x", Shown()
    notebooks.mkdir(parents=True)
    shown.run(monkeypatch, page_cells("ch01_x", WEB)[1].source, notebooks)
    assert "&lt;p&gt;the page &amp; its &quot;text&quot;&lt;/p&gt;" in shown[0].data


def test_where_only_the_notebook_came_along_the_page_comes_by_its_address(
    tmp_path, monkeypatch, capsys
):
    asked = []
    monkeypatch.setattr(
        "urllib.request.urlopen", lambda ask, **_: asked.append(ask) or nullcontext()
    )
    shown = Shown()
    space = shown.run(monkeypatch, page_cells("ch04_multi_head", WEB)[1].source, tmp_path)
    assert f'src="{WEB}ch04_multi_head.html"' in shown[0].data
    assert [(one.full_url, one.method) for one in asked] == [(f"{WEB}ch04_multi_head.html", "HEAD")]
    assert capsys.readouterr().out == ""
    space["show_my_attention"]([[1.0]], ["it's", "</b>"])
    frame = html.unescape(shown[1].data)
    assert f'src="{WEB}my_attention.html"' in frame and "postMessage(" in frame
    data = re.search(r"postMessage\((.*), '\*'\)", frame)[1]
    assert json.loads(data)["tokens"] == ["it's", "</b>"]
    assert re.findall(r'sandbox="([^"]*)"', shown[1].data) == ["allow-scripts"]


@pytest.mark.parametrize("weights", [[[0.25, 0.75], [float("nan"), 1.0]], "tensor"])
def test_a_student_s_tensor_is_handed_to_the_page(monkeypatch, weights):
    torch = pytest.importorskip("torch")
    shown = Shown()
    space = shown.run(
        monkeypatch,
        page_cells("ch04_multi_head", WEB)[1].source,
        student_path(ROOT, "ch04_multi_head").parent,
    )
    space["show_my_attention"](
        torch.eye(2, requires_grad=True) if weights == "tensor" else weights,
        ["</script>", "b"],
        keys=["c", "d"],
    )
    data = re.search(r"ATTENTION_DATA = (.*?);</script>", html.unescape(shown[-1].data))[1]
    assert "<" not in data, "a token could end the script"
    made = json.loads(data)
    assert (
        made["tokens"] == ["</script>", "b"]
        and made["keys"] == ["c", "d"]
        and made["weights"][0] == ([1.0, 0.0] if weights == "tensor" else [0.25, 0.75])
    )


def test_a_student_s_model_is_handed_to_the_page(monkeypatch):
    """Float16 numbers of every parameter, the sizes, and a token that cannot end the script."""
    torch = pytest.importorskip("torch")
    name = "ch09_training"
    model = torch.nn.Module()
    model.token_embedding = torch.nn.Embedding(2, 3)
    model.config = SimpleNamespace(num_layers=1, num_heads=2, d_model=3, max_len=5)
    shown = Shown()
    source = page_cells(name, WEB, with_model=True)[1].source
    space = shown.run(monkeypatch, source, student_path(ROOT, name).parent)
    space["show_my_model"](model, ["</script>", "b"], "b b")
    frame = shown[-1].data
    assert re.findall(r'sandbox="([^"]*)"', frame) == ["allow-scripts"]
    data = re.search(r"ATTENTION_MODEL = (.*?);</script>", html.unescape(frame))[1]
    assert "<" not in data
    made = json.loads(data)
    assert made["vocab"] == ["</script>", "b"] and made["text"] == "b b"
    assert made["config"] == {"num_layers": 1, "num_heads": 2, "d_model": 3, "max_len": 5}
    packed = made["tensors"]["token_embedding.weight"]
    raw = torch.frombuffer(bytearray(base64.b64decode(packed["data"])), dtype=torch.float16)
    assert torch.equal(raw.reshape(packed["shape"]), model.token_embedding.weight.half())


def test_a_model_too_large_for_a_page_is_refused_in_one_line(monkeypatch, capsys):
    torch = pytest.importorskip("torch")
    shown = Shown()
    source = page_cells("ch09_training", WEB, with_model=True)[1].source
    space = shown.run(monkeypatch, source, student_path(ROOT, "ch09_training").parent)
    before = len(shown)
    space["show_my_model"](torch.nn.Linear(3_000_000, 1), ["a"])
    assert "3,000,001 numbers; up to 3,000,000" in capsys.readouterr().out
    assert len(shown) == before


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


@pytest.mark.parametrize("offers", [tensor_offers(ROOT), model_offers(ROOT)])
def test_an_offer_does_nothing_where_the_cell_of_the_page_was_left_out(offers):
    for offer in offers.values():
        exec(offered("show_my_attention", offer), {})


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
def test_no_name_of_an_exercise_or_of_a_check_is_touched(name):
    made = {
        node.id
        for cell in added(name).cells
        if cell.cell_type == "code" and cell.id.startswith("interactive-")
        for node in ast.walk(_parsed(cell.source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    tops = {
        node.name
        for cell in page_cells(name, WEB, with_model=True)
        if cell.cell_type == "code"
        for node in _parsed(cell.source).body
        if isinstance(node, ast.FunctionDef)
    } | {"PAGES_ON_THE_WEB"}
    chapter = find_chapter(ROOT, name)
    assert tops & {one for exercise in chapter.exercises for one in exercise.names} == set()
    assert (
        tops
        & {
            node.id
            for cell in chapter.code
            for node in ast.walk(_parsed(cell.text))
            if isinstance(node, ast.Name)
        }
        == set()
    ), "no cell of the chapter uses these names"
    assert made >= {"PAGES_ON_THE_WEB"}


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


def test_the_cells_need_nothing_installed():
    source = page_cells("ch01_x", WEB, with_model=True)[1].source
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.Import, ast.ImportFrom))
    }
    assert imported == {"pathlib", "html", "IPython", "json", "base64", "threading", "urllib"}


def _parsed(source):
    try:
        return ast.parse(source)
    except SyntaxError:
        return ast.parse("")
