"""The pages and the sound of a course in its notebooks: frames that can reach nothing, from the
file that came along, else by their address.
"""

import base64
import html
import json
import re
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import attention_built as ab
from attention_built.notebook import pages
from tests.conftest import ROOT

NAME = "ch04_multi_head"
WEB = "https://owner.github.io/course/interactive"
SOUND = "https://raw.example/main/narration/ch01_small/"
SCRIPT = b"""## introduction: A <beginning>
at: # 1

Words.

## code: Code
at: ## 1.1

Words.
"""


@pytest.fixture
def shown(monkeypatch):
    """What is displayed."""
    made = []
    monkeypatch.setattr("IPython.display.display", lambda one: made.append(one.data))
    monkeypatch.setattr(pages, "_pages", "")
    return made


@pytest.fixture
def alone(shown, tmp_path, monkeypatch):
    """The same in a folder to which nothing came along; the addresses that were asked."""
    asked = []
    monkeypatch.chdir(tmp_path)

    def answer(address, **_):
        asked.append(address)
        return BytesIO(SCRIPT)

    monkeypatch.setattr("urllib.request.urlopen", answer)
    return asked


@pytest.fixture
def at_home(shown, monkeypatch):
    """The same beside a chapter's notebook in a clone."""
    monkeypatch.chdir(ROOT / "notebooks" / NAME)


def told(frame, variable):
    """What a page is handed before its own script runs."""
    data = re.search(rf"{variable} = (.*?);</script>", html.unescape(frame))[1]
    assert "<" not in data, "a token could end the script"
    return json.loads(data)


def test_a_page_shows_in_a_frame_that_may_run_scripts_and_nothing_else(at_home, shown):
    ab.page(f"{WEB}/{NAME}.html")
    (frame,) = shown
    assert re.findall(r'sandbox="([^"]*)"', frame) == ["allow-scripts"]
    around = re.sub(r'srcdoc="[^"]*"', "", frame)
    assert "srcdoc=" in frame and " src=" not in around and len(frame) > 50_000


@pytest.mark.parametrize("folder", pages.FOLDERS)
def test_it_is_found_in_a_clone_and_in_the_offline_pack(tmp_path, monkeypatch, shown, folder):
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "ch01_x.html").write_text('<p>the page & its "text"</p>', encoding="utf-8")
    notebooks = tmp_path / "notebooks" / "ch01_x"
    notebooks.mkdir(parents=True)
    monkeypatch.chdir(notebooks)
    ab.page(f"{WEB}/ch01_x.html")
    assert "&lt;p&gt;the page &amp; its &quot;text&quot;&lt;/p&gt;" in shown[0]


def test_where_only_the_notebook_came_along_it_comes_by_its_address(alone, shown, capsys):
    ab.page(f"{WEB}/{NAME}.html")
    assert f'src="{WEB}/{NAME}.html"' in shown[0]
    assert alone == [f"{WEB}/{NAME}.html"]
    assert capsys.readouterr().out == ""
    ab.show_my_attention([[1.0]], ["it's", "</b>"])
    frame = html.unescape(shown[1])
    assert f'src="{WEB}/my_attention.html"' in frame
    data = re.search(r"postMessage\((.*), '\*'\)", frame)[1]
    assert json.loads(data)["tokens"] == ["it's", "</b>"]
    assert re.findall(r'sandbox="([^"]*)"', shown[1]) == ["allow-scripts"]


def test_one_s_own_tensor_needs_the_address_of_the_pages_first(alone, shown, capsys):
    ab.show_my_attention([[1.0]])
    assert shown == [] and "First run the cell of the interactive page" in capsys.readouterr().out


@pytest.mark.parametrize("weights", [[[0.25, 0.75], [float("nan"), 1.0]], "tensor"])
def test_a_student_s_tensor_is_handed_to_the_page(at_home, shown, weights):
    made = torch.eye(2, requires_grad=True) if weights == "tensor" else weights
    ab.show_my_attention(made, ["</script>", "b"], keys=["c", "d"])
    data = told(shown[0], "ATTENTION_DATA")
    assert (data["tokens"], data["keys"]) == (["</script>", "b"], ["c", "d"])
    assert data["weights"][0] == ([1.0, 0.0] if weights == "tensor" else [0.25, 0.75])


