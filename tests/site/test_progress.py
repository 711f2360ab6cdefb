"""Quick questions and ticks in Chromium: by keyboard, kept, cleared, and plain without JavaScript."""

import pytest

from ..pages.test_every_page import AXE

pytestmark = pytest.mark.slow
PAGE = "ch02_single_head.html"


def test_a_question_is_answered_by_keyboard_and_the_reason_for_this_choice_is_shown(visit):
    page = visit(PAGE)
    question = page.locator(".question").first
    assert question.locator(".because:visible").count() == 0
    assert question.get_by_role("button", name="Answer").is_disabled()
    radios = question.get_by_role("radio")
    radios.first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    assert question.locator(".because:visible").count() == 0  # moving is not answering
    page.keyboard.press("Enter")
    said = question.locator(".because:visible")
    assert said.count() == 1 and radios.nth(1).is_checked()
    right = said.inner_text().startswith("(B) Right.")
    assert question.locator("label.right").count() == right
    assert question.locator("label.wrong").count() == (not right)


def test_each_section_has_three_questions_at_its_end(visit):
    page = visit(PAGE)
    found = page.evaluate(
        """() => [...document.querySelectorAll(".questions")].map((one) => [one.dataset.section,
          one.querySelectorAll("fieldset > legend").length,
          one.closest("section[id]:has(> h2)").querySelector("h2").textContent.split(" ")[0]])"""
    )
    assert [row[0] for row in found] == [row[2] for row in found] == [f"2.{n}" for n in range(1, 8)]
    assert {row[1] for row in found} == {3}


def test_answers_are_kept_until_they_are_given_again(visit):
    page = visit(PAGE)
    section = page.locator(".questions").nth(1)
    section.locator("label").first.click()
    section.get_by_role("button", name="Answer", exact=True).first.click()
    shown = section.locator(".because:visible").inner_text()
    page.reload()
    assert section.locator(".because:visible").inner_text() == shown
    section.get_by_role("button", name="Answer again").click()
    page.reload()
    assert section.locator(".because:visible").count() == 0


def test_right_answers_and_those_to_look_at_again_are_counted_apart(visit):
    page = visit(PAGE)
    questions = page.locator(".questions").first.locator(".question")
    rights = page.evaluate(
        "[...document.querySelectorAll('.question')].map((one) => Number(one.dataset.right))"
    )
    for n, choice in enumerate([rights[0], 1 - min(rights[1], 1), rights[2]]):
        questions.nth(n).locator("label").nth(choice).click()
        questions.nth(n).get_by_role("button", name="Answer", exact=True).click()
    noted = "2 of 21 questions right, 1 to look at again"
    assert noted in page.locator(".chapter-head .noted").inner_text()
    page.goto(page.url.replace(PAGE, "index.html"))
    assert page.locator(".held:visible").inner_text().endswith(noted)


def test_the_notebook_s_link_ticks_exercises_here_and_on_the_front_page(visit):
    page = visit(f"{PAGE}#done=2.1,2.3,9.9")
    page.wait_for_function("location.hash === ''")
    assert page.locator(".ticked:visible").count() == 2
    assert "Ticked from your notebook: 2.1, 2.3." in page.locator(".chapter-head").inner_text()
    page.goto(page.url.replace(PAGE, "index.html"))
    assert page.locator(".held:visible").inner_text().startswith("2 of 6 exercises ticked")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    saved = download.value.path()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".held:visible").count() == 0
    page.locator("input[type=file]").set_input_files(saved)
    page.locator(".held:visible").wait_for()
    page.locator("input[type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": b"not JSON"}
    )
    page.get_by_text("This file holds no progress").wait_for()


def test_without_javascript_the_answers_are_in_a_fold(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + PAGE)
    question = page.locator(".question").first
    assert question.locator("> ul > li").count() >= 2 and question.locator("input").count() == 0
    assert not question.locator(".reasons ul").is_visible()
    question.locator("summary").click()
    assert "Right." in question.locator(".reasons ul").inner_text()
    context.close()


def test_printed_questions_stand_without_answers(visit):
    page = visit(PAGE)
    page.locator(".question label").first.click()
    page.locator(".question button").first.click()
    page.emulate_media(media="print")
    assert page.locator(".question legend:visible").count() == 21
    assert page.locator(".question .because:visible, .questions button:visible").count() == 0


@pytest.mark.parametrize("width, theme", [(375, "dark"), (1280, "light")])
def test_answered_questions_fit_and_axe_finds_nothing(visit, width, theme):
    page = visit(f"{PAGE}#done=2.1", width=width, theme=theme)
    for question in page.locator(".question").all()[:6]:
        question.locator("label").first.click()
        question.locator("button").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if AXE is None:
        pytest.skip("axe-playwright-python is not installed")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run({ include: [['.questions'], ['.ticked'], ['.noted']] },"
        " { resultTypes: ['violations'], preload: false })"
    )["violations"]
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found] == []
