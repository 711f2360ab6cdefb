"""The site built once for all tests of a run, a server for it, and pages that keep what they
complain about.
"""

from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

from autograder.course.settings import load_settings
from coursesite.site.build import build
from coursesite.site.gallery.page import NAME as GALLERY
from coursesite.site.server import serving
from coursesite.site.whole_course import NAME as WHOLE

from ..conftest import ROOT

TYPESET = (
    "!document.querySelector('.math') || [...document.querySelectorAll('.math')].every((one) =>"
    " one.querySelector('.katex-html'))"
)


@pytest.fixture(scope="session")
def site():
    """The folder of the whole course's site, built where its sources are not those of the last run."""
    folder = ROOT / "_build" / "tested"
    folder.parent.mkdir(exist_ok=True)
    with FileLock(f"{folder}.lock"):
        return build(load_settings(ROOT), folder, answers="folded")


@pytest.fixture(scope="session")
def address(site):
    """Where the site is served on this machine."""
    with serving(site) as where:
        yield where


def open_page(browser, address, path, width=1280, theme="light"):
    """(page, complaints): the page with its formulas typeset, and every foreign request, missing
    file and complaint so far.
    """
    complaints = []
    page = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
    ).new_page()
    page.set_default_timeout(120_000)

    def note_request(request):
        if not request.url.startswith((address, "data:", "about:", "blob:")):
            complaints.append(f"a request leaves the site: {request.url}")

    def note_response(response):
        if response.status >= 400:
            complaints.append(f"{response.status}: {response.url}")

    def note_message(message):
        if message.type in ("error", "warning"):
            complaints.append(f"console: {message.text}")

    page.on("request", note_request)
    page.on("response", note_response)
    page.on("console", note_message)
    page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
    page.goto(address + path)
    page.wait_for_function(TYPESET)
    return page, complaints


@pytest.fixture
def visit(browser, address):
    """visit(path, width=…, theme=…): a page of its own, for tests that change it; what it complains
    about fails the test.
    """
    opened = []

    def visit_(path, base=address, **look):
        opened.append(open_page(browser, base, path, **look))
        return opened[-1][0]

    yield visit_
    for page, _ in opened:
        page.context.close()
    assert not (said := [line for _, complaints in opened for line in complaints]), "\n".join(
        dict.fromkeys(said)
    )


def page_names():
    """Every HTML page that the sources of the site make, without building it."""
    pages = [path.stem for path in (ROOT / "site").glob("*.md")] + [WHOLE, GALLERY]
    return sorted(
        f"{name}.html"
        for name in pages + [path.parent.name for path in ROOT.glob("solutions/*/*.ipynb")]
    ) + ["search.html"]


def inside(site, page, link):
    """The file and the fragment that a link on a page of the site means; (None, "") for a link that
    leaves the site.
    """
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None, ""
    path = (site / page).parent / unquote(parts.path) if parts.path else site / page
    return (path / "index.html" if path.is_dir() else path), unquote(parts.fragment)
