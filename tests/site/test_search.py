"""The search: sections, tolerant of a typo, from a folder without a server, and with the keyboard."""

import re

import pytest
from bs4 import BeautifulSoup

from coursesite.site.sections import math_text, sections

pytestmark = pytest.mark.slow
ROWS = ".course-search-page .course-results li"


def look(visit, site, query):
    page = visit(f"search.html?q={query}", base=f"{site.as_uri()}/")
    page.wait_for_selector(f"{ROWS} a")
    return page


WANTED = {  # what a reader types: the section that a learner wants first
    "query": "ch02_single_head.html#from-a-mirror-to-a-look-up",
    "queries keys values": "ch02_single_head.html#from-a-mirror-to-a-look-up",
    "multihead attention": "ch04_multi_head.html#two-heads-side-by-side",
    "multi-head attention": "ch04_multi_head.html#two-heads-side-by-side",
    "why multiple heads": "ch04_multi_head.html#two-heads-side-by-side",
    "embedding": "ch01_why_attention.html#one-word-one-vector",
    "layer norm": "ch06_block.html#lost-on-the-way-up",
    "cross attention": "ch07_encoder_decoder.html#asking-another-sentence",
    "cross-attention": "ch07_encoder_decoder.html#asking-another-sentence",
    "attention": "ch01_why_attention.html#context-a-mixture-of-all-words",
    "self-attention": "ch01_why_attention.html#context-a-mixture-of-all-words",
    "softmax": "ch01_why_attention.html#weights-softmax",
    "dot product": "ch01_why_attention.html#scores-how-well-do-two-words-fit",
    "scaled dot-product attention": "ch02_single_head.html#scores-weights-context",
    "why divide": "ch02_single_head.html#why-the-root-of-d-k",
    "√d_k": "ch02_single_head.html#why-the-root-of-d-k",
    "d_k": "ch02_single_head.html#why-the-root-of-d-k",
    "causal mask": "ch03_masks.html#who-may-see-whom",
    "mask the future": "ch03_masks.html#hide-first-then-softmax",
    "padding": "ch03_masks.html#sentences-of-different-lengths",
    "dropout": "ch03_masks.html#dropping-weights",
    "positional encoding": "ch05_positions.html#counting-in-waves",
    "sinusoidal": "ch05_positions.html#counting-in-waves",
    "RoPE": "ch05_positions.html#turning-queries-and-keys",
    "rotary": "ch05_positions.html#turning-queries-and-keys",
    "ALiBi": "ch05_positions.html#a-penalty-for-distance",
    "residual connection": "ch06_block.html#two-plus-signs",
    "skip connection": "ch06_block.html#two-plus-signs",
    "feed-forward": "ch06_block.html#a-network-for-each-token",
    "teacher forcing": "ch07_encoder_decoder.html#learning-to-translate",
    "tokenizer": "ch08_decoder.html#from-bytes-to-numbers-and-back",
    "BPE": "ch08_decoder.html#from-bytes-to-numbers-and-back",
    "how to sample": "ch08_decoder.html#from-logits-to-a-word",
    "top-p": "ch08_decoder.html#from-logits-to-a-word",
    "temperature": "ch08_decoder.html#from-logits-to-a-word",
    "perplexity": "ch09_training.html#the-price-of-a-guess",
    "learning rate": "ch09_training.html#one-step",
    "induction head": "ch09_training.html#two-kinds-of-heads-and-how-to-measure-them",
    "KV cache": "ch10_efficiency.html#what-a-conversation-costs",
    "flash attention": "ch10_efficiency.html#flash-attention",
    "GQA": "ch10_efficiency.html#sharing-keys-and-values",
    "sliding window": "ch10_efficiency.html#looking-only-so-far-back",
    "RMSNorm": "ch11_today.html#a-norm-without-a-mean",
    "SwiGLU": "ch11_today.html#a-gate",
    "MLA": "ch12_memory.html#keep-less-of-each-token",
    "attention sink": "ch12_memory.html#ten-times-as-long",
    "linear attention": "ch13_cheaper.html#a-memory-that-does-not-grow-at-all",
    "mixture of experts": "ch13_cheaper.html#a-few-experts-of-many",
    "speculative decoding": "ch13_cheaper.html#draft-then-check",
    "quantization": "ch14_real_model.html#four-bits-a-number",
    "logit lens": "ch14_real_model.html#what-would-each-layer-say",
    "roofline": "ch15_kernel.html#which-limit",
    "race condition": "ch15_kernel.html#what-nobody-tells-you-on-a-gpu",
    "how to install": "index.html#set-up-at-home",
    "installation": "index.html#set-up-at-home",
    "house rules": "ch01_why_attention.html#house-rules",
    "errata": "errata.html",
}


