"""What must hold for every page of the site, as a visitor's browser shows it."""

import re
import threading
from urllib.parse import urlsplit

import pytest

from coursesite.site.server import SiteHandler, serving

from ..conftest import ROOT
from ..pages.test_every_page import AXE
from .conftest import inside, open_page, page_names

pytestmark = pytest.mark.slow
NOT_RENDERED = re.compile(r"\$[^$\s][^$]*\$|\\[a-zA-Z]{2,}|\\\(|\{\.[a-z]|\*\*|\]\(|```|:::")


# axe takes a minute where every word of code is an element: after a few blocks all others are of
# the same make
THIN_OUT = """() => { document.querySelectorAll("article pre").forEach((one, place) => { if (place > 8) one.textContent = "…"; });
  document.querySelectorAll("article .katex").forEach((one, place) => { if (place > 8) one.remove(); }); }"""


@pytest.fixture(scope="module", params=page_names())
def visits(request):
    """(name, what was opened so far): each page is opened once for all tests below."""
    made = []
    yield request.param, made
    for page, _ in made:
        page.context.close()


@pytest.fixture
def opened(visits, browser, address):
    """(name, page, complaints); opened again where Chromium lost the page that there was, as it
    does on a machine without memory to spare.
    """
    name, made = visits
    if not made or "crashed" in made[-1][1]:
        page, complaints = open_page(browser, address, name)
        page.on("crash", lambda _: complaints.append("crashed"))
        made.append((page, complaints))
    return name, *made[-1]


def attributes(page, selector, name):
    return page.evaluate(
        "([selector, name]) => [...document.querySelectorAll(selector)].map((one) =>"
        " one.getAttribute(name))",
        [selector, name],
    )


