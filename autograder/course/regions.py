"""Solution and hidden-test regions of a cell: the one place that knows nbgrader's markers and what
students get instead.
"""

import re
from collections.abc import Iterator

STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
SOLUTION, HIDDEN = "SOLUTION", "HIDDEN TESTS"
MARKER = re.compile(r"^\s*### (BEGIN|END) (SOLUTION|HIDDEN TESTS)\s*$")
LOOKS_LIKE_MARKER = re.compile(r"\b(BEGIN|END)[ _]+(SOLUTION|HIDDEN[ _]*TESTS?)\b", re.IGNORECASE)


def regions(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (line, region, edge) for each line of a cell.

    region: "SOLUTION", "HIDDEN TESTS" or "" outside both; edge: "BEGIN" or "END" for a marker
    line, else "".

    >>> list(regions("def f():\\n    ### BEGIN SOLUTION\\n    return 1"))[1:]
    [('    ### BEGIN SOLUTION', 'SOLUTION', 'BEGIN'), ('    return 1', 'SOLUTION', '')]
    """
    inside = ""
    for line in text.split("\n"):
        marker = MARKER.match(line)
        if marker:
            edge, region = marker.groups()
            yield line, region, edge
            inside = region if edge == "BEGIN" else ""
        else:
            yield line, inside, ""


def strip_markers(text: str) -> str:
    """Text without the BEGIN/END lines; what stood between them stays."""
    return "\n".join(line for line, _, edge in regions(text) if not edge)


def without_region(text: str, unwanted: str) -> str:
    """Text without the lines of one kind of region, its markers included."""
    return "\n".join(line for line, region, _ in regions(text) if region != unwanted)


def region_lines(text: str) -> list[str]:
    """The lines of text that stand inside a solution or hidden-tests region."""
    return [line for line, region, edge in regions(text) if region and not edge]


def stubbed(source: str) -> str:
    """A source cell with the stub in place of the solution; hidden tests stay."""
    lines = []
    for line, region, edge in regions(source):
        if region != SOLUTION:
            lines.append(line)
        elif edge == "BEGIN":
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + stub for stub in STUB]
    return "\n".join(lines)


def released_text(source: str) -> str:
    """A source cell as students get it: the stub in place of the solution, hidden tests gone."""
    return without_region(stubbed(source), HIDDEN)
