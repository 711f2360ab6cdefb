"""The build of the site, its search, and what it says when something is missing."""

import html
import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from bs4 import BeautifulSoup

from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings
from coursesite.pages import interactive_folder
from coursesite.site.build import build, made_from, write_source
from coursesite.site.front import cards
from coursesite.site.server import serving

from ..conftest import ROOT, real_chapters


def links_of_the_cards():
    return [html.unescape(link) for link in re.findall(r'href="interactive/([^"]+)"', cards(ROOT))]


def test_the_cards_of_the_front_page_lead_to_states_that_show_their_numbers(browser):
    """Each number is read again from the page that the card opens."""
    shown = re.findall(r'class="shown">([^<]+)<', cards(ROOT))
    found = []
    for link in links_of_the_cards():
        page = browser.new_page()
        name, _, state = link.partition("#")
        page.goto(f"{(interactive_folder(ROOT) / 'pages' / name).as_uri()}#{state}")
        page.wait_for_function("window.attention")
        found.append(page.evaluate("window.attention.values"))
        page.close()
    who, believe, banks = found
    assert shown[0] == f"{who['before'][who['best']]:.2f} → {who['chances'][who['best']]:.2f}"
    looks = [row.index(max(row)) for row in believe["cross"]]
    assert believe["source"]["words"][-2:] == ["mir", "glauben"] and looks[-2:] == [3, 2]
    assert believe["english"][-2:] == ["believe", "me"]
    assert shown[1] == "mir glauben → believe me"
    assert shown[2] == f"{banks['pair']['before']:.2f} → {banks['pair']['after']:.2f}"
    assert f"come to {banks['pair']['mean']:.2f}:" in cards(ROOT)
    assert abs(banks["pair"]["mean"] - banks["pair"]["after"]) < 0.05  # "hardly the choice"


def test_an_unknown_way_to_treat_answers_is_refused_in_one_line(tmp_path):
    with pytest.raises(
        AutograderError, match="site_answers: expected one of folded, open, none; got 'maybe'"
    ):
        build(load_settings(ROOT), tmp_path / "site", answers="maybe")


def test_a_chapter_that_was_not_released_is_named(course, tmp_path):
    (course / "site").mkdir()
    (course / "docs").mkdir()
    (course / "site" / "index.md").write_text("# A course\n", encoding="utf-8")
    with pytest.raises(AutograderError, match=r"ch01_small\.ipynb is missing.*make release"):
        write_source(load_settings(course), tmp_path / "source")