def model_of_one_table():
    model = torch.nn.Module()
    model.token_embedding = torch.nn.Embedding(2, 3)
    model.config = SimpleNamespace(num_layers=1, num_heads=2, d_model=3, max_len=5)
    return model


def test_a_student_s_model_is_handed_to_the_page(at_home, shown):
    """Float16 numbers of every parameter, the sizes, and a token that cannot end the script."""
    model = model_of_one_table()
    ab.show_my_model(model, ["</script>", "b"], "b b")
    assert re.findall(r'sandbox="([^"]*)"', shown[0]) == ["allow-scripts"]
    data = told(shown[0], "ATTENTION_MODEL")
    assert data["vocab"] == ["</script>", "b"] and data["text"] == "b b"
    assert data["config"] == {"num_layers": 1, "num_heads": 2, "d_model": 3, "max_len": 5}
    packed = data["tensors"]["token_embedding.weight"]
    assert packed["dtype"] == "float16"
    raw = torch.frombuffer(bytearray(base64.b64decode(packed["data"])), dtype=torch.float16)
    assert torch.equal(raw.reshape(packed["shape"]), model.token_embedding.weight.half())


def test_and_by_message_where_the_page_comes_by_its_address(alone, shown):
    ab.page(f"{WEB}/ch09_training.html")
    ab.show_my_model(model_of_one_table(), ["a", "b"])
    message = re.search(r"postMessage\((.*), '\*'\)", html.unescape(shown[1]))[1]
    assert json.loads(message)["model"]["vocab"] == ["a", "b"]


def test_a_model_too_large_for_a_page_is_refused_in_one_line(at_home, shown, capsys):
    ab.show_my_model(torch.nn.Linear(3_000_000, 1), ["a"])
    assert "3,000,001 numbers; up to 3,000,000" in capsys.readouterr().out and shown == []


def test_where_the_sound_did_not_come_along_it_plays_by_its_address(alone, shown):
    ab.listen(SOUND)
    assert alone == [f"{SOUND}script.md"]
    players = re.findall(r'<audio [^>]*src="([^"]+)"', shown[0])
    assert players == [f"{SOUND}01-introduction.mp3", f"{SOUND}02-code.mp3"]
    assert "A &lt;beginning&gt;" in shown[0]


@pytest.mark.parametrize("chapter", sorted(ROOT.glob("narration/ch*")), ids=lambda one: one.name)
def test_every_segment_of_a_chapter_has_its_player(chapter, alone, shown, monkeypatch):
    script = (chapter / "script.md").read_bytes()
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: BytesIO(script))
    ab.listen(f"https://raw.example/main/narration/{chapter.name}/")
    players = re.findall(r'<audio [^>]*src="([^"]+)"', shown[0])
    assert [Path(one).name for one in players] == sorted(one.name for one in chapter.glob("*.mp3"))


def test_beside_the_sound_it_says_nothing_but_in_vs_code(alone, shown, tmp_path, monkeypatch):
    (tmp_path / "narration" / "ch01_small").mkdir(parents=True)
    ab.listen(SOUND, {"01-introduction": "as older notebooks say it"})
    assert shown == [] and alone == []
    shell = SimpleNamespace(user_ns={"__vsc_ipynb_file__": "here.ipynb"})
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    ab.listen(SOUND, {"01-introduction": "as older notebooks say it"})
    assert len(shown) == 1


def test_without_a_network_one_line_says_so(alone, shown, monkeypatch, capsys):
    def refuse(*_, **__):
        raise OSError("no route")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    ab.page(f"{WEB}/{NAME}.html")
    (line,) = capsys.readouterr().out.splitlines()
    assert shown == [] and "no network" in line and f"{WEB}/{NAME}.html" in line
