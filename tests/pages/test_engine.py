"""The engine apart from any page: a whole decoder from a checkpoint, sampling, the hand-over from a
notebook, and the build.
"""

import base64
import importlib
import re

import pytest

from autograder.course.errors import SourceError
from autograder.course.settings import load_settings
from coursesite.pages.build import build_pages, modules_of, page_html
from coursesite.pages.checkpoint import packed as round_to_bytes
from coursesite.pages.checkpoint import unpacked
from coursesite.pages.cues import cues_path, cues_text
from coursesite.pages.fixtures import write_fixtures

from ..apart import apart
from ..conftest import ROOT
from .conftest import INTERACTIVE

torch = pytest.importorskip("torch")


def engine(page, module, *names):
    """Load an engine module, with what it imports, into an empty page as window.engine."""
    parts = modules_of(INTERACTIVE / "engine" / f"{module}.js")
    page.evaluate(
        "(text) => { const script = document.createElement('script'); script.textContent = text;"
        " document.body.append(script); }",
        "window.engine = (() => {\n"
        + "\n".join(parts.values())
        + f"\nreturn {{ {', '.join(names)} }};\n}})();",
    )


def packed(tensor):
    dtype = "float16" if tensor.dtype == torch.float16 else "float32"
    return {
        "shape": list(tensor.shape),
        "dtype": dtype,
        "data": base64.b64encode(tensor.contiguous().numpy().tobytes()).decode(),
    }


@pytest.fixture
def checkpoint():
    """A small GPT-2 of `transformers` with the names of the chapters' GPT, and its model."""
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=13,
        n_positions=11,
        n_embd=12,
        n_layer=2,
        n_head=3,
        resid_pdrop=0,
        embd_pdrop=0,
        attn_pdrop=0,
        initializer_range=0.4,
        attn_implementation="eager",
        bos_token_id=0,
        eos_token_id=0,
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    state, tensors = model.state_dict(), {}
    tensors["token_embedding.weight"], tensors["position_embedding.weight"] = (
        state["transformer.wte.weight"],
        state["transformer.wpe.weight"],
    )
    for kind in ("weight", "bias"):
        tensors[f"norm.{kind}"] = state[f"transformer.ln_f.{kind}"]
        for n in range(2):
            old, new = f"transformer.h.{n}", f"blocks.{n}"
            turn = (lambda t: t.T) if kind == "weight" else (lambda t: t)
            tensors[f"{new}.norm1.{kind}"], tensors[f"{new}.norm2.{kind}"] = (
                state[f"{old}.ln_1.{kind}"],
                state[f"{old}.ln_2.{kind}"],
            )
            for name, part in zip(
                ("W_q", "W_k", "W_v"),
                turn(state[f"{old}.attn.c_attn.{kind}"]).chunk(3),
                strict=False,
            ):
                tensors[f"{new}.attention.{name}.{kind}"] = part
            for name, there in [
                ("attention.W_o", "attn.c_proj"),
                ("feed_forward.linear1", "mlp.c_fc"),
                ("feed_forward.linear2", "mlp.c_proj"),
            ]:
                tensors[f"{new}.{name}.{kind}"] = turn(state[f"{old}.{there}.{kind}"])
    made = {
        "config": {"num_heads": 3, "num_layers": 2, "d_model": 12, "max_len": 11},
        "vocab": [str(i) for i in range(13)],
        "tensors": {name: packed(t) for name, t in tensors.items()},
    }
    return made, model


