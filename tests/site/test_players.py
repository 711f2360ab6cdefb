"""Narration on a page: it plays, its words follow the voice, and its cues move the interactive
page.
"""

import pytest

from coursesite.site.chapters import facts_of_all

from ..conftest import ROOT

pytestmark = pytest.mark.slow
EVERYONE = facts_of_all(ROOT)
WITH_CUE = next(
    (facts, index)
    for facts in EVERYONE
    if facts.interactive
    for index, segment in enumerate(facts.spoken)
    if segment.cue
)
STATE = """() => { const page = document.querySelector(".playground iframe").contentWindow.attention; return page && JSON.stringify([page.hash, page.state]); }"""


def first_chapter(visit):
    """The first chapter with the line unfolded in which its first narration stands."""
    page = visit(f"{EVERYONE[0].name}.html")
    page.locator("details.before > summary").click()
    return page


def test_the_door_to_the_narration_unfolds_it_and_plays(visit):
    page = visit(f"{EVERYONE[0].name}.html")
    assert not page.locator("section.listen").first.is_visible()
    page.get_by_role("button", name="Listen,").click()
    page.wait_for_function("course.players[0].audio.currentTime > 0")
    assert page.locator("section.listen").first.is_visible()


def test_a_click_plays_opens_the_transcript_and_marks_the_sentence_that_is_spoken(visit):
    page = first_chapter(visit)
    first = page.locator("section.listen").first
    first.get_by_role("button", name="Play").first.click()
    page.wait_for_function("document.querySelector('section.listen .now')")
    assert first.locator("details.transcript").get_attribute("open") is not None
    assert first.locator(".now").count() == 1
    first.get_by_role("button", name="Pause").click()
    page.wait_for_function("course.players[0].audio.paused")


def test_a_sentence_that_is_clicked_is_spoken_from_its_beginning(visit):
    page = first_chapter(visit)
    page.evaluate("document.querySelector('section.listen details').open = true")
    third = page.locator("section.listen").first.locator("[data-start]").nth(2)
    third.click()
    page.wait_for_function("course.players[0].audio.currentTime > 0")
    assert (
        page.evaluate("course.players[0].audio.currentTime")
        >= float(third.get_attribute("data-start")) - 0.2
    )
    assert third.get_attribute("class") == "now"


def test_a_sentence_is_a_button_for_the_keyboard_too(visit):
    page = first_chapter(visit)
    page.evaluate("document.querySelector('section.listen details').open = true")
    second = page.locator("section.listen").first.locator("[data-start]").nth(1)
    assert second.get_attribute("role") == "button"
    second.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("!course.players[0].audio.paused")
    assert page.evaluate("course.players[0].audio.currentTime") >= (
        float(second.get_attribute("data-start")) - 0.2
    )


def test_one_key_plays_and_pauses_the_player_used_last(visit):
    page = first_chapter(visit)
    page.locator(".listen-play").nth(1).click()
    page.wait_for_function("!course.players[1].audio.paused")
    page.locator(".listen-play").nth(1).evaluate("(button) => button.blur()")
    page.keyboard.press("k")
    page.wait_for_function("course.players[1].audio.paused")
    page.keyboard.press("k")
    page.wait_for_function("!course.players[1].audio.paused")


def test_the_voice_goes_up_to_twice_its_speed(visit):
    page = first_chapter(visit)
    page.locator(".listen-play").first.click()
    button = page.locator("section.listen").first.get_by_role("button", name="Speed")
    seen = set()
    for _ in range(5):
        seen.add(page.evaluate("course.players[0].audio.playbackRate"))
        button.click()
    assert seen == {0.8, 1, 1.25, 1.5, 2}


def test_one_voice_at_a_time(visit):
    page = first_chapter(visit)
    for number in (0, 1):
        page.locator(".listen-play").nth(number).click()
        page.wait_for_function(
            "(number) => course.players[number].audio.currentTime > 0", arg=number
        )
    assert page.evaluate("course.players.map((player) => player.audio.paused)").count(False) == 1


def test_a_cue_moves_the_interactive_page_and_brings_it_into_view(visit):
    facts, number = WITH_CUE
    page = visit(f"{facts.name}.html")
    page.wait_for_function(f"({STATE})()")
    page.evaluate(
        "window.said = []; addEventListener('message', ({ data }) => { if (data.attention ==="
        " 'cue') said.push(data); })"
    )
    page.evaluate("document.querySelector('details.before').open = true")
    page.locator(".listen-play").nth(number).click()
    page.wait_for_function("said.length")
    assert page.evaluate("said[0].understood").__len__() == len(facts.spoken[number].cue.split())
    assert page.evaluate("course.state().docked || course.state().seen")


@pytest.mark.parametrize(
    "facts", [facts for facts in EVERYONE if facts.interactive], ids=lambda facts: facts.name
)
def test_every_cue_of_the_narration_is_understood_by_the_page(facts, visit):
    page = visit(f"interactive/{facts.name}.html")
    page.wait_for_function("window.attention")
    for segment in facts.spoken:
        if segment.cue:
            assert (
                page.evaluate("(cue) => attention.cue(cue)", segment.cue) == segment.cue.split()
            ), segment.id


def test_the_interactive_page_takes_the_theme_of_the_site(visit):
    page = visit(f"{WITH_CUE[0].name}.html", theme="dark")
    page.wait_for_function(
        "document.querySelector('.playground"
        " iframe').contentDocument?.documentElement.dataset.theme === 'dark'"
    )
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    page.wait_for_function(
        "document.querySelector('.playground iframe').contentDocument.documentElement.dataset.theme"
        " === 'light'"
    )


def test_every_sound_on_a_page_is_there(site):
    for facts in EVERYONE:
        for segment in facts.spoken:
            assert (site / segment.audio).stat().st_size > 10_000