def test_what_readers_type_finds_the_page_that_they_want(visit, address):
    page = visit("search.html")
    missed = {}
    for query, wanted in WANTED.items():
        page.fill(".course-search-page input[name=q]", query)
        page.wait_for_function(
            "(query) => document.querySelector('.course-search-page ol').dataset.found === query",
            arg=query,
        )
        links = page.evaluate(
            "(rows) => [...document.querySelectorAll(rows + ' a')].map((one) => one.href)", ROWS
        )
        best = links[0].removeprefix(address) if links else ""
        if best != wanted:
            missed[query] = best
    assert len(WANTED) >= 40 and not missed


def test_it_says_that_it_reads_english(visit):
    page = visit("search.html?q=zzzzqqqq")
    page.get_by_text("Nothing found for “zzzzqqqq”").wait_for()
    assert "in English" in page.locator(".course-results p").first.inner_text()


def test_ctrl_k_inside_the_frame_reaches_the_search_of_the_site(visit):
    page = visit("ch02_single_head.html")
    page.frame_locator(".playground iframe").get_by_role("button", name="Start over").focus()
    page.keyboard.press("Control+k")
    page.wait_for_selector("#pst-search-dialog[open]")
    page.wait_for_function("document.activeElement.name === 'q'")


def test_a_formula_becomes_a_line_of_text():
    mathml = "<math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></math>"
    assert math_text(BeautifulSoup(mathml, "html.parser").math) == "√(d_k)"
    assert sections("a.html", "<p>no article</p>") == []


@pytest.mark.parametrize(
    "query, wanted",
    [
        ("dropout", "ch03_masks.html#"),
        ("dropuot", "ch03_masks.html#"),
        ("sofmax weights", "ch01_why_attention.html#weights-softmax"),
        ("encodr", "ch07_encoder_decoder.html"),
    ],
)
def test_a_section_is_found_also_with_a_typo_and_without_a_server(site, visit, query, wanted):
    page = look(visit, site, query)
    links = [
        link.rsplit("/", 1)[1]
        for link in page.evaluate(
            "(rows) => [...document.querySelectorAll(rows + ' a')].map((one) => one.href)", ROWS
        )
    ]
    assert any(link.startswith(wanted) for link in links[:5]), links[:5]


def test_a_snippet_is_prose_with_the_words_marked(site, visit):
    page = look(visit, site, "scaled%20root")
    texts = page.locator(f"{ROWS} .snippet").all_inner_texts()
    assert texts and not [text for text in texts if re.search(r"\\\\|\\$|On this page|#", text)]
    assert page.locator(f"{ROWS} mark").count() > 0


def test_every_result_leads_to_a_place_that_exists(site):
    script = (site / "_static" / "search" / "sections.js").read_text(encoding="utf-8")
    links = re.findall(r'\["([a-z0-9_/]+\.html(?:#[^"]+)?)","', script)
    assert len(links) > 150 and any(link.startswith("interactive/") for link in links)
    pages = {}
    for link in links:
        name, _, anchor = link.partition("#")
        text = pages.setdefault(name, (site / name).read_text(encoding="utf-8"))
        scene = re.search(rf'id: ?"{anchor.removeprefix("scene=")}"', text)
        assert not anchor or f'id="{anchor}"' in text or scene, link


def test_the_dialog_searches_on_every_page_with_the_keyboard_alone(visit):
    page = visit("ch02_single_head.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("causal maks")
    page.wait_for_selector("#pst-search-dialog .course-results a")
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate("document.activeElement.href")
    page.keyboard.press("Enter")
    page.wait_for_url(chosen)
