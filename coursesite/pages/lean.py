"""What a large page goes without: rules of its style sheet that it does not use."""

import re

import tinycss2
from tinycss2.ast import AtRule, Node, QualifiedRule

WORD = re.compile(r"[A-Za-z_][\w-]*")
LINE = re.compile(r"\s*\n\s*")
CLASS = re.compile(r"\.((?:[\w-]|\\.)+)")
NOT = re.compile(r":not\([^()]*\)")  # says which classes are absent: they need not occur
OURS = re.compile(r"\.fa[bsr]?(?![a-z])|\.fa-|--fa|\.sr-only")  # icons are drawn by course.css


def lean_sheet(css: str, script: str) -> str:
    """A page's style sheet without rules for classes of which its script has no word."""
    return LINE.sub(" ", pruned(css, set(WORD.findall(script))))


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
