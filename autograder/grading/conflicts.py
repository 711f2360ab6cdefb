"""What stands in a cell of code, is no Python, and was typed by nobody: Markdown's fences around a
pasted answer, and the marks that git leaves around two versions.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from autograder.grading.intake import CONFLICT, LooseCell
from autograder.grading.names import given, parses, same_code

FENCE = re.compile(r"\s*```[\w]*\n(.*?)\n?```\s*", re.DOTALL)  # around the whole of a cell
FENCE_LINE = re.compile(r"^ *(?:```|~~~)\w* *$", re.MULTILINE)


def without_marks(report: list[str]) -> Callable[[LooseCell], LooseCell]:
    """A function that takes out of a code cell what is no Python and that nobody typed: Markdown's
    fences, and git's marks around two versions of which one is a stub or both are the same code.

    Of two versions that differ none is chosen: the cell says so when it is run.
    """

    def mended(cell: LooseCell) -> LooseCell:
        if cell.kind != "code" or parses(cell.text):
            return cell
        name, text = cell.grade_id or cell.id or "(no id)", cell.text
        if parses(bare := FENCE_LINE.sub("", text)) and bare != text:
            report.append(f"cell {name} held Markdown fences; they were left out")
            return replace(cell, text=bare)
        if conflict := CONFLICT.search(f"{text}\n"):
            versions = [CONFLICT.sub(rf"\g<{side}>", f"{text}\n") for side in ("ours", "theirs")]
            whole = [one for one in versions if given(one) and all(given(one).values())]
            begun = whole or versions
            if all(parses(one) and same_code(begun[0], one) for one in begun):
                report.append(f"git left a conflict in cell {name}; what was begun counts")
                return replace(cell, text=begun[0].rstrip("\n"))
            line = text.count("\n", 0, conflict.start()) + 1
            said = (
                f"git left both versions of a conflict in this cell (line {line}): keep one, take"
                " the marks out, and hand the notebook in again"
            )
            report.append(f"cell {name}: {said}")
            original = "".join(f"# {one}" for one in text.splitlines(keepends=True))
            return replace(cell, text=f"raise SyntaxError({said!r})\n{original}")
        return cell

    return mended
