"""What single pages must show: the sentence of the curriculum, the surprises, and editing by
keyboard and by pointer.
"""

import json
import re

import pytest

from .conftest import INTERACTIVE


def texts(page, name):
    """The rows of a matrix as they stand on the page."""
    rows = page.locator(f'table[data-name="{name}"] tbody tr')
    return [
        [cell.replace("−", "-") for cell in rows.nth(i).locator("td").all_inner_texts()]
        for i in range(rows.count())
    ]


def test_ch01_steps_through_the_running_sentence_with_the_chapter_s_numbers(open_page):
    path = INTERACTIVE / "fixtures" / "ch01_why_attention.json"
    first = json.loads(path.read_text(encoding="utf-8"))["cases"][0]["values"]
    scores, weights, context = (
        [f"{number:.4f}" for number in first[name][1]] for name in ("scores", "weights", "context")
    )
    page = open_page("ch01_why_attention")
    ledger = page.locator("#steps table.ledger")

    def amounts():
        return ledger.locator("td.amount").all_inner_texts()

    assert amounts() == scores
    page.locator("#steps").get_by_role("button", name="Next").click()
    assert amounts() == [*weights, "1.0000"]
    page.keyboard.press("Enter")  # the focus stayed on Next
    assert ledger.locator("tr.total td.how").inner_text() == f"({', '.join(context)})"
    ledger.locator("tr").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(
        f"journey: weight {weights[1]}"
    )


def test_ch01_an_edited_embedding_changes_everything_below(open_page):
    page = open_page("ch01_why_attention")
    before = texts(page, "weights")
    page.locator('table[data-name="embeddings"] td[data-i="1"][data-j="0"]').focus()
    page.keyboard.press("+")
    assert texts(page, "embeddings")[1][0] == "0.60"
    assert texts(page, "weights") != before
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.type") == "range", (
        "Enter goes to the slider of the number"
    )
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.tagName") == "TD"
    page.get_by_label("Sentence", exact=True).fill("one two three")
    assert page.locator('table[data-name="weights"] tbody th').all_inner_texts() == [
        "one",
        "two",
        "three",
    ]


def test_ch01_bank_is_one_vector_before_and_two_after(open_page):
    page = open_page("ch01_why_attention")
    big = page.locator("#bank output.big").all_inner_texts()
    assert big[0] == "1.0000" and float(big[1]) < 0.5
    handle = page.locator('#bank [data-key="river"]')
    handle.focus()
    place = page.evaluate("window.attention.values.places.river")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.attention.values.places.river")[0] == pytest.approx(
        place[0] + 0.05, abs=1e-3
    )
    assert page.evaluate("document.activeElement.dataset.key") == "river", (
        "the point keeps the focus while it moves"
    )
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 7, box["y"] + 7)
    page.mouse.down()
    page.mouse.move(box["x"] + 107, box["y"] + 47, steps=3)
    page.mouse.up()
    assert page.evaluate("window.attention.values.places.river")[0] > place[0] + 0.1
    page.get_by_label("Another sentence").fill("money interest loan")
    assert page.locator("#bank .problem").is_visible()


def test_ch02_one_matrix_for_queries_and_keys_makes_a_mirror(open_page):
    page = open_page("ch02_single_head")
    scores = page.evaluate("window.attention.values.scores")
    assert abs(scores[1][4] - scores[4][1]) > 0.1
    page.get_by_role("button", name="Show me").first.click()
    scores = page.evaluate("window.attention.values.scores")
    assert all(abs(scores[i][j] - scores[j][i]) < 1e-12 for i in range(6) for j in range(6))


def test_ch02_the_formula_under_a_number_makes_that_number(open_page):
    page = open_page("ch02_single_head")
    page.locator('table[data-name="grid"] td[data-i="1"][data-j="2"]').hover()
    said = page.locator("#steps .readout").inner_text().replace("−", "-")
    products = re.findall(r"\(?(-?\d+\.\d+)\)?·\(?(-?\d+\.\d+)\)?", said)
    total = float(said.split("=")[-1])
    assert len(products) == 2 and sum(float(a) * float(b) for a, b in products) == pytest.approx(
        total, abs=5e-3
    )
    row, column = page.locator('table[data-name="grid"] th.lit').all_inner_texts()
    assert {row, column} == {"journey", "starts"}, "row and column are marked"


def test_ch02_without_the_scale_entropy_and_gradient_fall(open_page):
    page = open_page("ch02_single_head")
    study = {
        d: page.evaluate(
            "(d) => { window.attention.set({ d_k: d }); return window.attention.values.study; }", d
        )
        for d in (4, 1024)
    }
    assert study[1024]["unscaled"]["entropy"] < 0.3 < 2 < study[1024]["scaled"]["entropy"]
    assert study[1024]["unscaled"]["gradient"] < 1e-3 < 0.2 < study[1024]["scaled"]["gradient"]
    assert study[1024]["unscaled"]["std"] == pytest.approx(32, rel=0.1) and study[1024]["scaled"][
        "std"
    ] == pytest.approx(1, rel=0.1)
    plot = page.locator('.plot-box[data-name="entropy"]')
    plot.focus()
    page.keyboard.press("Home")
    assert page.evaluate("window.attention.state.d_k") == 1, (
        "the reading line and the slider are one"
    )
    assert plot.get_attribute("aria-valuetext").startswith("d_k 1:")


