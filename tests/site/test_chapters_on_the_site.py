"""What a chapter's page shows and hides: answers folded or left out, hidden tests never, pictures
with their words, the notebook's own text.
"""

import json
import re
from functools import cache
from itertools import accumulate

import nbformat
import pytest

from autograder.course.chapter import chapter_paths, read_chapter, solution_path, student_path
from autograder.course.regions import region_lines
from coursesite.pages.cells import PAGE_MARK
from coursesite.site.chapters import facts_of_all
from coursesite.site.pages import FOLDED, NONE, NOTEBOOK_TALK, OPEN, page

from ..conftest import ROOT, real_chapters

FACTS = cache(lambda: facts_of_all(ROOT))


@cache
def notebook(name, answers):
    facts = next(one for one in FACTS() if one.name == name)
    solution, student = (
        nbformat.read(path(ROOT, name), as_version=4) for path in (solution_path, student_path)
    )
    return page(facts, FACTS(), solution, student, "https://example.org/colab", answers), solution


def text_of(cells):
    return "\n".join(cell.source for cell in cells)


@cache
def chapter(name):
    return read_chapter(next(path for path in chapter_paths(ROOT) if path.stem == name))


@pytest.mark.parametrize("name", real_chapters())
@pytest.mark.parametrize("answers", [FOLDED, NONE])
def test_no_line_that_only_hidden_tests_hold_is_on_the_page(name, answers):
    made, _ = notebook(name, answers)
    shown = set(map(str.strip, text_of(made.cells).splitlines()))
    hidden = {
        line.strip()
        for exercise in chapter(name).exercises
        for check in exercise.checks
        for line in region_lines(check.source)
        if len(line.strip()) > 30
    }
    elsewhere = {line.strip() for cell in chapter(name).cells for line in cell.visible.splitlines()}
    assert hidden and sorted((hidden - elsewhere) & shown) == []


@pytest.mark.parametrize("name", real_chapters())
def test_left_out_answers_are_nowhere_and_the_stubs_are_there(name):
    made, solution = notebook(name, NONE)
    codes = [cell.source for cell in made.cells if cell.cell_type == "code"]
    solutions = {
        cell.source for cell in solution.cells if cell.metadata.get("nbgrader", {}).get("solution")
    }
    assert not solutions & set(codes)
    assert sum("# YOUR CODE HERE" in code for code in codes) == len(solutions)


@pytest.mark.parametrize("name", real_chapters())
def test_every_answer_stands_in_a_fold_below_its_stub(name):
    made, solution = notebook(name, FOLDED)
    before = {
        cell.source: previous.source
        for previous, cell in zip(made.cells, made.cells[1:], strict=False)
    }
    answers = [
        cell.source for cell in solution.cells if cell.metadata.get("nbgrader", {}).get("solution")
    ]
    assert answers and all(
        before[answer].startswith('<details class="fold answer">') for answer in answers
    )


def test_one_setting_opens_the_answers():
    made, _ = notebook(real_chapters()[0], OPEN)
    assert '<details class="fold answer" open>' in text_of(made.cells)


@pytest.mark.parametrize("name", real_chapters())
def test_no_output_is_lost_but_what_only_a_running_notebook_has_to_say(name):
    made, solution = notebook(name, FOLDED)
    for cell in solution.cells:
        for output in cell.get("outputs", ()):
            if "text" in output:
                output["text"] = NOTEBOOK_TALK.sub("", output["text"])
    outputs = [
        json.dumps(output, sort_keys=True)
        for cell in solution.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.get("text", "-")
    ]
    assert not re.search(r"you typed no|You typed no guess|wanted .* got ", "".join(outputs))
    assert [
        json.dumps(output, sort_keys=True)
        for cell in made.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ] == outputs


@pytest.mark.parametrize("name", real_chapters())
def test_every_fold_is_closed_again(name):
    made, _ = notebook(name, FOLDED)
    folds = [
        cell.source
        for cell in made.cells
        if cell.cell_type == "markdown"
        and re.match(r"</?details", cell.source)
        and not ("<details" in cell.source and "</details>" in cell.source)  # one of the chapter's
    ]
    depths = list(accumulate(-1 if fold.startswith("</") else 1 for fold in folds))
    assert min(depths) == 0 == depths[-1] and max(depths) == 2, "a fold in what sets up"


