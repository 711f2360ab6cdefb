"""What the pages with a trained model must show: an alignment that is used, knobs that cut, heads
that matter.
"""

import re

import pytest

from coursesite.pages.models import train_models

from ..apart import apart
from ..conftest import ROOT

VALUES = "window.attention.values"
SET = "(changes) => { window.attention.set(changes); return window.attention.values; }"


def argmax(row):
    return row.index(max(row))


def test_ch07_help_looks_at_helfen_and_threads_follow(open_page):
    page = open_page("ch07_encoder_decoder")
    assert page.locator("#translate .sentence-out").inner_text() == "can you help me"
    assert [argmax(row) for row in page.evaluate(VALUES)["cross"]] == [0, 1, 3, 2]
    assert page.locator("svg.threads .thread-word.now").text_content() == "help"
    assert page.locator("svg.threads .thread-word.found").text_content() == "helfen"
    page.locator("svg.threads .thread-word", has_text="you").click()
    assert page.evaluate("window.attention.state.written") == 1
    slider = page.get_by_label("Word being written")
    slider.focus()
    page.keyboard.press("End")
    assert (
        page.evaluate("window.attention.state.written") == 3
        and page.locator("svg.threads .thread-word.found").text_content() == "mir"
    )


def test_ch07_a_cell_is_spoken_as_who_is_written_and_who_is_looked_at(open_page):
    page = open_page("ch07_encoder_decoder")
    cell = page.locator('table[data-name="cross"] td[data-i="2"][data-j="3"]')
    assert re.fullmatch(
        r"writing help, looking at helfen: weight (0\.[6-9]\d|1\.00)",
        cell.get_attribute("aria-label"),
    )


def test_ch07_typing_translates_and_names_words_it_does_not_know(open_page):
    page = open_page("ch07_encoder_decoder")
    page.get_by_label("German sentence", exact=True).fill(
        "Morgen werde ich Tom treffen, weil er uns gestern hier rufen muss!"
    )
    assert (
        page.locator("#translate .sentence-out").inner_text()
        == "I will meet Tom tomorrow because he must call us here"
    )
    assert (
        page.locator("#translate p.hint:not(.typed)").inner_text()
        == "Not in the language, so left out: gestern."
    )


def test_ch07_a_covered_word_cannot_be_said_and_no_other_one_suffers(open_page):
    page = open_page("ch07_encoder_decoder")
    for text in (
        "kannst du mir helfen",
        "morgen werde ich Tom treffen weil er uns hier rufen muss",
    ):
        found = page.evaluate(SET, {"text": text})
        averaged = [
            [(a + b) / 2 for a, b in zip(*rows, strict=False)]
            for rows in zip(*found["crosses"][-1], strict=False)
        ]
        for looks, without in zip(averaged, found["without"], strict=False):
            assert all((p < 0.5) == (place == argmax(looks)) for place, p in enumerate(without))
    page.evaluate(SET, {"text": "kannst du mir helfen"})
    page.locator("#cover .words label", has_text="mir").click()
    assert page.locator("#cover .sentence-out .wrong").inner_text() != "me"
    page.locator("#cover .words label", has_text="helfen").click()
    assert "help" not in page.locator("#cover .sentence-out").last.inner_text()


def test_ch07_reading_makes_two_vectors_of_one_word(open_page):
    page = open_page("ch07_encoder_decoder")
    similar = page.evaluate(VALUES)["similar"]
    assert similar[0][0][2] == pytest.approx(1, abs=1e-12) and similar[3][0][2] < 0.95
    big = page.locator("#twins output.big")
    assert big.inner_text() == "1.000"
    page.locator("#twins").get_by_role("button", name="Next").click()
    assert big.inner_text() != "1.000"


def test_ch08_the_knobs_cut_and_say_what_cut(open_page):
    page = open_page("ch08_decoder")
    open_ = page.locator("#knobs output.big").first
    assert open_.inner_text() == "448 of 448"
    page.get_by_label("Top-k").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert open_.inner_text() == "3 of 448"
    assert "cut by top-k" in page.locator("#knobs table.ledger tr").nth(3).inner_text()
    page.evaluate(SET, {"k": 0, "p": 0.3})
    assert (
        open_.inner_text() == "1 of 448"
        and "cut by top-p" in page.locator("#knobs table.ledger tr").nth(1).inner_text()
    )
    page.evaluate(SET, {"k": 0, "p": 1, "temperature": 0})
    assert (
        open_.inner_text() == "1 of 448"
        and "not the best" in page.locator("#knobs table.ledger tr").nth(1).inner_text()
    )


