"""The GPT that one can watch: what its picture does when it is used, and another's model in it."""

import base64
from typing import Any

import pytest

import attention_built as ab
from coursesite.chapter_code import carried_code, chapter_code, default_dtype
from coursesite.pages.checkpoint import checkpoint, filled_model

from ..conftest import ROOT

torch = pytest.importorskip("torch")
STATE, VALUES = "window.attention.state", "window.attention.values"
WORDS = "the cat sat on a mat dog and bird .".split()


def test_a_head_that_is_off_changes_the_picture_and_the_numbers_and_says_so(open_page):
    page = open_page("my_model")
    arcs = page.locator('svg.stream path.now[data-head="0.0"]')
    assert arcs.count() > 0 and page.locator(".effect").inner_text() == "All heads are on."
    before = page.locator("#watch table.ledger td.amount").first.inner_text()
    page.get_by_role("switch", name="layer 0, head 0").focus()
    page.keyboard.press("Space")
    found = page.evaluate(VALUES)
    was, rest = found["before"][found["best"]], found["chances"][found["best"]]
    assert arcs.count() == 0 and was > 0.9 and rest < 0.1
    assert before == f"{was:.3f}"
    assert page.locator("#watch table.ledger td.amount").first.inner_text() == f"{rest:.3f}"
    assert page.locator(".effect b").inner_text() == f"“ra” {was:.2f} → {rest:.2f}"
    assert rest == pytest.approx(found["alone"][0][0], abs=1e-12)
    page.get_by_role("button", name="All heads on").click()
    assert page.evaluate(STATE)["off"] == [] and arcs.count() > 0


def test_it_plays_to_the_end_of_the_text_and_stops_where_the_reader_steps_in(open_page):
    page = open_page("my_model", at="#place=8")
    play = page.locator("#watch .step-button.primary")
    play.click()
    page.wait_for_function("window.attention.state.place === 10")
    page.wait_for_function("document.querySelector('#watch .primary').textContent.includes('Play')")
    play.click()  # from the end it begins again
    assert page.evaluate(STATE)["place"] == 0 and "Pause" in play.inner_text()
    page.get_by_label("Piece", exact=True).focus()
    page.keyboard.press("End")
    assert "Play" in play.inner_text() and page.evaluate(STATE)["place"] == 10


def test_what_it_says_can_be_added_and_is_read_next(open_page):
    page = open_page("my_model")
    page.get_by_role("button", name="Add what it says").click()
    assert page.get_by_label("Your text").input_value() == "All data in a Python progra"
    assert page.evaluate(STATE)["place"] == 11 == len(page.evaluate(VALUES)["ids"]) - 1


def test_what_cannot_be_read_is_said_below_the_box(open_page):
    page = open_page("my_model")
    box, said = page.get_by_label("Your text"), page.locator("#watch .typed")
    assert not said.is_visible()
    place = box.bounding_box()
    box.fill("")
    assert box.bounding_box() == place, "a note under the box moves it"
    assert said.inner_text() == (
        "The box is empty. What is shown still reads “All data in a Python prog”."
    )
    box.fill("naïve 名 text")
    assert said.inner_text() == "It has no such letters and reads “?”: ï 名."
    box.fill("a b " * 100)
    assert "Cut: the first 200 of 400 characters are read." in said.inner_text()
    assert "the last 64 fit into its window" in said.inner_text()
    assert box.input_value() == "a b " * 50
    above, below = box.bounding_box(), said.bounding_box()
    assert 0 <= below["y"] - above["y"] - above["height"] < 30
    box.fill("All data")
    assert not said.is_visible()


def test_words_outside_a_little_language_are_named(open_page):
    page = open_page("who")
    box, said = page.get_by_label("Your text"), page.locator("#watch .typed")
    box.fill("the zebra slept")
    assert said.inner_text() == "It has no such words and leaves them out: zebra."
    box.fill("zebra")
    assert said.inner_text().startswith("Nothing here can be read. What is shown still reads “the")


def test_an_arc_leads_to_its_dot_product(open_page):
    page = open_page("my_model")
    arc = page.locator('svg.stream path.now[data-head="1.2"]').nth(1)
    key = int(arc.get_attribute("data-key"))
    arc.dispatch_event("click")
    state, found = page.evaluate(STATE), page.evaluate(VALUES)
    assert (state["layer"], state["head"], state["key"]) == (1, 2, key) and found["to"] == key
    zoom = found["zoom"]
    assert sum(zoom["products"]) == pytest.approx(zoom["score"])
    assert page.locator("#zoom output.big").nth(2).inner_text() == f"{zoom['weight']:.3f}"


