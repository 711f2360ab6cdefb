"""A still picture of each interactive page as it opens, for readers without JavaScript. Needs
Playwright and a Chromium.
"""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageStat

from autograder.course.files import write
from coursesite.pages import interactive_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTH = 720  # of the frame in the text
COLOURS = 32
APART = 1.0  # mean difference of a channel, of 255, above which two pictures show different things


def write_stills(root: Path, browser: "Browser", check: bool = False) -> list[str]:
    """Write the picture of every page that shows something else by now, or with check only compare.
    Returns their names.
    """
    folder, changed = interactive_folder(root), []
    for path in sorted((folder / "pages").glob("*.html")):
        target = folder / "stills" / f"{path.stem}.png"
        taken = still(path, browser)
        if taken and (not target.exists() or differ(taken, target.read_bytes())):
            changed.append(target.name)
            if not check:
                write(target, taken)
    return changed


def still(path: Path, browser: "Browser") -> bytes:
    """A PNG of the first figure of a page, in few colours; b"" where it has none."""
    page = browser.new_page(
        viewport={"width": WIDTH, "height": 900}, reduced_motion="reduce", color_scheme="light"
    )
    page.goto(path.as_uri())
    page.evaluate("document.body.classList.add('framed')")
    page.evaluate("document.fonts.ready")
    figure = page.locator("section.scene.current > .figure")
    png = figure.first.screenshot() if figure.count() else b""
    page.close()
    if not png:
        return b""
    made = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def differ(one: bytes, other: bytes) -> bool:
    """Whether two pictures show different things, and not only edges drawn differently."""
    first, second = (Image.open(io.BytesIO(png)).convert("RGB") for png in (one, other))
    if first.size != second.size:
        return True
    return max(ImageStat.Stat(ImageChops.difference(first, second)).mean) > APART
