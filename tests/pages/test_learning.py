"""Heads that learn in the browser: what the buttons do, what is found, and what the controls do not
find. Gradients and losses are compared with PyTorch's in test_every_page, by the fixtures.
"""

import pytest

VALUES = "window.attention.values.learn"
SET = """async (changes) => {
  window.attention.set(changes);
  while (window.attention.values.learn.busy) await new Promise((done) => setTimeout(done));
  return window.attention.values.learn;
}"""


def test_ch02_train_runs_pauses_and_goes_back(open_page):
    page = open_page("ch02_single_head")
    button = page.locator("#learn .step-button.primary")
    button.click()
    page.wait_for_function("window.attention.state.steps >= 8")
    button.focus()
    page.keyboard.press("Enter")
    steps = page.evaluate("window.attention.state.steps")
    assert "Train" in button.inner_text() and 8 <= steps < 200
    assert len(page.evaluate(VALUES)["losses"]) == steps + 1
    page.get_by_role("button", name="One step").click()
    assert page.evaluate("window.attention.state.steps") == steps + 1
    page.get_by_role("button", name="Reset", exact=True).click()
    assert page.evaluate("window.attention.state.steps") == 0
    page.get_by_role("button", name="Another random start").click()
    assert page.evaluate("window.attention.state.start") == 2


def test_ch02_a_far_jump_of_the_slider_trains_a_few_steps_a_turn_and_gets_there(open_page):
    page = open_page("ch02_single_head")
    begun = page.evaluate(
        "() => { window.attention.set({ steps: 60 }); return window.attention.values.learn; }"
    )
    assert (begun["steps"], begun["busy"]) == (8, True)
    assert page.get_by_label("Steps trained").first.input_value() == "60"
    page.wait_for_function(f"!{VALUES}.busy")
    done = page.evaluate(VALUES)
    assert done["steps"] == 60 and len(done["losses"]) == 61 and len(done["checks"]) == 7
    again = page.evaluate(
        "() => { window.attention.set({ steps: 20 }); return window.attention.values.learn; }"
    )
    assert (again["steps"], again["busy"]) == (20, False)


def test_ch02_start_over_ends_a_training(open_page):
    page = open_page("ch02_single_head")
    page.locator("#learn .step-button.primary").click()
    page.wait_for_function("window.attention.state.steps >= 4")
    page.get_by_role("button", name="Start over").evaluate(
        """(button) => {
          const began = performance.now();
          while (performance.now() - began < 250);  // the next step of the training is due
          button.click();
        }"""
    )
    page.wait_for_timeout(350)
    assert page.evaluate("window.attention.state.steps") == 0


@pytest.mark.parametrize("start", [1, 2])
def test_ch02_the_head_finds_its_word_and_with_shuffled_answers_it_does_not(start, open_page):
    page = open_page("ch02_single_head")
    before = page.evaluate(SET, {"start": start})
    found = page.evaluate(SET, {"steps": 100})
    assert before["right"] < 0.3 and before["onPlace"] < 0.25
    assert found["right"] > 0.95 and found["onPlace"] > 0.9
    assert [row.index(max(row)) for row in found["map"]] == found["target"]
    shuffled = page.evaluate(SET, {"kind": "shuffled"})
    assert shuffled["right"] < 0.3 and shuffled["onPlace"] < 0.25 and shuffled["loss"] > 1.7


def test_ch02_a_mirror_answers_barks_and_not_the_circle(open_page):
    page = open_page("ch02_single_head")
    assert page.evaluate(SET, {"kind": "mirror", "steps": 150})["right"] > 0.95
    chase = page.evaluate(SET, {"game": "chase", "steps": 200})
    assert chase["right"] < 0.95
    assert page.evaluate(SET, {"kind": "three"})["right"] > 0.95


def test_ch02_a_weight_is_dragged_and_the_arrow_points_where_the_loss_falls(open_page):
    page = open_page("ch02_single_head")
    cell = page.locator('table[data-name="row"] td[data-i="2"][data-j="5"]')
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0], middle[1] - 40, steps=4)
    page.mouse.up()
    state = page.evaluate("window.attention.state")
    assert state["entry"] == 21 and state["shift"] == pytest.approx(0.5, abs=0.02)
    weight = page.evaluate(VALUES)["weight"]
    arrow = cell.get_attribute("data-arrow")
    assert arrow == ("▼" if weight["slopes"][2][5] > 0 else "▲")
    nearby = page.evaluate(
        SET, {"shift": state["shift"] + (-0.01 if weight["slopes"][2][5] > 0 else 0.01)}
    )["weight"]
    assert nearby["loss"] < weight["loss"]
    slope = (nearby["loss"] - weight["loss"]) / (nearby["value"] - weight["value"])
    assert slope == pytest.approx(weight["slope"], rel=0.05, abs=1e-4)


def test_ch02_a_weight_is_moved_by_keyboard(open_page):
    page = open_page("ch02_single_head")
    page.locator('table[data-name="row"] td[tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.attention.state.entry") == 1
    page.keyboard.press("+")
    assert page.evaluate("window.attention.state.shift") == pytest.approx(0.05)
    page.locator('.plot-box[data-name="slope"]').focus()
    page.keyboard.press("End")
    assert page.evaluate("window.attention.state.shift") == pytest.approx(1.5)
    page.get_by_role("button", name="Let go").click()
    before = page.evaluate(VALUES)["weight"]["loss"]
    page.get_by_role("button", name="Along the arrow").click()
    assert page.evaluate(VALUES)["weight"]["loss"] < before
