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


WANTED = {  # what a reader types: a page that must be among the best three
    "why divide": "ch02_single_head.html#why-the-root-of-d-k",
    "√d_k": "ch02_single_head.html#why-the-root-of-d-k",
    "d_k": "glossary.html#tokens-and-attention",
    "how to install": "index.html#set-up-at-home",
    "installation": "index.html#set-up-at-home",
    "GQA": "ch10_efficiency.html#exercise-10-4-grouped-query-attention",
    "gqa": "interactive/ch10_efficiency.html#scene=cache",
    "scaled_dot_product_attention": "ch02_single_head.html#exercise-2-3",
    "nn.Linear transpose": "ch02_single_head.html#what-nn-linear-really-stores",
    "causal mask": "ch03_masks.html#exercise-3-1-causal-mask",
    "mask the future": "ch03_masks.html",
    "padding": "ch03_masks.html#exercise-3-4-padding-mask",
    "why multiple heads": "ch04_multi_head.html",
    "RoPE": "ch05_positions.html#exercise-5-5-rope",
    "sinusoidal": "ch05_positions.html#exercise-5-2-the-sinusoidal-encoding",
    "layer norm": "ch06_block.html#exercise-6-1-layer-norm",
    "what do residual connections do": "ch06_block.html#what-breaks-if-the-residual",
    "cross-attention": "ch07_encoder_decoder.html#asking-another-sentence",
    "teacher forcing": "glossary.html#words",
    "how to sample": "ch08_decoder.html#exercise-8-4-sample",
    "top-p": "ch08_decoder.html#from-logits-to-a-word",
    "logit lens": "ch14_real_model.html#exercise-14-3-the-logit-lens",
    "perplexity": "ch09_training.html#exercise-9-2-cross-entropy-and-perplexity",
    "induction head": "interactive/ch14_real_model.html#scene=head",
    "KV cache": "glossary.html#words",
    "flash attention": "ch10_efficiency.html#flash-attention",
    "SwiGLU": "ch11_today.html#exercise-11-2-swiglu",
    "MLA": "ch12_memory.html#exercise-12-2-latent-attention",
    "attention sink": "ch12_memory.html",
    "mixture of experts": "ch13_cheaper.html#exercise-13-4-a-mixture-of-experts",
    "speculative decoding": "glossary.html#words",
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
        best = [link.removeprefix(address) for link in links[:3]]
        if not any(link.startswith(wanted) for link in best):
            missed[query] = best
    assert len(WANTED) >= 30 and not missed


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
