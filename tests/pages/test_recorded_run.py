"""The real GPT-2 is too large for a page: the notebook records how it reads one text, and the page
shows the recording. Tried with a checkpoint in GPT-2's own format, small and untrained; the real one
needs a network.
"""

import html
import json
import re

import pytest

import attention_built as ab
from attention_built.notebook.pages import packed, show_page
from autograder.course.chapter import read_deeper

from ..conftest import ROOT

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
VALUES = "window.attention.values"
TEXT = "the cat sat on the mat and the dog sat on"
LAYERS, HEADS, WIDTH = 3, 2, 10


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """A folder with a GPT2LMHeadModel and its tokenizer, as save_pretrained writes them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    folder = tmp_path_factory.mktemp("gpt2")
    learned = Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learned.decoder = decoders.ByteLevel()
    learned.train_from_iterator([TEXT] * 9, trainers.BpeTrainer(vocab_size=90, special_tokens=[]))
    made = transformers.PreTrainedTokenizerFast(tokenizer_object=learned)
    made.save_pretrained(folder)
    torch.manual_seed(3)
    config = transformers.GPT2Config(
        vocab_size=len(made), n_positions=64, n_embd=WIDTH, n_head=HEADS, n_layer=LAYERS
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    with torch.no_grad():
        for one in model.parameters():
            one += 0.4 * torch.randn_like(one)
    model.save_pretrained(folder)
    return folder


@pytest.fixture
def cell(monkeypatch):
    """The names of the two cells of chapter 8's deeper notebook, run in the course's folder, and
    what they have displayed.
    """
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.chdir(ROOT)
    names = {"ab": ab, "torch": torch, "packed": packed, "show_page": show_page}
    for cell in read_deeper(ROOT, "ch08_decoder").cells:
        if "record_run" in cell.text and cell.kind == "code":
            exec(cell.text, names)
    return names, shown


def test_it_asks_for_nothing_by_itself(cell, capsys):
    names, shown = cell
    names["watch_gpt2"](names["WATCH_GPT2"], names["GPT2_TEXT"], source="must/not/be/asked")
    assert names["WATCH_GPT2"] is False and not shown
    (line,) = capsys.readouterr().out.splitlines()
    assert "WATCH_GPT2 = True" in line and "548 MB" in line


def test_where_it_cannot_be_had_one_line_says_so(cell, tmp_path, capsys):
    names, shown = cell
    capsys.readouterr()
    names["watch_gpt2"](True, TEXT, source=str(tmp_path / "none"))
    (line,) = capsys.readouterr().out.splitlines()
    assert "GPT-2 could not be had" in line and not shown


def test_the_recording_is_what_transformers_computes(cell, checkpoint, open_page):
    names, shown = cell
    names["watch_gpt2"](True, TEXT, source=str(checkpoint))
    assert len(shown) == 2 and re.findall(r'sandbox="([^"]*)"', shown[-1].data) == ["allow-scripts"]
    data = re.search(r"ATTENTION_MODEL = (.*?);</script>", html.unescape(shown[-1].data))[1]
    page = open_page("my_model")
    page.evaluate("(model) => window.postMessage({ model }, '*')", json.loads(data))
    page.wait_for_selector("body.recorded-run")
    found = page.evaluate(VALUES)
    model = transformers.GPT2LMHeadModel.from_pretrained(checkpoint, attn_implementation="eager")
    model.eval()
    ids = transformers.AutoTokenizer.from_pretrained(checkpoint)(TEXT)["input_ids"]
    known = json.loads(data)["run"]
    assert len(found["ids"]) == len(ids) > 8
    assert "".join(known["vocab"][one] for one in found["ids"]) == TEXT
    with torch.no_grad():
        made = model(torch.tensor([ids]), output_attentions=True, output_hidden_states=True)
        weights = torch.stack(made.attentions)[:, 0]
        torch.testing.assert_close(torch.tensor(found["weights"]), weights, atol=1e-5, rtol=1e-4)
        chances = made.logits[0, -1].softmax(-1)
        lens = [
            model.lm_head(model.transformer.ln_f(one[0, -1])).softmax(-1)
            for one in made.hidden_states[:-1]
        ]
    top = chances.topk(5)
    shares = sorted(found["chances"], reverse=True)[:5]
    torch.testing.assert_close(torch.tensor(shares), top.values, atol=1e-3, rtol=1e-3)
    for step, want in zip(found["lens"], lens, strict=False):
        assert max(step) == pytest.approx(want.max().item(), abs=1e-3)
    without = []
    for block in model.transformer.h:
        kept = block.attn.c_proj.weight.data.clone()
        for head in range(HEADS):
            size = WIDTH // HEADS
            block.attn.c_proj.weight.data[head * size : (head + 1) * size] = 0
            with torch.no_grad():
                off = model(torch.tensor([ids])).logits[0, -1].softmax(-1)[top.indices[0]].item()
            without.append(off)
            block.attn.c_proj.weight.data.copy_(kept)
    alone = [one for row in page.evaluate(f"{VALUES}.alone") for one in row]
    assert alone == pytest.approx(without, abs=1e-4)
    assert len({round(one, 4) for one in alone}) > 3, "the heads differ"
    assert page.get_by_role("switch").first.is_disabled()
    foot = page.locator("footer.colophon > p").first.inner_text()
    assert "computed by your notebook" in foot and "Everything on this page" not in foot
    page.evaluate("window.attention.set({ off: '0.1', text: 'another text' })")
    after = page.evaluate(VALUES)
    assert after["chances"] == found["chances"] and after["ids"] == found["ids"]


def test_a_recording_of_gpt2_s_size_stays_small(cell):
    """12 layers of 12 heads, 768 wide: a third of the longest text, with random weights."""
    names, _ = cell
    config = transformers.GPT2Config(vocab_size=500, n_positions=32)
    model = transformers.GPT2LMHeadModel(config).eval()
    run = names["record_run"](model, range(8), {token: f" {token}" for token in range(500)})
    assert (run["layers"], run["heads"], len(run["ids"])) == (12, 12, 8)
    assert 500_000 < len(json.dumps(run)) < 2_500_000


def test_a_long_text_is_recorded_up_to_24_pieces(cell):
    names, _ = cell
    config = transformers.GPT2Config(vocab_size=90, n_positions=64, n_embd=4, n_head=1, n_layer=1)
    model = transformers.GPT2LMHeadModel(config).eval()
    run = names["record_run"](model, range(60), {token: f" {token}" for token in range(90)})
    assert len(run["ids"]) == 24