SHIFTED = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300); })"""


DEFERRED = re.compile(rb'<script defer(?:="defer")? src="([^"?]+)')
SHOWN = "performance.getEntriesByName('first-paint').length > 0"
END_OF_TEXT = b"</article>"


class Halting(SiteHandler):
    """Sends a page up to the end of its text, and the rest when ``shown`` is set."""

    shown = threading.Event()

    def copyfile(self, source, outputfile):
        content = source.read()
        text, end, rest = content.partition(END_OF_TEXT)
        outputfile.write(text + end)
        if end:
            outputfile.flush()
            self.shown.wait(120)
            outputfile.write(rest)


@pytest.fixture(scope="module")
def slow_address(site):
    with serving(site, handler=Halting) as where:
        yield where


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", page_names())
def test_nothing_moves_once_it_is_shown(name, width, browser, slow_address, site):
    """The end of the page, letters, pictures, frames, data and scripts that the first paint need not
    wait for come after it, as over a slow line.
    """
    content = (site / name).read_bytes()
    deferred = {path.decode() for path in DEFERRED.findall(content)}
    assert len(deferred) > 5 and END_OF_TEXT in content
    Halting.shown.clear()
    context = browser.new_context(viewport={"width": width, "height": 844}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(120_000)
    held = []

    def hold(route):
        kind, path = route.request.resource_type, urlsplit(route.request.url).path.strip("/")
        needed = kind in ("document", "stylesheet") or (kind == "script" and path not in deferred)
        if Halting.shown.is_set() or (needed and route.request.frame == page.main_frame):
            route.continue_()
        else:
            held.append(route)

    page.route("**/*", hold)
    page.goto(slow_address + name, wait_until="commit")
    page.wait_for_function(SHOWN)
    Halting.shown.set()
    assert {"font", "script"} <= {route.request.resource_type for route in held}
    for route in sorted(held, key=lambda one: one.request.resource_type):  # letters before scripts
        route.continue_()
    page.wait_for_load_state("networkidle")
    moved = page.evaluate(SHIFTED)
    context.close()
    assert moved < 0.02


def test_it_opens_without_a_complaint_and_nothing_leaves_the_site(opened):
    _, page, complaints = opened
    page.mouse.wheel(0, 100_000)
    page.wait_for_load_state("networkidle")
    assert complaints == []


def test_no_link_is_dead(opened, site):
    name, page, _ = opened
    dead = []
    for link in {
        link
        for kind, where in [("a[href]", "href"), ("[src]", "src"), ("link[href]", "href")]
        for link in attributes(page, kind, where)
    }:
        path, fragment = inside(site, name, link)
        if path and not path.is_file():
            dead.append(f"{link}: no such file")
        elif (
            path
            and fragment
            and path.suffix == ".html"
            and f'id="{fragment}"' not in path.read_text(encoding="utf-8")
            and "interactive" not in path.parts
        ):
            dead.append(f"{link}: no such place")
    assert dead == []


def test_every_picture_has_words(opened):
    _, page, _ = opened
    without = page.evaluate(
        "() => [...document.querySelectorAll('img')].filter((one) => !one.alt ||"
        " one.alt.startsWith('_images') || one.alt.length < 20).map((one) => one.outerHTML)"
    )
    assert without == []


def test_headings_go_down_one_step_at_a_time(opened):
    _, page, _ = opened
    levels = page.evaluate(
        "() => [...document.querySelectorAll('article h1, article h2, article h3, article h4,"
        " article h5')].map((one) => Number(one.tagName[1]))"
    )
    steps = [
        (above, below)
        for above, below in zip(levels, levels[1:], strict=False)
        if below > above + 1
    ]
    assert levels[:1] in ([1], []) and steps == []


def test_every_formula_is_typeset_and_needs_no_script(opened):
    _, page, _ = opened
    broken = page.evaluate(
        "() => [...document.querySelectorAll('.math')].filter((one) => !one.querySelector('math')"
        " || one.querySelector('.katex-error') || /\\\\[a-zA-Z]/.test(one.textContent))"
        ".map((one) => one.textContent)"
    )
    assert broken == [], "KaTeX did not set these"
    assert page.evaluate("typeof MathJax === 'undefined' && typeof katex === 'undefined'")
    missing = page.evaluate(
        """() => { const lacking = new Set(), faces = [...document.fonts], letters = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (letters.nextNode()) { const one = letters.currentNode.parentElement;
        if (!one.closest(".katex-html") || !/[!-~\u0370-\u2aff]/.test(letters.currentNode.data)) continue;
        const { fontFamily, fontWeight, fontStyle } = getComputedStyle(one), family = fontFamily.split(",")[0].replaceAll('"', ""), bold = fontWeight === "700";
        if (!faces.some((face) => face.family === family && face.style === fontStyle && (face.weight === "700") === bold && face.status === "loaded")) lacking.add(`${family} ${fontStyle} ${fontWeight}`); }
      return [...lacking]; }"""
    )
    assert missing == [], "letters that formulas are set in (site/_ext/formulas.py)"
    off_centre = page.evaluate(
        "() => [...document.querySelectorAll('div.math')].filter((one) => {"
        " const middle = (box) => box.left + box.width / 2;"
        " const set = one.querySelector('.katex-html').getBoundingClientRect();"
        " const place = one.getBoundingClientRect();"
        " return set.width < place.width && Math.abs(middle(set) - middle(place)) > 2;"
        " }).map((one) => one.textContent.slice(0, 40))"
    )
    assert off_centre == []


def test_it_says_where_a_mistake_is_reported_and_what_is_edited(opened):
    name, page, _ = opened
    if name == "search.html":
        return  # nobody wrote it
    path, lines = page.evaluate(
        "(({ source, lines }) => [source, JSON.parse(lines)])(document.querySelector('nav.mend').dataset)"
    )
    written = (ROOT / path).read_text(encoding="utf-8").splitlines()
    headings = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('article section[id] > :is(h1, h2, h3, h4)')]"
        ".map((one) => [one.parentElement.id, one.firstChild.textContent.trim()]))"
    )
    for place, line in lines.items():
        begins = headings[place].split("·")[0].split("(")[0]
        shown, source = (re.sub(r"[\W_]+", "", text) for text in (begins, written[line - 1]))
        assert shown in source, (path, line, headings[place])
    if path.startswith("source/"):
        assert len(lines) >= 0.95 * len(headings)
    links = attributes(page, "nav.mend a", "href")
    assert any("/issues/new?" in link for link in links)
    assert any(f"/edit/main/{path}" in link for link in links)
    assert any(link.endswith("/discussions") for link in links)


def test_it_has_one_title_of_its_own(opened):
    name, page, _ = opened
    assert page.locator("h1").count() == 1
    words = [word.strip() for word in re.split(r"[—:]", page.title())]
    assert len(set(words)) == len(words) and words[0], page.title()
    if name != "search.html":
        wanted = ["description", "og:description", "og:image", "og:title", "og:url"]
        told = page.evaluate(
            "(names) => names.map((name) => document.querySelector("
            "`meta[name='${name}'], meta[property='${name}']`)?.content ?? '')",
            wanted,
        )
        assert all(told), dict(zip(wanted, told, strict=True))


def test_no_markup_is_left_in_the_text(opened):
    _, page, _ = opened
    texts = page.evaluate(
        """() => { const article = document.querySelector("article") ?? document.body, found = [];
      const walk = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) if (!walk.currentNode.parentElement.closest("pre, code, script, style, .katex")) found.push(walk.currentNode.textContent);
      return found; }"""
    )
    assert [text.strip()[:120] for text in texts if NOT_RENDERED.search(text)] == []


@pytest.mark.parametrize("width, theme", [(375, "dark"), (1280, "light")])
def test_it_fits_and_axe_finds_nothing_serious(opened, width, theme):
    _, page, _ = opened
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
    page.evaluate(
        "document.querySelectorAll('article details').forEach((one) => { one.open = true; })"
    )
    page.wait_for_timeout(400)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, (
        "the page scrolls sideways"
    )
    page.evaluate(THIN_OUT)
    if AXE is None:
        pytest.skip("axe-playwright-python is not installed")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    wrong = serious(page, "{ exclude: [['iframe']] }")
    for place in range(page.locator("dialog").count()):
        dialog = page.locator("dialog").nth(place)
        dialog.evaluate("(one) => one.showModal()")
        if dialog.locator("input[name=q]").count():
            dialog.locator("input[name=q]").fill("mask")
            dialog.locator(".course-results a").first.wait_for()
        paint = dialog.evaluate("(one) => getComputedStyle(one).backgroundColor")
        if not paint.startswith("rgb("):
            wrong.append(f"dialog {dialog.get_attribute('id')}: what is below shows: {paint}")
        wrong += serious(page, "{ include: [['dialog[open]']] }")
        dialog.evaluate("(one) => one.close()")
    assert not wrong, "\n".join(wrong)


def serious(page, where):
    """What axe finds there, as lines."""
    found = page.evaluate(f"axe.run({where}, {{ resultTypes: ['violations'], iframes: false }})")
    return [
        f"{one['id']} ({len(one['nodes'])}): {one['help']}: {one['nodes'][0]['html'][:200]}"
        f" {one['nodes'][0].get('failureSummary', '')[:240]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
