"""The glossary explains every symbol: no letter or sign of a formula is missing from it."""

import re

import pytest

from ..conftest import ROOT, real_chapters

FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
WORDS = re.compile(r"\\(?:mathrm|mathtt|text|textbf|operatorname)\s*\{(?:[^{}]|\{[^{}]*\})*\}")
LAYOUT = set(
    "begin end frac tfrac left right big Big bigl bigr quad qquad dots cdots ldots underbrace"
    " phantom mathop mathrm mathcal lVert rVert lfloor rfloor mid rangle langle le ge approx pm"
    " times cdot top sqrt".split()
)


def symbols(markdown):
    """Letters, Greek letters, signs and matrices with an index ("W_q", "d_k") of all formulas in a
    text.
    """
    found = set()
    for match in FORMULA.finditer(CODE.sub(" ", markdown)):
        formula = re.sub(r"\\(?:begin|end)\{\w+\}", " ", match[1] or match[2])
        formula = re.sub(
            r"d_\{(?:\\mathrm\{)?(\w+)\}?\}",
            lambda named, found=found: found.add(f"d_{named[1]}") or " ",
            formula,
        )
        for _ in range(2):
            formula = WORDS.sub(" ", formula)
        found |= {
            f"{base}_{index}" for base, index in re.findall(r"\b([dW])_([a-z0-9])\b", formula)
        }
        found |= {name for name in re.findall(r"\\([a-zA-Z]+)", formula) if name not in LAYOUT}
        found |= set(
            re.findall(
                r"[A-Za-z]", re.sub(r"\\[a-zA-Z]+", " ", re.sub(r"\b[dW]_[a-z0-9]\b", " ", formula))
            )
        )
    return found


def first_column(markdown):
    return "\n".join(line.split("|")[1] for line in markdown.splitlines() if line.startswith("| "))


@pytest.mark.parametrize("name", real_chapters())
def test_every_symbol_of_a_chapter_is_explained(name):
    source = (ROOT / "source" / name / f"{name}.py").read_text(encoding="utf-8")
    prose = "\n".join(line[2:] if line.startswith("# ") else "" for line in source.splitlines())
    explained = symbols(first_column((ROOT / "site" / "glossary.md").read_text(encoding="utf-8")))
    assert sorted(symbols(prose) - explained) == []