@pytest.mark.parametrize("name", real_chapters())
def test_what_the_site_says_about_a_chapter_is_all_there(name):
    facts = next(one for one in FACTS() if one.name == name)
    assert (
        facts.minutes
        and facts.needs
        and facts.question
        and facts.difficulty
        and facts.exercises == len(chapter(name).exercises)
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", real_chapters())
def test_each_picture_of_the_notebook_has_its_own_words_in_the_page(name, site):
    from html import unescape

    wanted = [
        output.metadata["image/png"]["alt"]
        for cell in nbformat.read(solution_path(ROOT, name), as_version=4).cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    page_text = (site / f"{name}.html").read_text(encoding="utf-8")
    alts = [unescape(alt) for alt in re.findall(r'<img[^>]*\balt="([^"]*)"', page_text)]
    (still,) = (alt for alt in alts if alt.startswith("A still picture."))
    alts.remove(still)
    assert alts == wanted


FIRST_SCREEN = """() => {
  const shown = [...document.querySelectorAll("article :is(h1, .lead, h2, .listen), article section > :is(p, blockquote):not(.lead)")]
    .filter((one) => one.checkVisibility());
  const first = (kind) => shown.find((one) => one.matches(kind));
  const place = (kind) => first(kind).getBoundingClientRect();
  const words = ":is(p, blockquote):not(.lead)";
  return { order: [first("h1"), first(".lead"), first(words), first("h2")].map((one) => shown.indexOf(one)),
    words: place(words).bottom, section: place("h2").top, height: innerHeight,
    picture: document.querySelector("div.cell_output img").getBoundingClientRect().top,
    folds: [...document.querySelectorAll("details.before")].map((one) => one.offsetHeight),
    player: Math.max(...shown.filter((one) => one.matches(".listen")).map((one) => one.offsetHeight)) };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", real_chapters())
def test_a_chapter_begins_with_its_words_and_the_frame_stands_where_they_need_it(name, visit):
    page = visit(f"{name}.html")
    first = page.evaluate(FIRST_SCREEN)
    assert first["order"] == sorted(first["order"]), "title, question, words, section"
    assert first["words"] < first["height"] and first["section"] < first["height"]
    assert first["player"] <= 50, "one line"
    assert len(first["folds"]) == 1 and first["folds"][0] <= 50, "what sets up is one line"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate(FIRST_SCREEN)["section"] < 844, "on a phone"
    source = next(cell.source for cell in chapter(name).cells if PAGE_MARK in cell.source)
    before, _, after = (
        re.sub(r"[^a-z]", "", part.lower()) for part in source.rpartition(PAGE_MARK)
    )
    above, below = (
        re.sub(r"[^a-z]", "", text.lower())
        for text in page.evaluate(
            "[document.querySelector('#playground').previousElementSibling?.textContent ?? '',"
            " document.querySelector('#playground').nextElementSibling?.textContent ?? '']"
        )
    )
    assert below.startswith(after[:30]) if after else above.endswith(before[-15:])


@pytest.mark.slow
@pytest.mark.parametrize("name", [real_chapters()[0], real_chapters()[-1]])
def test_without_a_script_a_still_picture_stands_in_the_frame_s_place(name, browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}{name}.html")
    still = page.locator(".playground img")
    still.scroll_into_view_if_needed()
    box = still.bounding_box()
    assert box["width"] > 300 and box["height"] > 300 and len(still.get_attribute("alt")) > 20
    assert not page.locator(".playground iframe").is_visible()
    page.locator("details.before > summary").click()
    sounds = page.locator(".listen audio")
    assert sounds.count() and all(one.is_visible() for one in sounds.all())
    context.close()


@pytest.mark.slow
def test_the_keyboard_skips_what_it_does_not_want(visit):
    page = visit(f"{real_chapters()[0]}.html")
    page.keyboard.press("Tab")
    assert "Skip to main" in page.evaluate("document.activeElement.textContent")
    skip = page.locator(".skip")
    skip.focus()
    assert skip.bounding_box()["width"] > 100
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.querySelector('#playground').compareDocumentPosition(document.activeElement) &"
        " Node.DOCUMENT_POSITION_FOLLOWING"
    )
    transcript = page.locator("details.transcript").first
    transcript.evaluate(  # the first one stands in the line that folds what sets a chapter up
        "(one) => { for (let up = one; up; up = up.parentElement.closest('details'))"
        " up.open = true; }"
    )
    sentences = transcript.locator("[data-start]")
    assert transcript.locator("[data-start][tabindex='0']").count() == 1 < sentences.count()
    sentences.first.focus()
    page.keyboard.press("ArrowDown")
    assert sentences.nth(1).evaluate(
        "(one) => one === document.activeElement && one.tabIndex === 0"
    )


@pytest.mark.slow
def test_the_copy_buttons_are_one_stop_and_arrows_go_on(visit):
    page = visit(f"{real_chapters()[8]}.html")
    buttons = page.locator("button.copybtn")
    stop = page.locator("button.copybtn[tabindex='0']")
    assert buttons.count() > 60 and stop.count() == 1
    stop.focus()
    page.keyboard.press("ArrowDown")
    assert stop.count() == 1 and stop.evaluate("(one) => one === document.activeElement")
    page.wait_for_function("getComputedStyle(document.activeElement).opacity === '1'")
    assert stop.get_attribute("data-clipboard-target") != "#codecell0"
    assert stop.bounding_box()["height"] > 10, "not in a closed fold"


@pytest.mark.slow
def test_a_figure_has_its_place_and_opens_in_full(visit):
    page = visit(f"{real_chapters()[0]}.html", width=390)
    figures = page.locator("div.cell_output img")
    assert figures.count() > 5
    for figure in figures.all():
        assert int(figure.get_attribute("width")) > 0 < int(figure.get_attribute("height"))
        link = figure.locator("xpath=..").get_attribute("href")
        assert link == figure.get_attribute("src")


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_frame_s_bar_and_its_tabs_are_whole_where_it_is_narrow(width, visit):
    page = visit(f"{real_chapters()[0]}.html", width=width)
    frame = page.frame_locator("#playground iframe")
    if width == 1280:  # beside the text
        page.evaluate("course.cue('scene:bank', document.querySelector('.listen'))")
        page.locator(".stage.docked").wait_for()
    else:
        page.locator("#playground").scroll_into_view_if_needed()
    bar = page.locator(".stage-bar").bounding_box()
    for part in page.locator(".stage-bar > :is(a, button):visible").all():
        box = part.bounding_box()
        assert bar["x"] <= box["x"] and box["x"] + box["width"] <= bar["x"] + bar["width"]
        assert box["height"] < 40, "one line"
    tabs = [one.bounding_box() for one in frame.locator("nav.contents li").all()]
    assert len(tabs) > 2 and max(one["y"] for one in tabs) < min(one["y"] + 20 for one in tabs)
    assert max(one["x"] + one["width"] for one in tabs) <= bar["x"] + bar["width"]
