"""Chapter 9's training in the browser: what the buttons do, that the page stays responsive, and what
is learned. Losses and gradients are compared with PyTorch's in test_every_page, by the fixtures.
"""

import pytest
import torch

from coursesite.chapter_code import default_dtype
from coursesite.pages.fixtures.song import song_lesson

from ..conftest import ROOT

VALUES = "window.attention.values.emerge"
AT = f"{VALUES}.at"
DONE = f"!{VALUES}.busy"


@pytest.fixture
def page(open_page):
    return open_page("ch09_training")


def test_train_stops_goes_on_and_goes_back(page):
    button = page.locator("#emerge .step-button.primary")
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"{AT} >= 25", timeout=60_000)
    assert "Stop" in button.inner_text()
    page.keyboard.press("Enter")
    at = page.evaluate(AT)
    assert "Train" in button.inner_text() and 25 <= at < 400
    assert page.evaluate("window.attention.state.steps") == at
    assert len(page.evaluate(f"{VALUES}.losses.two")) == at
    page.wait_for_timeout(300)
    assert page.evaluate(AT) == at, "it goes on after Stop"
    page.get_by_role("button", name="Five steps").click()
    page.wait_for_function(f"{AT} === {at + 5}", timeout=30_000)
    page.locator("#emerge").get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate(AT) == 0 and page.evaluate(DONE)
    page.locator("#emerge").get_by_role("button", name="Another random start").click()
    assert page.evaluate("window.attention.state.start") == 2 and page.evaluate(AT) == 0


def test_start_over_ends_a_training(page):
    page.locator("#emerge .step-button.primary").click()
    page.wait_for_function(f"{AT} >= 25", timeout=60_000)
    page.get_by_role("button", name="Start over").click()
    page.wait_for_timeout(400)
    assert page.evaluate(AT) == 0 and page.evaluate("window.attention.hash") == ""


def test_the_page_answers_while_it_trains(page):
    """Between two steps a click gets its turn, so no pause is longer than a few steps."""
    page.locator("#emerge .step-button.primary").click()
    turns, at = page.evaluate(
        f"""() => new Promise((done) => {{
          let turns = 0;
          const turn = () => {{
            turns += 1;
            if ({AT} >= 25) done([turns, {AT}]); else setTimeout(turn);
          }};
          turn();
        }})"""
    )
    assert turns >= at - 1, f"only {turns} turns for others in {at} steps"


def test_no_first_round_is_trained_on_or_priced(page):
    lost = page.evaluate(f"{VALUES}.two.loss")
    rounds = page.evaluate(f"{VALUES}.two.rounds")
    assert len(rounds) == 2 and min(rounds) <= lost <= max(rounds)
    names = page.locator('#emerge .plot-frame:has([data-name="song-loss"]) .legend').inner_text()
    assert "second round" in names and "first" not in names


@pytest.mark.slow
def test_the_stripe_emerges_with_two_layers_and_not_with_one(page):
    page.evaluate("window.attention.set({ steps: 240 })")
    page.wait_for_function(f"{DONE} && {AT} === 240", timeout=300_000)
    got = page.evaluate(VALUES)
    assert got["two"]["right"] > 0.95 and got["two"]["scores"][1]["stripe"] > 0.8
    assert got["one"]["right"] < 0.7 and got["one"]["scores"][0]["stripe"] < 0.4
    first = got["past"][0]["two"]
    assert first["right"] < 0.15 and first["scores"][1]["stripe"] < 0.3
    with default_dtype(torch.float64):
        want = song_lesson(ROOT, 1, 240)
    for name in ("two", "one"):
        assert got["losses"][name] == pytest.approx(want["losses"][name], abs=1e-5)
