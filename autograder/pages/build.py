"""Build the interactive pages: one self-contained HTML file per chapter, from the engine and one script each.

    python -m autograder.pages.build             write pages/*.html
    python -m autograder.pages.build --check     say which pages are not what the sources give, write nothing

A page's script is an ES module; the modules it imports are put in front of it, in one function, without their import
and export words. So top-level names must be unique over the modules of a page: a clash stops the build.
"""

import base64
import json
import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "site" / "interactive"
IMPORT = re.compile(
    r'^import \{(?P<names>[^}]*)\} from "(?P<path>\./|\.\./engine/)(?P<file>\w+)\.js";\n',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?=(?:async )?function|class|const|let)", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)  # a fifth of a page; no string here depends on it
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
FONTS = [
    ("Newsreader", "400 600", "normal", "newsreader"),
    ("Newsreader", "400", "italic", "newsreader-italic"),
    ("Inter", "400 650", "normal", "inter"),
]
LIMIT = 400_000

TEMPLATE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{description}">
<link rel="icon" href="data:,">
<title>{title} · Attention, built</title>
<style>
{css}</style>
</head>
<body>
<noscript>This page computes everything it shows, so it needs JavaScript.</noscript>
<script>
(() => {{
"use strict";
{script}}})();
</script>
</body>
</html>
"""


class BuildError(Exception):
    """A source breaks a rule; the message says which file and what to do."""


def modules_of(path, seen=None):
    """The module at path after everything it imports: [(path, text without import lines)], each once."""
    seen = {} if seen is None else seen
    if path in seen:
        return seen
    seen[path] = None  # keeps a circle from going round for ever
    text = path.read_text(encoding="utf-8")
    order = {}
    for found in IMPORT.finditer(text):
        target = HERE / "engine" / f"{found['file']}.js"
        if not target.exists():
            raise BuildError(f"{path.name}: imports {found['file']}.js, which is not in engine/.")
        known = set(DEFINED.findall(target.read_text(encoding="utf-8")))
        missing = [
            name.strip()
            for name in found["names"].split(",")
            if name.strip() and name.strip() not in known
        ]
        if missing:
            raise BuildError(f"{path.name}: {target.name} defines no {missing[0]!r}.")
        order.update(modules_of(target, seen))
    rest = IMPORT.sub("", text)
    if re.search(r"^import ", rest, re.MULTILINE):
        raise BuildError(
            f"{path.name}: an import must stand on one line, as 'import {{ a, b }} from \"./file.js\";'."
        )
    del seen[path]  # after its imports
    seen[path] = EXPORT.sub("", rest).strip("\n")
    return seen


def script_of(path):
    """The whole script of a page, with its data (data/<page>.json, if any) in front."""
    modules = modules_of(path)
    owner = {}
    for module, text in modules.items():
        for name in DEFINED.findall(text):
            if name in owner:
                raise BuildError(
                    f"{module.name}: {name!r} is defined in {owner[name]} too; rename one."
                )
            owner[name] = module.name
    parts = [f"// {module.name}\n{INDENT.sub('', text)}\n" for module, text in modules.items()]
    data = HERE / "data" / f"{path.stem}.json"
    if data.exists():
        compact = json.dumps(
            json.loads(data.read_text(encoding="utf-8")), separators=(",", ":"), ensure_ascii=False
        )
        parts.insert(0, f"const PAGE_DATA = {compact};\n")
    return "\n".join(parts).replace("</script", "<\\/script")


def css(fonts=True):
    faces = [
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; font-style: {style}; font-display: swap; '
        f'src: url("data:font/woff2;base64,{base64.b64encode((HERE / "engine/fonts" / f"{name}.woff2").read_bytes()).decode()}") format("woff2"); }}'
        for family, weight, style, name in FONTS
        if fonts
    ]
    sheets = [(HERE / "engine" / "page.css").read_text(encoding="utf-8")]
    return "\n".join([*faces, *sheets])


def page_of(path):
    """The HTML of the page whose script is at path."""
    script = script_of(path)
    own = path.read_text(encoding="utf-8")
    title = re.search(r'^  title: "([^"]+)"', own, re.MULTILINE)
    deck = re.search(r'^  deck: "([^"]+)"', own, re.MULTILINE)
    if not title or not deck:
        raise BuildError(
            f'{path.name}: page({{…}}) needs a line  title: "…"  and a line  deck: "…".'
        )
    small = "\n  viewer: true," in own  # travels inside notebooks: the reader's own fonts will do
    html = TEMPLATE.format(
        title=title[1],
        description=deck[1].replace('"', "&quot;"),
        css=css(fonts=not small),
        script=script,
    )
    if len(html.encode()) > LIMIT:
        raise BuildError(
            f"{path.name}: the page has {len(html.encode()):,} bytes, more than {LIMIT:,}."
        )
    return html


def build(check=False):
    """Write every page, or with check=True only compare. Returns the names of the pages that changed."""
    changed = []
    for path in sorted((HERE / "chapters").glob("*.js")):
        target = HERE / "pages" / f"{path.stem}.html"
        html = page_of(path)
        if target.exists() and target.read_text(encoding="utf-8") == html:
            continue
        changed.append(target.name)
        if not check:
            target.parent.mkdir(exist_ok=True)
            partial = target.with_suffix(".partial")
            partial.write_text(html, encoding="utf-8", newline="\n")
            os.replace(partial, target)
    return changed


def main():
    check = "--check" in sys.argv[1:]
    try:
        changed = build(check)
    except BuildError as error:
        sys.exit(f"site/interactive: {error}")
    for name in changed:
        print(f"{'stale' if check else 'wrote'}: {name}")
    if check and changed:
        sys.exit("Pages are not what their sources give; run: python -m autograder.pages.build")


if __name__ == "__main__":
    main()
