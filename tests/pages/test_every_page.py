"""What must hold for every interactive page: it is self-contained, right, and usable by keyboard,
pointer and voice.
"""

import html
import importlib.util
import json
import math
from pathlib import Path

import pytest

from autograder.course.settings import load_settings
from coursesite.pages.build import data_of, page_html
from coursesite.pages.stills import shown, still
from coursesite.site.server import serving

from ..conftest import ROOT
from .conftest import INTERACTIVE, LOOKS, PAGES

FIXTURES = sorted(path.stem for path in (INTERACTIVE / "fixtures").glob("*.json"))
AXE = (
    Path(importlib.util.find_spec("axe_playwright_python").origin).parent / "axe.min.js"
    if importlib.util.find_spec("axe_playwright_python")
    else None
)
pytestmark = [pytest.mark.parametrize("name", PAGES), pytest.mark.proof("page")]


def differences(got, want, at="", tolerance=1e-5):
    """Where two nested values differ by more than the tolerance."""
    if isinstance(want, dict):
        return [
            d for key in want for d in differences((got or {}).get(key), want[key], f"{at}.{key}")
        ]
    if isinstance(want, list):
        if not isinstance(got, list) or len(got) != len(want):
            return [
                f"{at}: {len(want)} entries expected, got"
                f" {got if not isinstance(got, list) else len(got)}"
            ]
        return [d for i, part in enumerate(want) for d in differences(got[i], part, f"{at}[{i}]")]
    if isinstance(want, bool) or want is None or (isinstance(got, str) and isinstance(want, str)):
        return [] if got == want else [f"{at}: {got}, expected {want}"]
    want, got = float(want), float("nan") if got is None else float(got)
    close = (
        got == want
        or abs(got - want) <= tolerance * max(1, abs(want))
        or (math.isnan(want) and math.isnan(got))
    )
    return [] if close else [f"{at}: {got}, expected {want}"]


READ_VALUES = """() => JSON.parse(JSON.stringify(window.attention.values, (key, value) =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value))"""


@pytest.mark.proof("")  # always tried
def test_the_committed_page_is_what_its_sources_give(name):
    source = INTERACTIVE / "chapters" / f"{name}.js"
    page = INTERACTIVE / "pages" / f"{name}.html"
    assert page.read_text(encoding="utf-8") == page_html(source), "run: make pages"


SAID = """async () => {
  const said = [];
  for (const cue of ["", ...window.attention.cues]) {
    window.attention.reset();
    window.attention.cue(cue);
    while (Object.values(window.attention.values).some((one) => one?.busy)) await new Promise(requestAnimationFrame);
    const names = [...document.querySelectorAll("[aria-label], [title]")].map((one) => `${one.ariaLabel} ${one.title}`);
    said.push(cue, document.querySelector(".sheet").textContent.replace(/\\s+/g, " "), ...names);
  }
  return said; }"""


def test_the_built_page_says_what_its_modules_say(name, browser):
    """Every word of every setting, beside the same page run from the files that it is made of."""
    script = INTERACTIVE / "chapters" / f"{name}.js"
    said = []
    with serving(INTERACTIVE) as address:
        built = f"{address}pages/{name}.html"
        named = f'<html data-name="{load_settings(ROOT).course}">'
        apart = f'<script type="module" src="{address}chapters/{name}.js"></script>'
        for content in (None, f"{named}<script>{data_of(script)}</script>{apart}"):
            page = browser.new_context(reduced_motion="reduce").new_page()
            page.goto(built)
            if content:
                page.set_content(content)
            page.wait_for_function("window.attention")
            said.append(page.evaluate(SAID))
            page.context.close()
    whole, apart = said
    assert [pair for pair in zip(whole, apart, strict=True) if pair[0] != pair[1]][:5] == []


def test_the_still_shows_what_the_page_shows(name, browser):
    """Its words, numbers and colours: letters and line breaks are the machine's own."""
    page, taken = (INTERACTIVE / kind / name for kind in ("pages", "stills"))
    now = shown(still(page.with_suffix(".html"), browser))
    assert now.count("\n") > 20, "the figure says next to nothing"
    assert now == shown(taken.with_suffix(".png").read_bytes()), "run: make pages"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_first_thing_to_touch_is_on_the_first_screen(name, width, open_page):
    first = """() => Math.min(...[...document.querySelectorAll("main .scene :is(input, button, select, [tabindex='0'])")]
      .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top))"""
    assert open_page(name, width=width).evaluate(first) < 350