def test_ch08_the_same_p_keeps_few_in_a_sure_place_and_more_where_it_is_hot(open_page):
    page = open_page("ch08_decoder")
    found = page.evaluate(VALUES)
    assert min(found["nucleus"]) == 1 and max(found["nucleus"]) > 30
    first = [one["first"] for one in found["sweep"]]
    assert first == sorted(first) and first[0] < found["fixed"] < first[-1]


def test_ch08_a_draw_comes_from_the_dice_and_can_be_taken_back(open_page):
    page = open_page("ch08_decoder")
    before = page.evaluate(VALUES)["ids"]
    page.get_by_role("button", name="Draw a piece").click()
    after = page.evaluate(VALUES)["ids"]
    assert after[:-1] == before
    page.get_by_role("button", name="Take the last one back").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(VALUES)["ids"] == before
    page.get_by_role("button", name="Draw a piece").click()
    assert page.evaluate(VALUES)["ids"] == after, "the same throw, the same piece"


def test_ch08_draws_have_the_shares_that_the_bars_promise(open_page):
    page = open_page("ch08_decoder")
    found = page.evaluate("""() => { const drawn = {}; const n = 99;
      for (let seed = 1; seed <= n; seed++) { window.attention.set({ seed, k: 2 }); const id = window.attention.values.yours[0]; drawn[id] = (drawn[id] ?? 0) + 1 / n; }
      return { drawn, chances: window.attention.values.chances }; }""")
    assert len(found["drawn"]) == 2
    for id_, share in found["drawn"].items():
        assert share == pytest.approx(found["chances"][int(id_)], abs=0.15)


def test_ch09_one_word_turns_the_answer_and_a_head_of_layer_1(open_page):
    page = open_page("ch09_training")
    answer = page.locator("#who output.big").first
    assert answer.inner_text() == "“cat”"
    hungry = page.evaluate(VALUES)["at"]
    page.get_by_role("button", name="Show me").first.click()
    assert answer.inner_text() == "“mat”"
    soft = page.evaluate(VALUES)["at"]
    assert any(
        argmax(a) == 1 and argmax(b) == 5 for a, b in zip(hungry[4:], soft[4:], strict=False)
    ), "a head of layer 1 finds the noun"
    assert any(argmax(a) == argmax(b) == 9 for a, b in zip(hungry[:4], soft[:4], strict=False)), (
        "a head of layer 0 fetches the reason"
    )


def test_ch09_up_to_it_the_two_stories_are_one(open_page):
    page = open_page("ch09_training")
    maps = [
        page.evaluate(SET, {"text": f"the cat sat on the mat because it was {reason}", "place": 7})[
            "at"
        ]
        for reason in ("hungry", "soft")
    ]
    assert maps[0] == maps[1]


def test_ch09_a_head_that_is_off_costs_what_the_table_says(open_page):
    page = open_page("ch09_training")
    alone = page.evaluate(VALUES)["alone"]
    page.get_by_role("switch", name="layer 0, head 1").focus()
    page.keyboard.press("Space")
    found = page.evaluate(VALUES)
    assert (
        found["now"][found["best"]] == pytest.approx(alone[0][1], abs=1e-12) and alone[0][1] < 0.5
    )
    page.locator("#who").get_by_role("button", name="Show me").last.click()
    assert page.evaluate(VALUES)["off"] == []


def test_ch09_previous_token_heads_below_induction_heads_above_and_only_some_are_missed(open_page):
    page = open_page("ch09_training")
    found = page.evaluate(VALUES)
    assert min(found["previous"][0]) > max(found["previous"][1]) and min(
        found["induction"][1]
    ) > max(found["induction"][0])
    rise = sorted(sum(found["rise"], []))
    assert rise[-1] > 1 and rise[3] < 0.05, "looking is not being used"
    assert found["rightNow"] == 1


def test_ch09_the_large_tables_wait_until_the_slider_rests(open_page):
    page = open_page("ch09_training")
    at_once = page.evaluate(
        """() => { const { views } = window.attention, drawn = views.pattern.rows.length;
      window.attention.set({ period: 16 });
      return [views.previous.values === window.attention.values.previous, views.pattern.rows.length === drawn,
        views.pattern.table.ariaBusy, document.querySelectorAll("p.song > span").length]; }"""
    )
    assert at_once == [True, True, "true", 40]
    page.wait_for_function("window.attention.views.pattern.rows.length === 40")
    assert page.evaluate(
        "window.attention.views.rise.values === window.attention.values.rise"
        " && window.attention.views.pattern.table.ariaBusy === null"
    )


@pytest.mark.slow
def test_the_committed_models_pass_the_exams_of_their_chapters():
    assert apart(train_models, ROOT, (), True) == []
