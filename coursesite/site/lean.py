"""A built site without what no page of it uses.

The theme brings rules for every part of Bootstrap and two thousand icons. What is left here are the
rules whose classes occur in a page or in a script.
"""

import re
import shutil
from pathlib import Path

from coursesite.pages.lean import pruned

SHEETS = (
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "basic.css",
    "pygments.css",
    "katex/katex.css",
    "sphinx-design.min.css",
    "mystnb.*.css",
)
UNUSED = (
    "scripts/fontawesome.js*",
    "vendor/fontawesome",
    "scripts/*.map",
    "styles/*.map",
    "searchtools.js",
    "language_data.js",
    "*-stemmer.js",
    "locales",
)
WORD = re.compile(r"[A-Za-z_][\w-]*")
CLASSES = re.compile(r'class="([^"]*)"')


def make_lean(site: Path) -> None:
    """Take away unused files of the theme and unused rules of its style sheets, in place."""
    static = site / "_static"
    for pattern in UNUSED:
        for path in sorted(static.glob(pattern)):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    names = used_names(site)
    for pattern in SHEETS:
        for path in static.glob(pattern):
            text = path.read_text(encoding="utf-8")
            path.write_text(pruned(text, names), encoding="utf-8")


def used_names(site: Path) -> set[str]:
    """Every class of a page, and every word of a script, which may set one."""
    names: set[str] = set()
    for path in site.glob("*.html"):
        for one in CLASSES.findall(path.read_text(encoding="utf-8")):
            names.update(one.split())
    for path in (site / "_static").glob("**/*.js"):
        if path.name not in ("sections.js", "minisearch.js"):
            names.update(WORD.findall(path.read_text(encoding="utf-8")))
    return names
