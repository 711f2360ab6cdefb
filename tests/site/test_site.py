"""The build of the site, its search, and what it says when something is missing."""

import json
from dataclasses import replace
from urllib.request import Request, urlopen

import pytest

from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings
from autograder.pages.running_example import running_example
from autograder.site.build import build, write_source
from autograder.site.front import attention_weights
from autograder.site.server import serving

from ..conftest import ROOT


def test_the_picture_on_the_front_page_has_the_weights_of_chapter_1():
    example = running_example(ROOT)
    path = ROOT / "site" / "interactive" / "fixtures" / "ch01_why_attention.json"
    chapter = json.loads(path.read_text(encoding="utf-8"))["cases"][0]
    assert chapter["state"]["text"] == example.sentence
    assert attention_weights(example.vectors) == [
        pytest.approx(row) for row in chapter["values"]["weights"]
    ]


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
def test_search_finds_a_chapter_without_a_server_behind_it(site, visit):
    page = visit("search.html?q=dropout", base=f"{site.as_uri()}/")
    page.wait_for_selector("#search-results li")
    assert page.locator("#search-results a[href*='ch03_masks']").count() >= 1


@pytest.mark.slow
def test_the_site_works_from_a_folder_without_a_server(site, visit):
    page = visit("ch01_why_attention.html", base=f"{site.as_uri()}/")
    page.locator(".listen-play").first.click()
    page.wait_for_function("course.players[0].audio.currentTime > 0")


@pytest.mark.slow
def test_the_words_of_the_front_page_choose_the_query_by_keyboard(visit):
    page = visit("index.html")
    page.locator(".arcs input").nth(1).focus()
    page.keyboard.press("ArrowRight")
    assert (
        page.locator(".arcs svg g.from-2").is_visible()
        and not page.locator(".arcs svg g.from-1").is_visible()
    )


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
