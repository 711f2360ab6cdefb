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
    links = re.findall(r'\["([a-z0-9_]+\.html(?:#[^"]+)?)","', script)
    assert len(links) > 150
    pages = {}
    for link in links:
        name, _, anchor = link.partition("#")
        text = pages.setdefault(name, (site / name).read_text(encoding="utf-8"))
        assert not anchor or f'id="{anchor}"' in text, link


def test_the_dialog_searches_on_every_page_with_the_keyboard_alone(visit):
    page = visit("ch02_single_head.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("causal maks")
    page.wait_for_selector("#pst-search-dialog .course-results a")
    page.keyboard.press("ArrowDown")
    chosen = page.evaluate("document.activeElement.href")
    page.keyboard.press("Enter")
    page.wait_for_url(chosen)
