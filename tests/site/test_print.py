"""On paper: a chapter without what only a screen can use, its answers at the end, figures whole;
and the whole course on one page.
"""

import re
from base64 import b64decode
from collections import Counter
from hashlib import sha256

import nbformat
import pytest
from bs4 import BeautifulSoup

from autograder.course.chapter import solution_path
from autograder.course.errors import SourceError
from coursesite.site.chapters import facts_of_all
from coursesite.site.whole_course import FAMILY, FORMULA, NAME, abilities, whole_course

from ..conftest import ROOT, real_chapters

CHAPTER = "ch02_single_head"
PAGE = re.compile(rb"/Type /Page\n(?P<body>.*?)endobj", re.DOTALL)
DRAWN = re.compile(rb"/XObject <<(?P<names>[^>]*)>>")
PICTURE = re.compile(rb"(\d+) 0 obj\n<</Type /XObject\n/Subtype /Image\n(?P<rest>[^>]*)>>")
MOST_PAGES = {CHAPTER: 40, f"{NAME}": 100}
SHOWN = """() => Object.fromEntries(Object.entries({
  contents: ".bd-sidebar-secondary, .bd-sidebar-primary, #jb-print-docs-body, .prev-next-footer",
  screen: ".playground, .listen, .doors, .copybtn, .headerlink, iframe, audio",
  title: "h1", code: "div.cell_input", picture: "div.cell_output img",
}).map(([name, these]) => [name, [...document.querySelectorAll(these)].filter((one) =>
  one.checkVisibility() && one.getBoundingClientRect().height > 0).length]))"""
ORDER = """() => [...document.querySelectorAll(".bd-article :is(h2, h3, p, details, pre)")].map(
  (one) => [one.tagName, one.className, one.open ?? "", one.textContent.slice(0, 50)].join(" "))"""


