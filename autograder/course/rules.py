"""The rules that a chapter's source must keep; the first one broken is an error with file, line and
cell.
"""

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.course.errors import SourceError
from autograder.course.model import Cell, Exercise, definitions, plain
from autograder.course.regions import LOOKS_LIKE_MARKER, SOLUTION, regions, strip_markers

KNOWN_TAGS = {"setup", "show", "uses-exercise", "nbval-ignore-output", "raises-exception"}
# how far numbers in the output may lie from the committed ones
TOLERANCE_TAG = re.compile(r"tolerance-\d+(\.\d+)?$")
CELL_ID = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


def read_cells(path: Path, notebook: NotebookNode, text: str) -> Iterator[Cell]:
    """Yield a Cell for each notebook cell, checking the rules that concern one cell or the order of
    cells.
    """
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("# %%")]
    seen: dict[str, int] = {}
    ids: Counter[str] = Counter()
    for index, cell in enumerate(notebook.cells):
        line = starts[index] if index < len(starts) else 1
        made = _cell(path, cell, line, ids)
        if made.grade_id:
            if made.grade_id in seen:
                raise SourceError(
                    f"{path}:{line}: cell {made.grade_id}: the grade_id stands in line "
                    f"{seen[made.grade_id]} already; every grade_id must be unique. Rename one."
                )
            seen[made.grade_id] = line
        yield made