@pytest.mark.slow
def test_staging_twice_writes_nothing_the_second_time(tmp_path):
    settings = replace(load_settings(ROOT), repository="someone/something")
    write_source(settings, tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    write_source(settings, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.slow
def test_a_page_that_is_gone_from_the_sources_is_gone_from_the_write_source(tmp_path):
    settings = load_settings(ROOT)
    write_source(settings, tmp_path)
    (tmp_path / "left_over.md").write_text("# Old\n", encoding="utf-8")
    write_source(settings, tmp_path)
    assert not (tmp_path / "left_over.md").exists()


@pytest.mark.slow
def test_a_site_whose_sources_are_the_same_is_not_built_again(site, monkeypatch):
    monkeypatch.setattr("coursesite.site.build.write_source", None)  # building would call it
    assert build(load_settings(ROOT), site, answers="folded") == site


def test_whatever_a_site_is_made_from_makes_another_one(course):
    text = course / "site" / "index.md"
    text.parent.mkdir()
    text.write_text("# A course\n", encoding="utf-8")
    settings = load_settings(course)
    before = made_from(settings, "folded")
    assert made_from(settings, "folded") == before != made_from(settings, "none")
    assert made_from(replace(settings, repository="someone/else"), "folded") != before
    text.write_text("# A coursf\n", encoding="utf-8")
    assert made_from(settings, "folded") != before
    text.write_text("# A course\n", encoding="utf-8")
    (course / "source" / "ch01_small" / "ch01_small.ipynb").write_text("{}")  # nbgrader's own
    assert made_from(settings, "folded") == before
    text.rename(text.with_name("start.md"))
    assert made_from(settings, "folded") != before


@pytest.mark.slow
def test_the_site_works_from_a_folder_without_a_server(site, visit):
    page = visit("ch01_why_attention.html", base=f"{site.as_uri()}/")
    page.locator(".listen-play").first.click()
    page.wait_for_function("course.players[0].audio.currentTime > 0")


@pytest.mark.slow
def test_the_front_page_shows_one_head_of_a_published_model_at_a_time(visit):
    page = visit("index.html")
    assert page.locator(".hero iframe").count() == 0, "a picture that is there at once"
    for number, answer in ((0, "Ok"), (3, "Friday")):
        page.locator(".hero label").nth(number).click()
        assert page.locator(".hero svg.arcs:visible").count() == 1
        assert answer in page.locator(".hero figcaption:visible b").inner_text()
    href = page.locator(".hero figcaption:visible a").get_attribute("href")
    page.goto(f"{page.url.rpartition('/')[0]}/{href}")
    page.wait_for_function("window.attention")
    assert page.locator(".head-name").inner_text() == "Layer 23, head 3"


@pytest.mark.slow
def test_the_front_page_is_a_path_of_what_each_chapter_needs_and_gives(visit):
    page = visit("index.html")
    rows = page.locator("ol.chapters > li").all_inner_texts()
    assert len(rows) == len(real_chapters())
    assert all("You need " in row and "You build " in row for row in rows)
    assert "You need chapters 1 and 2" in rows[2] and "Causal mask" in rows[2]
    short = [row.split("Short road ")[1].splitlines()[0] for row in rows if "Short road " in row]
    assert short[0] == "sections 1.1 to 1.4" and short[-1] == "sections 9.1, 9.4, 9.5"
    assert len(short) == 7


@pytest.mark.slow
def test_a_mistake_is_reported_at_the_section_that_is_read_with_the_words_marked(visit):
    page = visit("ch02_single_head.html")
    page.locator("#scores-weights-context > h2").evaluate("(one) => one.scrollIntoView()")
    edit = page.locator("nav.mend .edit").first
    edit.dispatch_event("pointerover")
    line = int(edit.get_attribute("href").rsplit("#L", 1)[1])
    source = (ROOT / "source/ch02_single_head/ch02_single_head.py").read_text(encoding="utf-8")
    assert source.splitlines()[line - 1] == "# ## 2.3 Scores, weights, context"
    page.locator("#who-barks > p").first.evaluate("(one) => getSelection().selectAllChildren(one)")
    edit.dispatch_event("pointerover")
    report = page.locator("nav.mend .mistake").first.get_attribute("href")
    asked = parse_qs(urlsplit(report).query)
    assert asked["title"] == ["2.7 Who barks?"]
    assert ".py#L" in asked["body"][0] and "\n> " in asked["body"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "chapter, wanted",
    [
        ("ch08_decoder", "interactive/my_model.html"),
        ("ch09_training", "interactive/who.html"),
        ("ch02_single_head", "gallery.html#queries-keys-values"),
        ("ch02_single_head", "#questions-2-1"),
    ],
)
def test_a_chapter_leads_to_what_goes_with_it(site, chapter, wanted):
    soup = BeautifulSoup((site / f"{chapter}.html").read_text(encoding="utf-8"), "html.parser")
    assert wanted in [link["href"] for link in soup.select("nav.onwards a")]
    page, _, anchor = wanted.partition("#")
    if anchor:
        text = (site / (page or f"{chapter}.html")).read_text(encoding="utf-8")
        assert f'id="{anchor}"' in text


def test_the_server_gives_the_bytes_that_a_player_asks_for(tmp_path):
    (tmp_path / "sound.mp3").write_bytes(bytes(range(100)))
    with (
        serving(tmp_path) as address,
        urlopen(Request(f"{address}sound.mp3", headers={"Range": "bytes=10-19"})) as answer,
    ):
        assert (answer.status, answer.headers["Content-Range"], answer.read()) == (
            206,
            "bytes 10-19/100",
            bytes(range(10, 20)),
        )


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path):
    with serving(tmp_path) as address:
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with (
            pytest.raises(AutograderError, match=f"port {port}: .*--port"),
            serving(tmp_path, port),
        ):
            pass
