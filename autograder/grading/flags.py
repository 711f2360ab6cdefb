"""Signs of tampering in what was handed in: evidence for a person to look at, never a penalty.

Everything here is read from the file by the trusted side. Honest notebooks may trip over one of
these too.
"""

import re
from collections.abc import Iterable

from autograder.course.model import Chapter
from autograder.grading.loose import LooseCell

TAGS = {"skip-execution", "raises-exception", "remove_cell", "remove-cell"}
SIGNS = {
    "reads /proc": r"/proc\b",
    "ends or replaces the process": r"\bos\._exit\b|\bos\.exec[lv]|\bos\.abort\b|\bos\.kill\b",
    "hooks into cell execution": (
        r"pre_run_cell|pre_execute|post_run_cell|input_transformers|ast_transformers|run_cell\s*="
    ),
    "looks at frames or the garbage collector": (
        r"sys\._getframe|gc\.get_objects|gc\.get_referrers|inspect\.currentframe|settrace|setprofile"
    ),
    "opens a network connection": (
        r"\bsocket\.(socket|create_connection)|urllib\.request|\brequests\.(get|post)|http\.client"
    ),
    "starts other programs": r"\bsubprocess\.|\bos\.(system|popen|fork|spawn)",
    "uses ctypes": r"\bctypes\b",
    "replaces functions of torch, numpy, math or builtins": (
        r"^\s*(?:torch(?!\.backends\b)|F|nn|numpy|np|math|builtins)(?:\.\w+)+\s*=(?!=)|setattr\(\s*(?:torch|F|nn|np|math|builtins)\b"
    ),
    "overrides comparison": r"def __(eq|ne|torch_function|array_ufunc|instancecheck)__",
    "mentions the gradebook or the source of the course": (
        r"gradebook\.db|BEGIN HIDDEN|BEGIN SOLUTION"
    ),
}
PATTERNS = {name: re.compile(pattern, re.MULTILINE) for name, pattern in SIGNS.items()}
MOST = 20


def find_flags(
    chapter: Chapter, cells: Iterable[LooseCell], tags: Iterable[str] = ()
) -> tuple[str, ...]:
    """Sentences with the evidence. cells: what was handed in, as LooseCells; tags: of all cells of
    the file.
    """
    found = [f"a cell carries the tag {tag!r}" for tag in sorted(set(tags) & TAGS)]
    released = {cell.released.strip() for cell in chapter.cells}
    checks = {check.grade_id: check for exercise in chapter.exercises for check in exercise.checks}
    for cell in cells:
        if cell.kind != "code" or cell.text.strip() in released:
            continue
        check = checks.get(cell.grade_id)
        if check and "assert" not in cell.text:
            found.append(
                f"the check {check.grade_id} no longer asserts anything: {_short(cell.text)}"
            )
        for name, pattern in PATTERNS.items():
            match = pattern.search(cell.text)
            if match:
                found.append(f"{name}: {_line(cell.text, match.start())}")
    return tuple(dict.fromkeys(found))[:MOST]


def _line(text, position):
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return _short(text[start : end if end >= 0 else None])


def _short(text):
    text = " ".join(text.split())
    return repr(text if len(text) <= 100 else text[:99] + "…")
