"""The build of the site, its search, and what it says when something is missing."""

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
from coursesite.site.server import serving

from ..conftest import ROOT, real_chapters


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
    page.get_by_role("button", name="Listen,").click()
    page.wait_for_function("course.players[0].audio.currentTime > 0")


@pytest.mark.slow
def test_the_front_page_begins_with_a_model_that_reads_what_one_types(visit):
    page = visit("index.html")
    frame = page.frame_locator(".playground iframe")
    box = frame.get_by_label("Your text")
    assert box.bounding_box()["y"] + box.bounding_box()["height"] < 900, "on the first screen"
    box.fill("The value of")
    assert frame.locator("svg.stream .piece").last.text_content().endswith("of")
    said = page.locator(".doors + .caption-small").inner_text()
    assert "Type a text" in said and "You will program" in said


@pytest.mark.slow
def test_the_front_page_has_a_picture_and_a_sentence_for_each_part_and_all_chapters(visit):
    page = visit("index.html")
    rows = page.locator("ol.chapters > li a").evaluate_all("(all) => all.map((one) => one.href)")
    assert sorted(row.rsplit("/", 1)[1] for row in rows) == [f"{n}.html" for n in real_chapters()]
    assert page.locator(".part").count() == 4
    for part in page.locator(".part").all():
        part.scroll_into_view_if_needed()
        assert part.locator("img").evaluate("async (one) => (await one.decode(), one.naturalWidth)")
        assert part.locator("p").first.inner_text().startswith("You ")


@pytest.mark.slow
def test_every_interactive_page_is_in_the_list_that_front_page_and_sidebar_link_to(visit):
    page = visit("interactive_pages.html")
    links = page.locator(".cards.pages a").evaluate_all("(all) => all.map((one) => one.href)")
    made = {path.name for path in (interactive_folder(ROOT) / "pages").glob("*.html")}
    assert {link.rsplit("/", 1)[1] for link in links} == made - {"my_attention.html"}
    assert page.locator("nav.bd-links a.current").inner_text() == "Interactive pages"
    assert visit("index.html").locator("article a[href='interactive_pages.html']").count() == 1


@pytest.mark.slow
def test_the_sidebar_has_all_chapters_and_what_one_looks_up_in_view(visit):
    page = visit(f"{real_chapters()[2]}.html")
    links = page.locator("nav.bd-links a:visible")
    said = links.all_inner_texts()
    assert sum("Deeper" in one for one in said) == 1, "the one of this chapter"
    wanted = ("Glossary", "What is wrong here?", "Interactive pages")
    for name in wanted:
        place = page.locator("nav.bd-links a", has_text=name).first.bounding_box()
        assert place["y"] + place["height"] < 900, name


CUT = """() => {
  const formulas = [...document.querySelectorAll("article div.math")];
  const page = document.querySelector(".bd-article");
  page.replaceChildren(...formulas.map((one) => { const place = document.createElement("section"); place.append(one); return place; }));
  return formulas.length; }"""


@pytest.mark.slow
@pytest.mark.parametrize("width, ratio", [(390, 1), (1100, 2), (1280, 1), (1280, 2)])
def test_no_displayed_formula_loses_a_pixel(width, ratio, browser, address):
    context = browser.new_context(
        viewport={"width": width, "height": 900}, device_scale_factor=ratio, color_scheme="light"
    )
    page = context.new_page()
    for name in (real_chapters()[0], real_chapters()[4], real_chapters()[8]):
        page.goto(f"{address}{name}.html")
        page.evaluate("document.fonts.ready")
        assert page.evaluate(CUT) > 2
        article = page.locator(".bd-article")
        as_shown = article.screenshot()
        page.add_style_tag(
            content="div.math { overflow-x: clip !important; overflow-y: visible !important; }"
        )
        assert article.screenshot() == as_shown, f"{name} at {width}"
    context.close()


@pytest.mark.slow
def test_an_address_without_a_page_leads_back(site, visit):
    text = (site / "404.html").read_text(encoding="utf-8")
    home = load_settings(ROOT).site_url
    links = re.findall(r'(?:href|action)="([^"]+)"', text)
    assert len(links) > 3 and all(link.startswith(home) for link in links)
    assert all((site / link.removeprefix(home)).is_file() for link in links)
    page = visit("404.html")
    assert page.locator("h1").inner_text() == "There is no such page"
    assert not list((site / "_static").glob("*-macros.html"))


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
