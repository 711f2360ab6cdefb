"""A still picture of each interactive page as it opens, for readers without JavaScript. Needs
Playwright and a Chromium.

Letters and line breaks are the machine's own, so two machines draw one page differently. Each PNG
therefore carries what it shows in words, numbers and colours; that alone says whether it is stale.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from autograder.course.files import write
from coursesite.pages import interactive_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTH = 720  # of the frame in the text
COLOURS = 128
SHOWN = "Shown"  # the text of the PNG that says what it shows
# a line for each visible element: its own words, its state, and what its colours and sizes say
READ = """(figure) => [figure, ...figure.querySelectorAll("*")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const look = getComputedStyle(one);
    const words = [...one.childNodes].filter((part) => part.nodeType === Node.TEXT_NODE);
    const said = ["aria-label", "stroke-width"].map((name) => one.getAttribute(name));
    const drawn = ["background-color", "color", "fill", "stroke", "--w", "--at"];
    return [
      one.localName, one.value, one.checked, ...said,
      ...drawn.map((name) => look.getPropertyValue(name)),
      words.map((part) => part.textContent).join(" "),
    ].map((part) => String(part ?? "").trim()).filter(Boolean).join(" ");
  }).join("\\n")"""


def write_stills(root: Path, browser: "Browser", check: bool = False) -> list[str]:
    """Write the picture of every page that shows something else by now, or with check only compare.
    Returns their names.
    """
    folder, changed = interactive_folder(root), []
    for path in sorted((folder / "pages").glob("*.html")):
        target = folder / "stills" / f"{path.stem}.png"
        taken = still(path, browser)
        if taken and (not target.exists() or shown(taken) != shown(target.read_bytes())):
            changed.append(target.name)
            if not check:
                write(target, taken)
    return changed


def still(path: Path, browser: "Browser") -> bytes:
    """A PNG of the first figure of a page, in few colours, with what it shows; b"" where the page
    has no figure.
    """
    page = browser.new_page(
        viewport={"width": WIDTH, "height": 900}, reduced_motion="reduce", color_scheme="light"
    )
    page.goto(path.as_uri())
    page.evaluate("document.body.classList.add('framed')")
    page.add_style_tag(content="nav.contents { display: none; }")  # it would lie over the figure
    page.evaluate("document.fonts.ready")
    figure = page.locator("section.scene.current > .figure")
    png, says = (
        (figure.first.screenshot(), figure.first.evaluate(READ)) if figure.count() else (b"", "")
    )
    page.close()
    if not png:
        return b""
    made, about = io.BytesIO(), PngInfo()
    about.add_itxt(SHOWN, says, zip=True)
    few = Image.Quantize.MAXCOVERAGE  # keeps the colours of thin lines, unlike the median cut
    picture = (
        Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, few, dither=Image.Dither.NONE)
    )
    picture.save(made, "PNG", optimize=True, pnginfo=about)
    return made.getvalue()


def shown(png: bytes) -> str:
    """What a still picture shows, as it says itself; "" where it says nothing."""
    picture = Image.open(io.BytesIO(png))
    picture.load()
    return str(picture.info.get(SHOWN, ""))
