"""Write cues.json: what each page understands, for the narration to choose from. Needs Playwright and a Chromium.

python -m autograder.pages.cues          write cues.json
python -m autograder.pages.cues --check  say whether it is what the pages give
"""

import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "site" / "interactive"
READ = """() => ({
  scenes: [...document.querySelectorAll("section.scene:not(#yours)")].map((scene) => scene.id),
  fields: Object.fromEntries(Object.entries(window.attention.fields).map(([name, field]) => [name,
    field.options ? { options: field.options } : field.min !== undefined ? { from: field.min, to: field.max, step: field.step } : { start: field.write(field.fallback) }])),
  matrices: Object.fromEntries(Object.entries(window.attention.views).filter(([, view]) => view.table.isConnected).map(([name, view]) => [name, [view.rows.length, view.columns.length]])),
})"""


def read(browser):
    """{page: {scenes, fields, matrices}} as the built pages say it."""
    found, page = {}, browser.new_page()
    for path in sorted((HERE / "pages").glob("*.html")):
        page.goto(path.as_uri())
        found[path.stem] = page.evaluate(READ)
    page.close()
    return found


def text_of(found):
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def main():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        text = text_of(read(browser))
        browser.close()
    target = HERE / "cues.json"
    if target.exists() and target.read_text(encoding="utf-8") == text:
        return
    if "--check" in sys.argv[1:]:
        sys.exit("cues.json is not what the pages understand; run: python -m autograder.pages.cues")
    target.write_text(text, encoding="utf-8", newline="\n")
    print("wrote: cues.json")


if __name__ == "__main__":
    main()