def test_opened_by_itself_it_leads_to_the_course(name, open_page):
    page, site = open_page(name), load_settings(ROOT).site_url
    links = page.eval_on_selector_all(".bar a", "(all) => all.map((one) => one.href)")
    chapter = name if name.startswith("ch") else "interactive_pages"
    assert links == [f"{site}index.html", f"{site}{chapter}.html"]
    assert "the course in which you program a GPT yourself" in page.locator(".bar").inner_text()
    assert page.locator("h1 a").get_attribute("href").endswith(f"{name}.html")


def test_without_javascript_a_picture_and_a_link_stand_there(name, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((INTERACTIVE / "pages" / f"{name}.html").as_uri())
    picture = page.locator(".figure img")
    assert picture.bounding_box()["height"] > 100 and page.get_by_role("link").count() == 2
    assert page.locator("h1").is_visible() and page.locator(".sheet").bounding_box()["x"] > 50
    context.close()


CHOSEN = """() => [...document.querySelectorAll(".segments input[type=radio]:checked + span")].map((one) => {
  const other = one.closest("fieldset").querySelector("input:not(:checked) + span");
  return !other || getComputedStyle(one).backgroundColor !== getComputedStyle(other).backgroundColor; })"""
COLOURS = """() => [...document.querySelectorAll("table.matrix")].map((one) =>
  new Set([...one.querySelectorAll("td[data-i]")].map((cell) => getComputedStyle(cell).backgroundColor)).size)"""


def test_forced_colours_keep_what_is_chosen_and_what_colour_says(name, open_page, browser):
    seen = open_page(name).evaluate(COLOURS)
    context = browser.new_context(forced_colors="active")
    page = context.new_page()
    page.goto((INTERACTIVE / "pages" / f"{name}.html").as_uri())
    page.wait_for_function("window.attention")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert all(page.evaluate(CHOSEN)), "nothing shows what is chosen"
    assert page.evaluate(COLOURS) == seen, "a heat map has lost its colours"
    bars = page.locator(".bar-fill:visible, .knob:visible")
    for bar in bars.all()[:3]:
        assert bar.evaluate("(one) => getComputedStyle(one).forcedColorAdjust") == "none"
    context.close()


def test_numbers_equal_those_of_the_chapter(name, open_page):
    path = INTERACTIVE / "fixtures" / f"{name}.json"
    if not path.exists():
        pytest.skip("this page computes nothing of a chapter")
    page = open_page(name)
    for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
        understood = page.evaluate(
            "(state) => { window.attention.reset(); return window.attention.set(state); }",
            case["state"],
        )
        assert sorted(understood) == sorted(case["state"]), (
            f"fields not understood: {set(case['state']) - set(understood)}"
        )
        page.wait_for_function("!Object.values(window.attention.values).some((one) => one?.busy)")
        assert not (wrong := differences(page.evaluate(READ_VALUES), case["values"])), (
            f"{case['state']}\n" + "\n".join(wrong[:8])
        )


def test_the_cells_show_the_numbers_that_were_computed(name, open_page):
    page = open_page(name)
    wrong = page.evaluate(
        """() => Object.values(window.attention.views).filter((view) => view.table.isConnected && !view.options.text).flatMap((view) =>
      [...view.table.querySelectorAll("td[data-i]")].map((cell) => [view.options.name, cell.textContent, view.values[cell.dataset.i][cell.dataset.j], view.options.digits])
        .filter(([, text, value, digits]) => Number.isFinite(value) && Math.abs(Number(text.replace("−", "-")) - value) > 0.5 * 10 ** -digits + 1e-9))"""
    )
    assert wrong == []


@pytest.mark.parametrize("width, theme", LOOKS)
def test_it_fits_and_axe_finds_nothing_serious(name, width, theme, open_page):
    page = open_page(name, width=width, theme=theme)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (
        "the page scrolls sideways"
    )
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (
        "the page scrolls sideways with its details open"
    )
    if AXE is None:
        pytest.skip("axe-playwright-python is not installed")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    serious = [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
        f" {one['nodes'][0].get('failureSummary', '')[:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert not serious, "\n".join(serious)


def test_every_cell_is_reached_by_arrow_keys_and_is_a_sentence(name, open_page):
    page = open_page(name)
    grids = page.locator("table.matrix:visible")
    for index in range(grids.count()):
        grid = grids.nth(index)
        rows, columns = grid.evaluate(
            "(t) => [t.tBodies[0].rows.length,"
            " t.tBodies[0].rows[0].querySelectorAll('td[data-i]').length]"
        )
        assert grid.locator('td[data-i][tabindex="0"]').count() == 1, "one cell is in the tab order"
        grid.locator('td[data-i][tabindex="0"]').focus()
        page.keyboard.press("Control+Home")
        seen = set()
        for i in range(min(rows, 9)):
            for j in range(min(columns, 9)):
                place, label, number = page.evaluate(
                    """() => { const c = document.activeElement;
                  return [`${c.dataset.i} ${c.dataset.j}`, c.getAttribute("aria-label"), c.tabIndex]; }"""
                )
                assert (
                    number == 0 and label and len(label.split()) >= 3 and "undefined" not in label
                ), f"{place} says {label!r}"
                seen.add(place)
                if j < min(columns, 9) - 1:
                    page.keyboard.press("ArrowRight")
            page.keyboard.press("Home")
            if i < min(rows, 9) - 1:
                page.keyboard.press("ArrowDown")
        assert len(seen) == min(rows, 9) * min(columns, 9)
        page.keyboard.press("Control+End")
        assert page.evaluate(
            "[document.activeElement.dataset.i, document.activeElement.dataset.j]"
        ) == [str(rows - 1), str(columns - 1)]
        assert page.evaluate(
            "parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2"
        ), "the focused cell shows its focus"


# what asks for a layout while a slider is moved: that is what made pages slow
COUNT_LAYOUTS = """() => {
  window.layouts = [];
  let moving = false;
  addEventListener("input", () => (moving = true), true);
  addEventListener("input", () => (moving = false));
  for (const [of, names] of [[Element, "clientWidth clientHeight scrollWidth scrollHeight"], [HTMLElement, "offsetWidth offsetHeight offsetTop"]])
    for (const name of names.split(" ")) {
      const { get } = Object.getOwnPropertyDescriptor(of.prototype, name);
      Object.defineProperty(of.prototype, name, { get() { if (moving) window.layouts.push(`${name} of ${this.className}`); return get.call(this); } });
    }
  const box = Element.prototype.getBoundingClientRect;
  Element.prototype.getBoundingClientRect = function () { if (moving) window.layouts.push(`box of ${this.className}`); return box.call(this); };
}"""


def ranges(page):
    """Every slider that can be used at its turn: what an earlier one has hidden or switched off is
    left out.
    """
    for id_ in page.evaluate(
        "[...document.querySelectorAll('input[type=range]')].map((one) => one.id)"
    ):
        control = page.locator(f"#{id_}")
        if control.is_visible() and control.is_enabled():
            yield control


def test_controls_answer_to_the_pointer(name, open_page):
    page = open_page(name, width=375)
    for control in page.locator("fieldset.segments:visible").all():
        label = control.locator("label:not(:has(input:checked))").last
        if label.count():
            chosen = label.locator("input").input_value()
            label.click()
            assert control.locator("input:checked").input_value() == chosen
    for control in page.locator("label.toggle:visible").all():
        was = control.locator("input").is_checked()
        control.click()
        assert control.locator("input").is_checked() != was
    for control in ranges(page):
        control.scroll_into_view_if_needed()
        box = control.bounding_box()
        before = control.input_value()
        page.mouse.click(box["x"] + box["width"] * 0.93, box["y"] + box["height"] / 2)
        if control.input_value() == before:
            page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] / 2)
        assert control.input_value() != before
    for button in page.locator("button.link:visible").all():
        button.click()
    for button in page.locator("button.step-button:visible:enabled").all():
        if button.is_enabled():
            button.click()
    page.get_by_role("button", name="Start over").click()
    assert page.evaluate("window.attention.hash") == ""


