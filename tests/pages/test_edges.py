"""Any setting of any knob is drawn, without a complaint, and says what is true of it."""

import pytest

from .conftest import PAGES

NOT_SAID = r"NaN|undefined|Infinity"
TURN_KNOBS = """([seed, notSaid]) => {
  let x = seed;                                                              // Lehmer's generator
  const random = (n) => { x = (48271 * x) % 2147483647; return x % n; };
  const wrong = [];
  for (let turn = 0; turn < 300; turn++) {
    const knobs = [...document.querySelectorAll("main input[type=range], main input[type=radio], main input[type=checkbox], main button[role=switch]")]
      .filter((one) => !one.disabled && one.checkVisibility());
    const knob = knobs[random(knobs.length)];
    const said = `${knob.closest("[data-field]")?.dataset.field}, turn ${turn}`;
    if (knob.type === "range") {
      const low = Number(knob.min), high = Number(knob.max);
      knob.value = String([low, high, low + (high - low) * random(100) / 100][random(3)]);
      knob.dispatchEvent(new Event("input", { bubbles: true }));
    } else knob.click();
    for (const slider of document.querySelectorAll(".slider[data-field] input[type=range]")) {
      const field = slider.closest("[data-field]").dataset.field, value = window.attention.state[field];
      if (typeof value === "number" && !window.attention.fields[field]?.options && Math.abs(Number(slider.value) - value) > 1e-6)
        wrong.push(`${said}: the slider of ${field} stands at ${slider.value}, the page at ${value}`);
    }
    const odd = document.querySelector("main").innerText.match(new RegExp(`.*\\\\b(?:${notSaid})\\\\b.*`));
    if (odd) wrong.push(`${said}: ${odd[0]}`);
  }
  return [...new Set(wrong)].slice(0, 5);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PAGES if name != "my_attention"])
def test_any_setting_of_the_knobs_is_drawn(name, open_page):
    page = open_page(name)
    not_said = (
        "undefined|Infinity" if name.startswith("ch03") else NOT_SAID
    )  # what a softmax of nothing gives is a lesson there
    for seed in (1, 2):
        page.evaluate("window.attention.reset()")
        assert page.evaluate(TURN_KNOBS, [seed, not_said]) == []


@pytest.mark.parametrize(
    "name, at, there, gone",
    [
        (
            "ch03_masks",
            "#mask=none&road=after&step=end",
            "nothing for the roads to differ about",
            "rows no longer sum to 1",
        ),
        (
            "ch03_masks",
            "#mask=causal&road=after&step=end",
            "rows no longer sum to 1",
            "nothing for the roads to differ about",
        ),
        ("ch03_masks", "#changed=3&factor=1", "× 1 changes nothing", "no earlier word moves"),
        (
            "ch04_multi_head",
            "#alpha=1&beta=1",
            "two heads that ask the same are one head",
            "an answer of its own",
        ),
        (
            "ch04_multi_head",
            "#alpha=1&beta=0.5",
            "head 1 cannot tell them apart",
            "an answer of its own",
        ),
        ("ch04_multi_head", "#alpha=1&beta=0", "an answer of its own", "are one head"),
        (
            "ch04_multi_head",
            "#cut=1&wrong=on&stage=swap",
            "the view alone is right",
            "not a part of every token",
        ),
        (
            "ch05_positions",
            "#text=dog%20dog%20dog&places=rope&order=reverse",
            "all words are the same",
            "ALiBi cannot tell",
        ),
        ("ch06_block", "#vector=2,2,2,2,2,2", "nothing to stretch", "but for the small ε"),
        ("ch10_efficiency", "#seq=4&size=12", "one tile of 4 × 4", "12 × 12"),
    ],
)
def test_what_a_page_says_is_true_of_the_setting(name, at, there, gone, open_page):
    text = open_page(name, at=at).locator("main").inner_text()
    assert there in text and gone not in text


def test_a_learned_table_has_a_row_for_the_last_place_of_the_slider(open_page):
    page = open_page("ch05_positions", at="#method=learned&from=40")
    assert page.evaluate("window.attention.state.from") == 40


def test_buttons_that_would_leave_the_text_are_disabled(open_page):
    page = open_page("ch05_positions", at="#m=4&n=9")
    back, on = (
        page.get_by_role("button", name="Both − 5"),
        page.get_by_role("button", name="Both + 5"),
    )
    assert back.is_disabled() and on.is_enabled()
    on.click()
    assert back.is_enabled()


def test_an_empty_sentence_is_filled_again_with_the_one_that_is_shown(open_page):
    page = open_page("ch01_why_attention")
    field = page.get_by_label("Sentence", exact=True)
    shown = field.input_value()
    field.fill("")
    assert field.input_value() == ""
    page.keyboard.press("Tab")
    assert field.input_value() == shown


def test_ch08_takes_back_one_piece_and_leaves_the_rest_as_it_was_typed(open_page):
    page = open_page("ch08_decoder")
    field = page.get_by_label("Beginning")
    field.fill("é" * 100)
    page.get_by_role("button", name="Take the last one back").click()
    assert field.input_value() == "é" * 99


def test_no_word_of_a_strip_is_cut_in_the_middle(open_page):
    page = open_page("ch02_single_head")
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".strip .piece")].filter((piece) => piece.checkVisibility())
      .flatMap((piece) => [...piece.children]).filter((part) => getComputedStyle(part).visibility === "visible" && getComputedStyle(part).textOverflow !== "ellipsis"
        && part.getBoundingClientRect().width > part.parentElement.getBoundingClientRect().width + 0.5).map((part) => part.textContent)"""
    )
    assert cut == []