def figures(name):
    """The bytes of every figure of a chapter's solution, in order."""
    notebook = nbformat.read(solution_path(ROOT, name), as_version=4)
    return [
        output.data["image/png"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def pictures_by_page(pdf):
    """[ids of the pictures drawn on it] of each page of a PDF that Chromium made."""
    masks = {int(one) for one in re.findall(rb"/SMask (\d+) 0 R", pdf)}
    all_ = {int(one[1]) for one in PICTURE.finditer(pdf)} - masks
    pages = []
    for page in PAGE.finditer(pdf):
        drawn = DRAWN.search(page["body"])
        ids = {int(one) for one in re.findall(rb" (\d+) 0 R", drawn["names"])} if drawn else set()
        pages.append(ids & all_)
    return pages


def test_the_page_holds_every_figure_and_formula_in_order_and_every_list(site):
    page = (site / f"{NAME}.html").read_text(encoding="utf-8")
    wanted = [
        sha256(b64decode(one)).hexdigest() for name in real_chapters() for one in figures(name)
    ]
    assert re.findall(r'src="_images/(\w+)\.png"', page) == wanted and len(wanted) > 80
    assert "loading=" not in page and page.count('alt=""') == 0
    assert page.count("☐") == sum(
        cell.source.count("\n- ", cell.source.index("**After this chapter you can**"))
        for cell in (
            nbformat.read(solution_path(ROOT, name), as_version=4).cells[0]
            for name in real_chapters()
        )
    )
    formulas = sum(
        len(FORMULA.findall(cell.source))
        for name in real_chapters()
        for cell in nbformat.read(solution_path(ROOT, name), as_version=4).cells
        if cell.cell_type == "markdown"
    )
    assert page.count('<div class="math notranslate nohighlight">') == formulas > 40
    assert all(title in page for title in FAMILY.values())


def test_every_figure_of_the_page_has_a_number_a_caption_a_sentence_and_its_code(site):
    page = BeautifulSoup((site / f"{NAME}.html").read_text(encoding="utf-8"), "html.parser")
    numbers = page.select("p.figure-number")
    assert len(numbers) == len(page.select("div.cell_output img")) > 80
    for number in numbers:
        assert re.match(r"Figure \d+\.\d+ · .{8}", number.get_text()), number
        said = number.find_next_sibling()
        assert said.name == "p" and len(said.get_text()) > 15, number
        cell = said.find_next("div", class_="cell")
        code = cell.select_one(".cell_input pre").get_text().strip()
        assert code.count("\n") == 2 and cell.select_one("img"), number


def test_a_chapter_without_its_list_stops_the_build():
    facts = facts_of_all(ROOT)[0]
    solution = nbformat.read(solution_path(ROOT, facts.name), as_version=4)
    assert abilities(facts, solution).startswith("- ☐ ")
    with pytest.raises(SourceError, match="expected one table that begins"):
        whole_course([facts], [solution])
    solution.cells[0].source = "# 1 · No list"
    with pytest.raises(SourceError, match="After this chapter you can"):
        abilities(facts, solution)


@pytest.mark.parametrize("name", [CHAPTER, NAME])
def test_no_figure_is_cut_and_the_pages_are_few(visit, name):
    page = visit(f"{name}.html")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # pictures further down load now
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    made = page.pdf(format="A4", print_background=True)
    pages = pictures_by_page(made)
    assert 10 < len(pages) <= MOST_PAGES[name]
    times = Counter(one for page in pages for one in page)
    chapters = real_chapters() if name == NAME else [name]
    different = {one for chapter in chapters for one in figures(chapter)}
    assert len(times) == len(different), "every figure is printed"
    assert set(times.values()) == {1}, "none on two pages"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_paper_nothing_of_the_screen_stays_and_answers_stand_at_the_end(visit, theme):
    page = visit(f"{CHAPTER}.html", theme=theme)
    before = page.evaluate(ORDER)
    page.emulate_media(media="print", color_scheme=theme)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    shown = page.evaluate(SHOWN)
    assert shown["contents"] == shown["screen"] == 0 and shown["title"] == 1
    assert shown["code"] > 20 and shown["picture"] == len(figures(CHAPTER))
    end = page.locator(".bd-article > .print-answers, .bd-article .print-answers")
    assert end.count() == 1 and end.locator("details.answer[open]").count() == 6
    assert page.locator("details.answer").count() == 6
    titles = end.locator("h3").all_inner_texts()
    assert len(titles) == 6 and titles == sorted(titles) and titles[0].startswith("Exercise 2.1")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    ink = page.evaluate("getComputedStyle(document.querySelector('.bd-article p')).color")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 80, "dark ink in both themes"
    wide = page.evaluate(
        "[...document.querySelectorAll('div.highlight pre')].filter((one) =>"
        " one.scrollWidth > one.clientWidth + 1).length"
    )
    assert wide == 0
    page.emulate_media(media="screen", color_scheme=theme)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(ORDER) == before and len(before) > 100
    assert page.evaluate("document.documentElement.dataset.theme") == theme


LEFT_OF_ITS_LINE = """() => [...document.querySelectorAll("div.cell_input pre > span")].filter((line) => {
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), lefts = [];
  while (walk.nextNode()) {
    const words = document.createRange();
    for (const word of walk.currentNode.data.matchAll(/[^ \\n]+/g)) {
      words.setStart(walk.currentNode, word.index);
      words.setEnd(walk.currentNode, word.index + word[0].length);
      for (const box of words.getClientRects()) lefts.push(box.left);
    }
  }
  return lefts.some((left) => left < lefts[0] - 1);
}).map((line) => line.textContent)"""


def test_on_a_phone_no_line_of_code_is_cut_and_a_button_copies_it(visit):
    page = visit(f"{CHAPTER}.html", width=390)
    cut = page.evaluate(
        "[...document.querySelectorAll('div.cell_input pre')].filter((one) =>"
        " one.scrollWidth > one.clientWidth + 1).length"
    )
    assert cut == 0
    assert page.evaluate(LEFT_OF_ITS_LINE) == [], "what wraps keeps the indentation"
    cells, buttons = (page.locator(f"div.cell_input {one}").count() for one in ("pre", ".copybtn"))
    assert cells == buttons > 20


def test_ctrl_p_prints_once_every_picture_is_there(browser, address):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    held = []  # every picture, on its way until the test lets it come
    let_go = []  # then True

    def on_its_way(route):
        if let_go:
            route.continue_()
        else:
            held.append(route)

    page.route("**/_images/**", on_its_way)
    page.goto(f"{address}{CHAPTER}.html", wait_until="domcontentloaded")
    count = "[...document.images].filter((one) => one.complete && one.naturalWidth).length"
    page.evaluate(f"void (window.print = () => {{ window.printed = {count}; }})")
    page.keyboard.press("Control+p")
    page.wait_for_function("!document.querySelector('article img[loading=lazy]')")
    assert page.evaluate("window.printed") is None  # it waits
    let_go.append(True)
    for route in held:
        route.continue_()
    page.wait_for_function("window.printed")
    assert page.evaluate("window.printed") == page.evaluate("document.images.length")
    page.context.close()


def test_pictures_further_down_load_once_the_page_is_read(browser, address):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.goto(f"{address}{CHAPTER}.html")
    page.wait_for_load_state("networkidle")
    assert page.locator("img[loading=lazy]").count() > 5
    page.mouse.move(300, 300)
    page.mouse.wheel(0, 50)
    page.wait_for_function("!document.querySelector('img[loading=lazy]')")
    page.wait_for_function("[...document.images].every((one) => one.complete)")
    made = page.pdf(format="A4", print_background=True)  # at once, without scrolling further
    printed = {one for on_page in pictures_by_page(made) for one in on_page}
    assert len(printed) == len(set(figures(CHAPTER)))
    page.context.close()