def test_a_decoder_read_from_a_checkpoint_gives_pytorch_s_logits_and_weights(open_page, checkpoint):
    made, model = checkpoint
    page = open_page("", content="<body></body>")
    engine(page, "transformer", "readCheckpoint", "run", "distribution")
    ids = [3, 1, 4, 1, 5, 9, 2]
    got = page.evaluate(
        "([made, ids]) => { const { logits, weights } = engine.run(engine.readCheckpoint(made),"
        " ids); return { logits, weights }; }",
        [made, ids],
    )
    with torch.no_grad():
        want = model(torch.tensor([ids]), output_attentions=True)
    torch.testing.assert_close(torch.tensor(got["logits"]), want.logits[0], atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(
        torch.tensor(got["weights"]),
        torch.stack([layer[0] for layer in want.attentions]),
        atol=1e-5,
        rtol=1e-5,
    )


def test_half_precision_tensors_are_read_exactly(open_page):
    page = open_page("", content="<body></body>")
    engine(page, "transformer", "decodeTensor")
    values = torch.tensor([0.0, -0.0, 1.5, -2.25, 6e-8, 6.1e-5, 65504.0, 0.1], dtype=torch.float16)
    assert (
        page.evaluate("(packed) => engine.decodeTensor(packed)", packed(values))
        == values.double().tolist()
    )


def test_tensors_of_eight_bits_are_read_as_they_were_rounded(open_page):
    page = open_page("", content="<body></body>")
    engine(page, "transformer", "decodeTensor")
    for shape in [(5, 7), (11,)]:
        made = round_to_bytes(torch.randn(*shape, generator=torch.Generator().manual_seed(1)))
        assert page.evaluate("(made) => engine.decodeTensor(made)", made) == unpacked(made).tolist()


def test_rounding_to_eight_bits_moves_no_number_by_more_than_half_a_step():
    rows = (
        torch.randn(6, 9, generator=torch.Generator().manual_seed(2))
        * torch.tensor([1e-6, 1e-3, 0.1, 1, 50, 0])[:, None]
    )
    assert (
        (unpacked(round_to_bytes(rows)) - rows).abs()
        <= rows.abs().amax(dim=1, keepdim=True) / 127 * 0.5001 + 1e-8
    ).all()


def test_reading_with_a_cache_gives_the_logits_of_reading_it_all_again(open_page, checkpoint):
    page = open_page("", content="<body></body>")
    engine(page, "transformer", "readCheckpoint", "run", "cachedReader")
    again, kept = page.evaluate(
        """(made) => { const model = engine.readCheckpoint(made), ids = [3, 1, 4, 1, 5, 9, 2];
      return [engine.run(model, ids).logits, ids.map(engine.cachedReader(model))]; }""",
        checkpoint[0],
    )
    torch.testing.assert_close(torch.tensor(kept), torch.tensor(again), atol=1e-10, rtol=1e-10)


def test_sampling_keeps_the_token_that_crosses_top_p_and_applies_temperature_first(open_page):
    page = open_page("", content="<body></body>")
    engine(page, "transformer", "distribution")
    logits = torch.tensor([2.0, 1.0, 0.5, -1.0], dtype=torch.float64)

    def reference(temperature, top_k, top_p):
        scores = logits / temperature
        if top_k:
            scores = scores.masked_fill(scores < scores.topk(top_k).values[-1], -torch.inf)
        if top_p:
            order = scores.argsort(descending=True)
            p = scores.softmax(-1)[order]
            scores[order[p.cumsum(0) - p >= top_p]] = -torch.inf
        return scores.softmax(-1)

    for temperature, top_k, top_p in [
        (1.0, None, None),
        (0.5, None, None),
        (1.0, 2, None),
        (1.0, None, 0.6),
        (2.0, 3, 0.7),
        (1.0, None, 1e-6),
    ]:
        got = page.evaluate(
            "([logits, temperature, topK, topP]) => engine.distribution(logits, { temperature,"
            " topK, topP })",
            [logits.tolist(), temperature, top_k, top_p],
        )
        torch.testing.assert_close(
            torch.tensor(got, dtype=torch.float64), reference(temperature, top_k, top_p)
        )
    assert page.evaluate(
        "(logits) => engine.distribution(logits, { temperature: 0 })", logits.tolist()
    ) == [1, 0, 0, 0]


def test_the_error_function_is_exact_to_twelve_digits(open_page):
    page = open_page("", content="<body></body>")
    engine(page, "block", "erf")
    x = torch.linspace(-7, 7, 1401, dtype=torch.float64)
    torch.testing.assert_close(
        torch.tensor(page.evaluate("(x) => x.map(engine.erf)", x.tolist()), dtype=torch.float64),
        torch.erf(x),
        atol=1e-12,
        rtol=0,
    )


@pytest.mark.parametrize(
    "weights, words",
    [
        ([1, 2], "1 dimensions"),
        ([[1, 2], [3]], "equally long"),
        ([["a"]], "numbers"),
        ([[0.5, 0.5]] * 70, "up to 64"),
    ],
)
def test_a_tensor_that_cannot_be_drawn_is_refused_in_words(open_page, weights, words):
    page = open_page("my_attention")
    page.evaluate("(weights) => window.postMessage({ weights }, '*')", weights)
    page.get_by_role("alert").wait_for()
    assert words in page.get_by_role("alert").inner_text()


@pytest.fixture
def my_script(tmp_path):
    """A script of a page in a folder of its own, beside the engine: to be edited."""
    (tmp_path / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")  # the course's address
    folder = tmp_path / "site" / "interactive"
    (folder / "chapters").mkdir(parents=True)
    (folder / "engine").symlink_to(INTERACTIVE / "engine")
    script = folder / "chapters" / "mine.js"
    script.write_bytes((INTERACTIVE / "chapters" / "my_attention.js").read_bytes())
    return script


def test_the_committed_pages_are_what_the_build_gives():
    assert build_pages(ROOT, check=True) == []


@pytest.mark.parametrize(
    "old, new, named",
    [
        ("page({", "const softmax = 1;\npage({", "softmax"),
        ("attention, map", "attention, mapp", "mapp"),
    ],
)
def test_a_clash_of_names_and_a_name_that_is_nowhere_stop_the_build(my_script, old, new, named):
    source = my_script.read_text(encoding="utf-8")
    assert old in source
    my_script.write_text(source.replace(old, new), encoding="utf-8")
    with pytest.raises(SourceError, match=named):
        page_html(my_script)


def test_a_copy_under_another_name_is_headed_by_it(my_script, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_COURSE", "Our course")
    assert "· Our course</title>" in (text := page_html(my_script))
    assert "Attention, built" not in text


@pytest.mark.slow
def test_fixtures_are_what_the_chapters_give():
    assert apart(write_fixtures, ROOT, (), True) == []


def test_importing_what_builds_pages_changes_nothing_for_others():
    before = torch.get_default_dtype()
    importlib.import_module("coursesite.pages.fixtures.ch02")
    importlib.import_module("coursesite.pages.models")
    assert torch.get_default_dtype() is before


def test_pages_hold_no_address_but_the_course_s_and_that_of_the_svg_namespace():
    course = load_settings(ROOT).site_url
    for path in (INTERACTIVE / "pages").glob("*.html"):
        found = set(re.findall(r"https?://[^\s\"'`<>)]+", path.read_text(encoding="utf-8")))
        others = {one for one in found if not one.startswith(course)}
        assert others <= {"http://www.w3.org/2000/svg"}, f"{path.name}: {others}"


def test_the_list_of_cues_is_what_the_pages_understand(browser):
    assert cues_path(ROOT).read_text(encoding="utf-8") == cues_text(ROOT, browser), (
        "run: make pages"
    )
