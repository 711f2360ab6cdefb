""" "Copy this state": the copied address opens the interactive page in the same state."""

import html
import re
import struct

import pytest

from coursesite.site.share import scenes, shortened
from tests.conftest import ROOT

pytestmark = pytest.mark.slow
FRAME = "document.querySelector('.stage iframe').contentWindow"


@pytest.mark.parametrize(
    "name, state",
    [
        ("ch01_why_attention", "text=the%20bank%20of%20a%20river&query=2&step=context"),
        ("ch02_single_head", "step=softmax&scale=off&W_q=1,0;0,2;3,-1"),
        ("ch05_positions", ""),
    ],
)
def test_a_copied_address_opens_the_same_state(browser, address, name, state):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}{name}.html")
    page.wait_for_function(f"{FRAME}.attention")
    page.evaluate(f"(state) => {FRAME}.postMessage({{ state }}, '*')", state)
    page.wait_for_function(
        f"(state) => !state || {FRAME}.attention.hash.includes('step=')", arg=state
    )
    page.get_by_role("button", name="Copy this state").click()
    page.get_by_role("button", name="Link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    wanted = page.evaluate(f"JSON.stringify({FRAME}.attention.state)")
    assert copied.startswith(f"{address}interactive/{name}.html")
    other = context.new_page()
    other.goto(copied)
    other.wait_for_function("window.attention")
    assert other.evaluate("JSON.stringify(window.attention.state)") == wanted
    context.close()


def test_a_scene_as_it_opens_has_an_address_with_a_card(browser, address):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}ch04_multi_head.html")
    page.wait_for_function(f"{FRAME}.attention")
    frame = page.frame_locator(".stage iframe").first
    frame.get_by_role("link", name="Cut the features into heads").click()
    page.get_by_role("button", name="Copy this state").click()
    page.get_by_role("button", name="Link copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{address}share/ch04_multi_head-cut.html"
    # a state that is not the scene's own keeps its scene, without a card
    page.evaluate(f"{FRAME}.postMessage({{ state: 'width=3' }}, '*')")
    page.wait_for_function(f"{FRAME}.attention.hash.includes('width=3')")
    page.get_by_role("button", name="Copy this state").or_(
        page.get_by_role("button", name="Link copied")
    ).first.click()
    page.wait_for_function(
        "async () => (await navigator.clipboard.readText()).includes('width=3&scene=cut')"
    )
    other = context.new_page()
    other.goto(copied)
    other.wait_for_url("**/interactive/ch04_multi_head.html#*")
    other.wait_for_function("document.querySelector('section.scene#cut')")
    context.close()


def test_every_scene_has_a_page_that_says_what_it_shows_and_a_card(site):
    known = list(scenes(ROOT))
    assert len(known) > 50 and len({scene.file for scene in known}) == len(known)
    for scene in known:
        text = (site / "share" / f"{scene.file}.html").read_text(encoding="utf-8")
        said = dict(re.findall(r'property="og:([\w:]+)" content="([^"]*)"', text))
        assert html.unescape(said["title"]) == scene.title and 10 < len(scene.said) <= 180
        assert said["image"].endswith(f"/share/{scene.file}.png")
        assert f"url=../interactive/{scene.page}.html#scene={scene.id}" in text
        assert (site / "interactive" / f"{scene.page}.html").is_file()
        card = (site / "share" / f"{scene.file}.png").read_bytes()
        size = struct.unpack(">II", card[16:24])
        assert size == (int(said["image:width"]), int(said["image:height"]))


def test_a_long_text_is_cut_at_the_end_of_a_sentence_where_it_can_be():
    assert shortened("One. " + "Two is longer. " * 30).endswith("longer.")
    assert shortened("word " * 90).endswith(" …") and len(shortened("word " * 90)) <= 180
