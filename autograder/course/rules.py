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
from autograder.course.model import Cell, Exercise, defined_names, plain
from autograder.course.regions import LOOKS_LIKE_MARKER, SOLUTION, regions, strip_markers

KNOWN_TAGS = {"setup", "show", "uses-exercise", "nbval-ignore-output", "raises-exception"}
TOLERANCE_TAG = re.compile(
    r"tolerance-\d+(\.\d+)?$"
)  # how far numbers in the output may lie from the committed ones
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
                    f"{seen[made.grade_id]} "
                    "already; every grade_id must be unique. Rename one of them."
                )
            seen[made.grade_id] = line
        yield made


def _cell(path: Path, cell: NotebookNode, line: int, ids: Counter[str]) -> Cell:
    grader = cell.metadata.get("nbgrader", {})
    grade_id = grader.get("grade_id", "")
    kind = cell.cell_type
    label = grade_id or repr(cell.source.strip().split("\n")[0][:50])
    where = f"{path}:{line}: cell {label}"
    if kind not in ("code", "markdown"):
        raise SourceError(f"{where}: cells are code or markdown, this one is {kind}.")
    if grader and not grade_id:
        raise SourceError(
            f'{where}: nbgrader metadata without a grade_id; give it one, as "ch02_project_qkv".'
        )
    if grade_id and not CELL_ID.match(grade_id):
        raise SourceError(
            f"{where}: a grade_id is 1 to 64 letters, digits, '_' or '-', as it becomes the "
            "cell's id."
        )
    if grader.get("task"):
        raise SourceError(
            f"{where}: a task cell is graded by hand alone, and its points would be in no table; "
            "take its nbgrader metadata out, and give points by hand in formgrader's check cells."
        )
    role = "check" if grader.get("grade") else "solution" if grader.get("solution") else ""
    if grader.get("grade") and grader.get("solution"):
        raise SourceError(
            f"{where}: solution and check in one cell; put the check into a cell of its own below."
        )
    points = grader.get("points", 0)
    if role == "check" and not (isinstance(points, (int, float)) and points > 0):
        raise SourceError(
            f"{where}: a graded cell needs points, a number above 0; got {grader.get('points')!r}."
        )
    _check_markers(path, line, label, cell.source, role)
    if kind == "code" and role:
        try:
            ast.parse(strip_markers(cell.source))
        except SyntaxError as error:
            raise SourceError(
                f"{path}:{line + (error.lineno or 1)}: cell {label}: {error.msg}."
            ) from error
    tags = tuple(cell.metadata.get("tags", ()))
    unknown = sorted(tag for tag in set(tags) - KNOWN_TAGS if not TOLERANCE_TAG.match(tag))
    if unknown:
        raise SourceError(
            f"{where}: unknown tag {unknown[0]!r}; known are {', '.join(sorted(KNOWN_TAGS))}."
        )
    if role and "show" in tags:
        raise SourceError(f"{where}: a {role} cell cannot be tagged 'show': grading would skip it.")
    return Cell(
        grade_id or _stable_id(cell, ids),
        kind,
        cell.source,
        line,
        tags,
        grade_id,
        role,
        points,
        parse_carry(where, cell.metadata.get("carry", ())),
        tuple(cell.metadata.get("far", ())),
        tuple(cell.metadata.get("checks", ())),
        {key: value for key, value in cell.metadata.items() if key != "lines_to_next_cell"},
    )


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


def _check_markers(path: Path, line: int, label: str, source: str, role: str) -> None:
    """Markers stand alone on a line, in pairs, not nested, and in the right kind of cell."""
    where, open_region = f"{path}:{line}: cell {label}", ""
    for offset, (text, region, edge) in enumerate(regions(source), 1):
        marker = f"{path}:{line + offset}: cell {label}"
        if not edge:
            if LOOKS_LIKE_MARKER.search(text):
                raise SourceError(
                    f"{marker}: {text.strip()!r} looks like a marker but is none; write exactly "
                    "'### BEGIN SOLUTION', '### END SOLUTION', '### BEGIN HIDDEN TESTS' or '### "
                    "END HIDDEN TESTS'."
                )
            continue
        if edge == "BEGIN" and open_region:
            raise SourceError(
                f"{marker}: BEGIN {region} inside a {open_region} region; close that one first."
            )
        if edge == "END" and open_region != region:
            raise SourceError(f"{marker}: END {region} without its BEGIN.")
        wanted = "solution" if region == SOLUTION else "check"
        if role != wanted:
            raise SourceError(
                f"{marker}: {edge} {region} belongs in a {wanted} cell, this is "
                f"{'a ' + role if role else 'an ungraded'} cell; fix its nbgrader metadata or "
                "move the marker."
            )
        open_region = region if edge == "BEGIN" else ""
    if open_region:
        raise SourceError(
            f"{where}: BEGIN {open_region} is never closed; add '### END {open_region}'."
        )
    if role == "solution" and not any(edge for _, _, edge in regions(source)):
        raise SourceError(
            f"{where}: a solution cell without '### BEGIN SOLUTION'; nothing would be taken out "
            "as the student's part."
        )


def pair_exercises(path: Path, cells: Sequence[Cell]) -> Iterator[Exercise]:
    """Pair every solution cell with its checks; a check without an exercise, or the reverse, is an
    error.
    """
    solutions = [cell for cell in cells if cell.role == "solution"]
    owner: dict[str, list[Cell]] = {}
    for check in (cell for cell in cells if cell.role == "check"):
        fits = [
            s
            for s in solutions
            if check.grade_id == f"{s.grade_id}_check"
            or check.grade_id.startswith(f"{s.grade_id}_check_")
        ]
        if not fits:
            raise SourceError(
                f"{path}:{check.line}: cell {check.grade_id}: a check is named '<solution "
                "grade_id>_check' or "
                "'<solution grade_id>_check_<part>'; no solution cell fits."
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
        title, section = _headings(cells[: cells.index(solution)])
        names = _asked_for(solution, checks)
        yield Exercise(solution.grade_id, title, section, names, solution, tuple(checks))


def _asked_for(solution: Cell, checks: Sequence[Cell]) -> tuple[str, ...]:
    """The names that an exercise wants: not what the reference alone defines on its way."""
    known = set(defined_names(solution.released))
    for check in checks:
        tree = ast.parse(strip_markers(check.source))
        known |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(name for name in defined_names(solution.text) if name in known)


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
