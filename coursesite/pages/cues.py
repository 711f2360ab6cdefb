"""cues.json: what each page understands, for the narration to choose from. Needs Playwright and a
Chromium.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.course.files import write
from coursesite.pages import interactive_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

READ = """() => ({
  title: document.title.replace(/ · [^·]*$/, ""),
  scenes: [...document.querySelectorAll("section.scene:not(#yours)")].map((scene) => scene.id),
  words: Object.fromEntries([...document.querySelectorAll("section.scene:not(#yours)")].map(
    (scene) => [scene.id, {
      title: scene.querySelector("h2").textContent.trim(),
      said: scene.querySelector("p").textContent.replace(/\\s+/g, " ").trim(),
    }])),
  fields: Object.fromEntries(Object.entries(window.attention.fields).map(([name, field]) => [name,
    field.options ? { options: field.options }
      : field.min !== undefined ? { from: field.min, to: field.max, step: field.step }
      : { start: field.write(field.fallback) }])),
  matrices: Object.fromEntries(Object.entries(window.attention.views)
    .filter(([, view]) => view.table.isConnected)
    .map(([name, view]) => [name, [view.rows.length, view.columns.length]])),
})"""


def cues_path(root: Path) -> Path:
    """Where the list of cues lies."""
    return interactive_folder(root) / "cues.json"


def cues_text(root: Path, browser: "Browser") -> str:
    """The text of cues.json, {page: {title, scenes, words, fields, matrices}}, as the built pages
    say it.
    """
    found: dict[str, Any] = {}
    page = browser.new_page()
    for path in sorted((interactive_folder(root) / "pages").glob("*.html")):
        page.goto(path.as_uri())
        page.wait_for_function("window.attention")
        found[path.stem] = page.evaluate(READ)
    page.close()
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser that reads the pages."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        yield browser
        browser.close()


def write_cues(root: Path, browser: "Browser", check: bool = False) -> bool:
    """Write cues.json, or with check only compare. Returns whether it is not what the pages
    understand.
    """
    text = cues_text(root, browser)
    path = cues_path(root)
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    if changed and not check:
        write(path, text.encode())
    return changed