def test_a_tab_has_the_name_of_its_page_before_any_script_runs(name, open_page):
    written = (INTERACTIVE / "pages" / f"{name}.html").read_text(encoding="utf-8")
    title = written.partition("<title>")[2].partition("</title>")[0]
    assert open_page(name).title().endswith(html.unescape(title)), "with its number in front"


def test_controls_answer_to_the_keyboard(name, open_page):
    page = open_page(name)
    page.evaluate(COUNT_LAYOUTS)
    for control in ranges(page):
        before = control.input_value()
        control.focus()
        page.keyboard.press("ArrowRight")
        if control.input_value() == before:
            page.keyboard.press("ArrowLeft")
        assert control.input_value() != before
    assert page.evaluate("window.layouts") == [], "a slider that moves asks for no layout"
    for control in page.locator("fieldset.segments:visible").all():
        checked = control.locator("input:checked")
        if checked.count() and control.locator("input:enabled").count() > 1:
            before = checked.input_value()
            checked.focus()
            page.keyboard.press("ArrowRight")
            assert control.locator("input:checked").input_value() != before
    for control in page.locator("label.toggle input:visible").all():
        was = control.is_checked()
        control.focus()
        page.keyboard.press("Space")
        assert control.is_checked() != was


def test_tab_goes_through_the_page_and_never_traps(name, open_page):
    page = open_page(name)
    stops = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')]
      .filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility()).length"""
    )
    seen = set()
    for _ in range(stops + 5):
        page.keyboard.press("Tab")
        seen.add(
            page.evaluate(
                """() => { const e = document.activeElement;
          if (!e.dataset.seen) e.dataset.seen = String(window.seen = (window.seen ?? 0) + 1); return e.tagName === "BODY" ? "body" : e.dataset.seen; }"""
            )
        )
        if "body" in seen:
            break
    assert "body" in seen, "Tab never left the page"
    assert len(seen) > 5


def test_every_cue_is_understood_and_moves_the_page(name, open_page):
    page = open_page(name)
    for cue in page.evaluate("window.attention.cues"):
        assert page.evaluate("(cue) => window.attention.cue(cue)", cue) == [cue]
    assert page.evaluate("window.attention.cue('step:nonsense nothing:1 cell:none/0/0')") == []
    scenes = [cue for cue in page.evaluate("window.attention.cues") if cue.startswith("scene:")]
    page.evaluate("(cue) => window.postMessage({ cue }, '*')", scenes[-1])
    page.wait_for_function(
        "(id) => { const r = document.getElementById(id).getBoundingClientRect(); return r.top <"
        " innerHeight && r.bottom > 0; }",
        arg=scenes[-1].split(":")[1],
    )
    page.evaluate(
        "for (const odd of [null, 3, 'cue', {}, { cue: 5 }, { state: '#=&&x' }, { theme: 'pink' }])"
        " window.postMessage(odd, '*')"
    )
    page.wait_for_timeout(50)


def test_the_address_restores_a_state(name, open_page):
    page = open_page(name)
    chosen = page.evaluate(
        """() => { const changes = {};
      for (const [key, cue] of window.attention.cues.map((c) => c.split(":"))) changes[key] = decodeURIComponent(cue);
      delete changes.scene; window.attention.set(changes); return { hash: window.attention.hash, state: window.attention.state, address: location.hash }; }"""
    )
    assert chosen["address"] == (f"#{chosen['hash']}" if chosen["hash"] else "")
    again = open_page(name, at=f"#{chosen['hash']}")
    assert again.evaluate("window.attention.state") == chosen["state"]


def test_a_notebook_can_hand_over_its_tensor(name, open_page):
    page = open_page(name)
    page.evaluate(
        """() => window.postMessage({ weights: [[[1, 0], [0.25, 0.75]], [[0.5, 0.5], [0, 1]]], tokens: ["a", "b"] }, "*")"""
    )
    grid = page.locator('#yours table[data-name="yours"]')
    grid.wait_for()
    assert grid.locator("td[data-i]").all_inner_texts() == ["1.00", "0.00", "0.25", "0.75"]
    page.locator("#yours fieldset label").nth(1).click()
    assert grid.locator("td[data-i]").all_inner_texts() == ["0.50", "0.50", "0.00", "1.00"]
    assert grid.locator("td").nth(3).get_attribute("aria-label") is not None
    page.evaluate(
        """() => window.postMessage({ weights: [[1, 0], [0.25, 0.75]], tokens: ["only one"] }, "*")"""
    )
    page.get_by_role("alert").wait_for()


def test_in_a_notebook_s_frame_it_works_without_an_address_and_without_storage(name, open_page):
    text = (INTERACTIVE / "pages" / f"{name}.html").read_text(encoding="utf-8")
    page = open_page(
        "",
        content=(
            '<!DOCTYPE html><iframe sandbox="allow-scripts" style="width:100%;height:760px"'
            f' srcdoc="{html.escape(text)}"></iframe>'
        ),
    )
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Theme: auto").click()
    assert frame.get_by_role("heading", level=1).count() == 0, "the text around has the title"
    shown = frame.locator("table.matrix td[data-i]:visible, table.ledger tr[data-i]:visible")
    tabs = frame.locator("nav.contents a")
    for place in range(tabs.count()):
        tabs.nth(place).click()
        assert frame.locator("section.scene:visible").count() == 1
        assert frame.locator("nav.contents a[aria-current]").all_inner_texts() == [
            tabs.nth(place).inner_text()
        ]
        if shown.count():
            break
    first = shown.first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert first.get_attribute("tabindex") == "-1", "the arrow keys went on"


def test_reduced_motion_stops_all_movement(name, open_page):
    page = open_page(name)
    assert page.evaluate(
        """() => [...document.querySelectorAll("*")].every((e) => getComputedStyle(e).transitionDuration.split(",").every((d) => parseFloat(d) === 0)
      && getComputedStyle(e).animationName === "none")"""
    )