def test_ch03_only_the_right_roads_keep_the_future_out(open_page):
    page = open_page("ch03_masks")
    leaks = page.evaluate("window.attention.values.leaks")
    assert (
        leaks["full"] > 0.01
        and leaks["kept"] > 0.01
        and leaks["hidden"] < 1e-12
        and leaks["divided"] < 1e-12
    )
    page.evaluate("window.attention.set({ mask: 'both', front: true, real: 4, guard: false })")
    assert texts(page, "weights")[0] == ["NaN"] * 6
    page.locator("#mask label.toggle").nth(1).click()
    assert texts(page, "weights")[0] == ["0.00"] * 6


def test_ch04_the_missing_transpose_puts_numbers_in_the_wrong_head(open_page):
    page = open_page("ch04_multi_head", at="#stage=swap")
    assert page.locator("#cut output.big").inner_text() == "0 of 12"
    page.locator("#cut label.toggle").click()
    assert page.locator("#cut output.big").inner_text() != "0 of 12"
    for way, leaks in [("right", False), ("split", True), ("combine", True), ("neither", False)]:
        page.evaluate("(way) => window.attention.set({ way })", way)
        heard = page.evaluate("window.attention.values.heard")
        assert any(heard[i][j] > 1e-9 for i in range(6) for j in range(i + 1, 6)) == leaks


def test_ch04_the_bill_does_not_depend_on_the_heads(open_page):
    page = open_page("ch04_multi_head")
    counts = [
        page.evaluate(
            "(heads) => { window.attention.set({ heads }); return"
            " window.attention.values.bill.parameters; }",
            heads,
        )
        for heads in (1, 8, 64)
    ]
    assert counts == [1_048_576] * 3


def test_ch05_without_positions_nothing_depends_on_the_order(open_page):
    page = open_page("ch05_positions")
    for way, expected in [("none", 0), ("sinusoidal", 1), ("learned", 1), ("rope", 1)]:
        gap = page.evaluate(
            "(places) => { window.attention.set({ places, order: 'rotate' }); return"
            " window.attention.values.gap; }",
            way,
        )
        assert (gap > 1e-6) == bool(expected), f"{way}: {gap}"


def test_ch05_moving_query_and_key_together_keeps_the_score_of_rope(open_page):
    page = open_page("ch05_positions")
    before = page.evaluate("window.attention.values.score")
    page.get_by_role("button", name="Both + 5").click()
    assert page.evaluate("window.attention.state.m") == 12
    assert page.evaluate("window.attention.values.score") == pytest.approx(before, abs=1e-12)


def test_ch06_norms_keep_the_gradient_and_residuals_keep_the_words(open_page):
    page = open_page("ch06_block", at="#depth=24")
    stacks = page.evaluate("window.attention.values.stacks")
    share = {kind: one["gradients"][0] / one["gradients"][-1] for kind, one in stacks.items()}
    assert share["bare"] < 1e-6 < 0.05 < min(share["pre"], share["post"], share["none"])
    assert stacks["pre"]["apart"][-1] > 0.05 and stacks["post"]["apart"][-1] < 1e-3
    assert max(stacks["none"]["apart"][6], stacks["bare"]["apart"][6]) < 1e-6
    page.locator("#left label.toggle").click()
    assert page.evaluate("window.attention.values.stacks.post.apart")[-1] > 0.05, (
        "a gentle start saves post-norm"
    )


def test_ch11_bills_are_those_of_the_published_models(open_page):
    page = open_page("ch11_today")
    bills = {
        "gpt-2": "124,439,808",
        "llama-3.2-1b": "1,235,814,400",
        "qwen-3-0.6b": "596,049,920",
        "gemma-3-1b": "999,885,952",
    }
    for size, total in bills.items():
        page.evaluate("(size) => window.attention.set({ size, second: true, group: 1 })", size)
        page.get_by_role("button", name="As it was published").click()
        assert page.locator("#assemble output.big").first.inner_text() == total
        cache = page.evaluate("window.attention.values.bill")
        assert (cache["cache"] < cache["whole"]) == (size != "gpt-2")


def test_ch11_each_layout_is_right_for_its_own_order_of_rows(open_page):
    page = open_page("ch11_today")
    score = page.evaluate("window.attention.values.score")
    assert abs(score["halves"] - score["neighbours"]) > 0.1
    assert score["moved"] == pytest.approx(score["halves"], abs=1e-12)
    page.get_by_role("button", name="Show me").nth(3).click()
    assert page.evaluate("window.attention.state.at - window.attention.state.key") == 5
    assert page.evaluate("window.attention.values.score.halves") == pytest.approx(
        score["halves"], abs=1e-12
    )


