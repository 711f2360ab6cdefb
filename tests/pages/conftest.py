"""The interactive pages, and a page that fails its test on any request or complaint."""

import pytest

from coursesite.pages import interactive_folder

from ..conftest import EVERYTHING, ROOT

INTERACTIVE = interactive_folder(ROOT)
LOOKS = [(375, "dark"), (1280, "light"), *[(375, "light"), (1280, "dark")][: 2 * EVERYTHING]]
PAGES = sorted(path.stem for path in (INTERACTIVE / "pages").glob("*.html"))


@pytest.fixture
def open_page(browser):
    """open_page(name, width=…, theme=…, at="#…"): a page whose requests, console errors and
    exceptions fail the test.
    """
    contexts, complaints = [], []

    def note_request(request):
        if not request.url.startswith(("file:", "data:", "about:", "blob:")):
            complaints.append(f"request: {request.url}")

    def note_message(message):
        if message.type in ("error", "warning"):
            complaints.append(f"console: {message.text}")

    def watch(page):
        page.on("request", note_request)
        page.on("console", note_message)
        page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
        return page

    def open_(name, width=1280, theme="light", at="", content=None):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, reduced_motion="reduce"
        )
        contexts.append(context)
        page = watch(context.new_page())
        if content is None:
            page.goto(f"{(INTERACTIVE / 'pages' / name).as_uri()}.html{at}")
            page.wait_for_function("window.attention")
        else:
            page.set_content(content)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)