def _cell(path: Path, cell: NotebookNode, line: int, ids: Counter[str]) -> Cell:
    grader = cell.metadata.get("nbgrader", {})
    grade_id = grader.get("grade_id", "")
    label = grade_id or repr(cell.source.strip().split("\n")[0][:50])
    role = "check" if grader.get("grade") else "solution" if grader.get("solution") else ""
    if broken := next(_faults(cell, role), None):
        raise SourceError(f"{path}:{line + broken[0]}: cell {label}: {broken[1]}")
    return Cell(
        grade_id or _stable_id(cell, ids),
        cell.cell_type,
        cell.source,
        line,
        tuple(cell.metadata.get("tags", ())),
        grade_id,
        role,
        grader.get("points", 0),
        parse_carry(f"{path}:{line}: cell {label}", cell.metadata.get("carry", ())),
        tuple(cell.metadata.get("far", ())),
        tuple(cell.metadata.get("checks", ())),
        {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"},
    )


def _faults(cell: NotebookNode, role: str) -> Iterator[tuple[int, str]]:
    """(how many lines below the head of the cell, what is wrong there) for each rule it breaks."""
    grader = cell.metadata.get("nbgrader", {})
    grade_id, points = grader.get("grade_id", ""), grader.get("points", 0)
    if cell.cell_type not in ("code", "markdown"):
        yield 0, f"cells are code or markdown, this one is {cell.cell_type}."
    if grader and not grade_id:
        yield 0, 'nbgrader metadata without a grade_id; give it one, as "ch02_project_qkv".'
    if grade_id and not CELL_ID.match(grade_id):
        yield 0, "a grade_id is 1 to 64 letters, digits, '_' or '-', as it becomes the cell's id."
    if grader.get("task"):
        yield (
            0,
            "a task cell is graded by hand alone, and its points would be in no table; take its "
            "nbgrader metadata out, and give points by hand in formgrader's check cells.",
        )
    if grader.get("grade") and grader.get("solution"):
        yield 0, "solution and check in one cell; put the check into a cell of its own below."
    if role == "check" and not (isinstance(points, (int, float)) and points > 0):
        yield 0, f"a graded cell needs points, a number above 0; got {grader.get('points')!r}."
    yield from _misplaced_markers(cell.source, role)
    if cell.cell_type == "code" and role:
        try:
            ast.parse(strip_markers(cell.source))
        except SyntaxError as error:
            yield error.lineno or 1, f"{error.msg}."
    tags = set(cell.metadata.get("tags", ()))
    for unknown in sorted(tag for tag in tags - KNOWN_TAGS if not TOLERANCE_TAG.match(tag)):
        yield 0, f"unknown tag {unknown!r}; known are {', '.join(sorted(KNOWN_TAGS))}."
    if role and "show" in tags:
        yield 0, f"a {role} cell cannot be tagged 'show': grading would skip it."


def _stable_id(cell: NotebookNode, ids: Counter[str]) -> str:
    """An id made of the cell's own text, so that editing one cell leaves all other ids as they
    were.
    """
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    ids[digest] += 1
    return f"c{digest}" if ids[digest] == 1 else f"c{digest}-{ids[digest]}"


def parse_carry(where: str, entries: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Carry entries, 'chNN_name: name, name' each, as ((chapter, (name, ...)), ...)."""
    carry = []
    for entry in entries:
        chapter, colon, listed = entry.partition(":")
        names = tuple(name.strip() for name in listed.split(",") if name.strip())
        if not colon or not names:
            raise SourceError(
                f"{where}: carry entries read 'chNN_name: name, name'; got {entry!r}."
            )
        carry.append((chapter.strip(), names))
    return tuple(carry)


def _misplaced_markers(source: str, role: str) -> Iterator[tuple[int, str]]:
    """Markers stand alone on a line, in pairs, not nested, and in the right kind of cell."""
    open_region = ""
    for place, (text, region, edge) in enumerate(regions(source), 1):
        if not edge:
            if LOOKS_LIKE_MARKER.search(text):
                yield (
                    place,
                    f"{text.strip()!r} looks like a marker but is none; write exactly "
                    "'### BEGIN SOLUTION', '### END SOLUTION', '### BEGIN HIDDEN TESTS' or '### "
                    "END HIDDEN TESTS'.",
                )
            continue
        if edge == "BEGIN" and open_region:
            yield place, f"BEGIN {region} inside a {open_region} region; close that one first."
        if edge == "END" and open_region != region:
            yield place, f"END {region} without its BEGIN."
        wanted = "solution" if region == SOLUTION else "check"
        if role != wanted:
            this = f"a {role}" if role else "an ungraded"
            mend = "fix its nbgrader metadata or move the marker."
            yield place, f"{edge} {region} belongs in a {wanted} cell, this is {this} cell; {mend}"
        open_region = region if edge == "BEGIN" else ""
    if open_region:
        yield 0, f"BEGIN {open_region} is never closed; add '### END {open_region}'."
    if role == "solution" and not any(edge for _, _, edge in regions(source)):
        without = "a solution cell without '### BEGIN SOLUTION'; nothing would be taken out"
        yield 0, f"{without} as the student's part."


def pair_exercises(path: Path, cells: Sequence[Cell]) -> Iterator[Exercise]:
    """Pair every solution cell with its checks; a check without an exercise, or the reverse, is an
    error.
    """
    solutions = [cell for cell in cells if cell.role == "solution"]
    owner: dict[str, list[Cell]] = {}
    for check in (cell for cell in cells if cell.role == "check"):
        fits = [s for s in solutions if f"{check.grade_id}_".startswith(f"{s.grade_id}_check_")]
        if not fits:
            raise SourceError(
                f"{path}:{check.line}: cell {check.grade_id}: a check is named '<solution "
                "grade_id>_check' or '<solution grade_id>_check_<part>'; no solution cell fits."
            )
        if cells.index(fits[0]) > cells.index(check):
            raise SourceError(
                f"{path}:{check.line}: cell {check.grade_id}: the check stands above its "
                "solution cell."
            )
        owner.setdefault(fits[0].grade_id, []).append(check)
    for solution in solutions:
        checks = owner.get(solution.grade_id)
        if not checks:
            raise SourceError(
                f"{path}:{solution.line}: cell {solution.grade_id}: no check cell "
                f"'{solution.grade_id}_check' grades it."
            )
        headings = _headings(cells[: cells.index(solution)])
        names = _asked_for(solution, checks)
        yield Exercise(solution.grade_id, *headings, names, solution, tuple(checks))


def _asked_for(solution: Cell, checks: Sequence[Cell]) -> tuple[str, ...]:
    """The names that an exercise wants: not what the reference alone defines on its way."""
    known = set(definitions(solution.released))
    for check in checks:
        tree = ast.parse(strip_markers(check.source))
        known |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(name for name in definitions(solution.text) if name in known)


def _headings(cells: Sequence[Cell]) -> tuple[str, str]:
    """The last exercise heading and the last section heading in the Markdown of ``cells``."""
    title = section = ""
    for cell in cells:
        if cell.kind == "markdown":
            for line in cell.source.splitlines():
                if line.startswith("## "):
                    section = line[3:].strip()
                elif line.startswith("### Exercise"):
                    title = " · ".join(line[4:].split(" · ")[:2]).strip()
    return plain(title), plain(section)
