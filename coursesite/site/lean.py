"""A built site without what no page of it uses.

The theme brings rules for every part of Bootstrap and two thousand icons. What is left here are the
rules whose classes occur in a page or in a script.
"""

import re
import shutil
from pathlib import Path

import tinycss2
from tinycss2.ast import AtRule, Node, QualifiedRule

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
    "*-macros.html",
)
WORD = re.compile(r"[A-Za-z_][\w-]*")
CLASSES = re.compile(r'class="([^"]*)"')
CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")
NOT = re.compile(r":not\([^()]*\)")  # says which classes are absent: they need not occur
OURS = re.compile(r"\.fa[bsr]?(?![a-z])|\.fa-|--fa|\.sr-only")  # icons are drawn by course.css


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


def pruned(css: str, names: set[str]) -> str:
    """A style sheet without rules that need a class that is not in ``names``."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=False, skip_whitespace=True)
    return "".join(filter(None, (_kept(rule, names) for rule in rules)))


def _kept(rule: Node, names: set[str]) -> str:
    if isinstance(rule, AtRule) and rule.at_keyword in ("media", "supports") and rule.content:
        inside = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        kept = "".join(filter(None, (_kept(one, names) for one in inside)))
        return f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{kept}}}" if kept else ""
    if isinstance(rule, AtRule) and rule.at_keyword == "font-face":
        text: str = rule.serialize()
        return "" if "fontawesome" in text or "FontAwesome" in text else text
    if not isinstance(rule, QualifiedRule):
        return str(rule.serialize())
    wanted = [one for one in _selectors(rule) if _applies(one, names)]
    if not wanted:
        return ""
    return f"{','.join(wanted)}{{{tinycss2.serialize(rule.content)}}}"


def _applies(selector: str, names: set[str]) -> bool:
    if OURS.search(selector):
        return False
    needed = CLASS.findall(re.sub(r"\[[^\]]*\]", "", NOT.sub("", selector)))
    if ":is(" in selector or ":where(" in selector or ":has(" in selector:
        return not needed or any(name.replace("\\", "") in names for name in needed)
    return all(name.replace("\\", "") in names for name in needed)


def _selectors(rule: QualifiedRule) -> list[str]:
    """The selectors of a rule, cut at commas outside of parentheses."""
    parts: list[list[Node]] = [[]]
    for token in rule.prelude:
        if token.type == "literal" and token.value == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [tinycss2.serialize(part).strip() for part in parts]