def test_ch11_what_is_out_of_the_window_arrives_through_a_global_layer(open_page):
    page = open_page("ch11_today", at="#near=2&turn=3&deep=3")
    heard = page.evaluate("window.attention.values.heard")
    assert [sum(map(bool, row)) for row in heard] == [2, 3, 10]
    page.get_by_label("Text", exact=True).fill("one two three")
    assert texts(page, "local") == [["•", "", ""], ["•", "•", ""], ["", "•", "•"]]


def test_ch10_tiles_fill_until_every_row_is_finished(open_page):
    page = open_page("ch10_efficiency")
    button = page.get_by_role("button", name="Tile →")
    for _ in range(6):
        button.click()
    flash = page.evaluate("window.attention.values.flash")
    assert len(flash["rows"]) == 12 and flash["error"] < 1e-12 and flash["skipped"] == 3
    assert page.locator("#tiles output.big").all_inner_texts()[2] == "6 of 6"
    exponents = page.evaluate("window.attention.values.exponents")
    assert exponents["naive"] == pytest.approx(2) and exponents["io"] == pytest.approx(1)


def test_ch05_an_angle_between_two_hands_is_at_most_half_a_turn(open_page):
    page = open_page("ch05_positions")
    for m, n in [(1, 6), (0, 12), (9, 3)]:
        page.evaluate("(state) => window.attention.set(state)", {"m": m, "n": n})
        angles = [
            int(text.rsplit("angle between: ", 1)[1].split("°")[0])
            for text in page.locator("#rope figcaption").all_inner_texts()
        ]
        assert angles and max(angles) <= 180


def test_ch06_what_float64_cannot_tell_is_said_alike_by_meters_and_curve(open_page):
    page = open_page("ch06_block")
    page.evaluate("window.attention.set({ depth: 24 })")
    assert "< 10⁻¹⁶" in page.locator("#left output.big").all_inner_texts()
    shown = page.locator("#left .plot-said").first.inner_text()
    assert "< 10⁻¹⁶" in shown and not re.search("⁻(¹[⁷⁸⁹]|[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹])", shown)


def test_ch15_a_column_crosses_eight_times_and_a_tile_once(open_page):
    page = open_page("ch15_kernel", at="#way=columns&moved=99")
    assert {cell for row in texts(page, "travel-y") for cell in row} == {"8"}
    page.evaluate("window.attention.set({ dtype: 'float16' })")
    assert {cell for row in texts(page, "travel-y") for cell in row} == {"16"}
    page.evaluate("window.attention.set({ dtype: 'float32', way: 'tiles', moved: 99 })")
    assert {cell for row in texts(page, "travel-y") for cell in row} == {"1"}


def test_ch15_two_that_read_before_one_writes_lose_an_addition(open_page):
    page = open_page("ch15_kernel", at="#adders=2&turns=")
    first, second = (page.get_by_role("button", name=f"Program {n}") for n in (0, 1))
    for one in (first, second, second, first):
        one.click()
    assert page.locator("#race output.big").all_inner_texts() == ["1", "2 of 2", "1"]
    assert page.locator('table[data-name="race"] td.lost').inner_text() == "w1"
    said = page.evaluate("window.attention.values.race.said")
    assert said and page.locator("#race .stand-in").inner_text().endswith(said)
    assert page.evaluate("window.attention.hash") == "adders=2&turns=0110"
    page.locator("#race label.toggle").click()  # each adds in one step, and none comes between
    assert page.locator("#race output.big").all_inner_texts() == ["2", "2 of 2", "0"]
    assert page.locator("#race .stand-in").inner_text() == ""


def test_ch15_without_the_mask_of_the_store_the_order_decides(open_page):
    page = open_page("ch15_kernel", at="#mask=store&ran=16")
    wrong = set()
    for _ in range(3):
        wrong.add(str(page.evaluate("window.attention.values.softmax.y")))
        page.locator("#rows").get_by_role("button", name="Another order").click()
    assert len(wrong) == 3
    page.evaluate("window.attention.set({ mask: 'both' })")
    assert page.locator("#rows td.lost").count() == 0


def test_ch15_plays_on_until_the_reader_steps_in(open_page):
    page = open_page("ch15_kernel", at="#ran=0")
    play = page.locator("#rows").get_by_role("button", name="Play")
    play.click()
    page.wait_for_function("window.attention.state.ran >= 3")
    page.locator("#rows").get_by_role("button", name="← Step").click()
    stopped = page.evaluate("window.attention.state.ran")
    page.wait_for_timeout(900)
    assert page.evaluate("window.attention.state.ran") == stopped
    assert play.is_visible()