def test_the_picture_draws_each_weight_of_the_piece_that_reads_from_0_02_on(open_page):
    page = open_page("my_model", at="#place=6")
    found = page.evaluate(VALUES)
    drawn = page.evaluate(
        "[...document.querySelectorAll('svg.stream path.now')].map((one) =>"
        " [one.dataset.head, Number(one.dataset.key)])"
    )
    wanted = [
        [f"{layer}.{head}", key]
        for layer, heads in enumerate(found["weights"])
        for head, rows in enumerate(heads)
        for key, weight in enumerate(rows[6])
        if weight >= 0.02
    ]
    assert sorted(drawn) == sorted(wanted) and len(wanted) > 20


@pytest.fixture(scope="module")
def own_model():
    """A GPT of chapter 8, untrained, of other sizes than the page's, and its message."""
    with default_dtype(torch.float32):
        space = chapter_code(ROOT, 8, "GPTConfig", "GPT", start=carried_code(ROOT, 8))
        torch.manual_seed(3)
        config = space["GPTConfig"](
            vocab_size=len(WORDS), max_len=70, d_model=18, num_heads=3, num_layers=4
        )
        model = space["GPT"](config).eval()
        for parameter in model.parameters():
            parameter.data += 0.3 * torch.randn_like(parameter)
    tensors = {
        name: {
            "shape": list(one.shape),
            "dtype": "float32",
            "data": base64.b64encode(one.detach().contiguous().numpy().tobytes()).decode(),
        }
        for name, one in model.named_parameters()
    }
    sizes = {"num_heads": 3, "num_layers": 4, "d_model": 18, "max_len": 70}
    text = " ".join((WORDS * 7)[:66])
    return model, {"config": sizes, "vocab": WORDS, "tensors": tensors, "text": text}


def test_a_model_of_other_sizes_and_a_long_text_is_drawn_as_pytorch_computes_it(
    open_page, own_model
):
    model, message = own_model
    page = open_page("my_model", width=390)
    page.evaluate("(model) => window.postMessage({ model }, '*')", message)
    page.wait_for_selector("body.own-model")
    found = page.evaluate(VALUES)
    ids = torch.tensor([[WORDS.index(word) for word in message["text"].split()]])
    assert found["ids"] == ids[0].tolist() and found["place"] == 65
    with torch.no_grad():
        want = model(ids)[0, -1]
    torch.testing.assert_close(torch.tensor(found["logits"]), want, atol=2e-4, rtol=1e-4)
    assert page.get_by_role("switch").count() == 12
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.evaluate("window.attention.set({ off: '3.2' })")
    assert page.evaluate(VALUES)["logits"] != found["logits"]


def test_the_notebook_s_model_answers_in_its_frame_and_loses_the_answer_without_its_head(
    open_page, monkeypatch
):
    """Chapter 9's reader by way of show_my_model: its words, its story, the head that it needs."""
    made = checkpoint(ROOT, "ch09_training")
    space = chapter_code(ROOT, 8, "GPTConfig", "GPT", start=carried_code(ROOT, 8))
    model = filled_model(space["GPT"](space["GPTConfig"](**made["config"])), made["tensors"])
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.chdir(ROOT)
    story = (
        "the fox slept on the rug because it was tired . who ? the fox . "
        "the cat sat on the mat because it was hungry . who ? the"
    )
    ab.show_my_model(model, made["vocab"], story)
    page = open_page("", content=shown[-1].data)
    frame = page.frame_locator("iframe")
    assert frame.get_by_label("Your text").input_value() == story
    answer = frame.locator("#watch table.ledger tr").first
    assert answer.get_attribute("aria-label") == "cat: probability 0.990"
    frame.get_by_role("switch", name="layer 0, head 1").press("Space")
    assert frame.locator(".effect b").inner_text() == "“cat” 0.99 → 0.01"


def test_a_model_that_cannot_be_drawn_is_refused_in_words(open_page, own_model):
    page = open_page("my_model")
    tensors = {
        name: one
        for name, one in own_model[1]["tensors"].items()
        if "position_embedding" not in name
    }
    page.evaluate(
        "(model) => window.postMessage({ model }, '*')", own_model[1] | {"tensors": tensors}
    )
    page.get_by_role("alert").wait_for()
    assert "found no position_embedding" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Your text").input_value() == "All data in a Python prog"
