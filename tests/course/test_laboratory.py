"""Chapter 8 finds the real GPT-2 where it is, and goes on within seconds where it is not."""

import ast
import io
import time
import urllib.error
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.course.chapter import find_chapter

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def laboratory():
    """The chapter's own `within` and `real_gpt2`, with a hub of ours behind them."""
    import threading

    space = {
        "threading": threading,
        "HUB": "https://hub.example/config.json",
        "asked": [],
        "enable_progress_bars": lambda: space["asked"].append("bar on"),
        "disable_progress_bars": lambda: space["asked"].append("bar off"),
    }
    for cell in find_chapter(ROOT, "ch08").code:
        for node in ast.parse(cell.text).body:
            if isinstance(node, ast.FunctionDef) and node.name in ("within", "real_gpt2"):
                exec(ast.unparse(node), space)

    def network(open_address, fetch):
        space["urllib"] = SimpleNamespace(request=SimpleNamespace(urlopen=open_address))
        space["fetch_gpt2"] = fetch
        return space["real_gpt2"]

    space["with_hub"] = network
    return space


def offline(*_, **__):
    raise urllib.error.URLError("no route to host")


def reachable(*_, **__):
    return io.BytesIO(b"{}")


def test_a_model_on_this_machine_is_used_without_asking_the_network(laboratory):
    def fetch(local):
        laboratory["asked"].append("disk" if local else "web")
        return "model", "tokenizer"

    assert laboratory["with_hub"](offline, fetch)() == ("model", "tokenizer")
    assert laboratory["asked"] == ["disk"]


def test_a_model_that_is_not_here_is_downloaded_with_a_bar_that_can_be_seen(laboratory):
    def fetch(local):
        laboratory["asked"].append("disk" if local else "web")
        if local:
            raise OSError("not in the cache")
        return "model", "tokenizer"

    assert laboratory["with_hub"](reachable, fetch)() == ("model", "tokenizer")
    assert laboratory["asked"] == ["disk", "bar on", "web", "bar off"]


def test_without_a_network_there_is_no_download_and_no_error(laboratory):
    def fetch(local):
        laboratory["asked"].append("disk" if local else "web")
        raise OSError("not in the cache")

    assert laboratory["with_hub"](offline, fetch)() is None
    assert laboratory["asked"] == ["disk"]


def test_whatever_a_download_throws_the_laboratory_goes_on_and_says_so(laboratory, capsys):
    def fetch(local):
        raise RuntimeError("the hub is out of order")

    assert laboratory["with_hub"](reachable, fetch)() is None
    assert "The download failed (RuntimeError)" in capsys.readouterr().out


def test_a_hub_that_never_answers_is_given_up_after_some_seconds(laboratory):
    def fetch(local):
        raise OSError("not in the cache")

    began = time.monotonic()
    assert laboratory["with_hub"](lambda *_, **__: time.sleep(60), fetch)() is None
    assert time.monotonic() - began < 12
