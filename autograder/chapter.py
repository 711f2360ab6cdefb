"""Read a chapter's source: its cells, its exercises, and every rule that the source must keep.

A chapter is a jupytext percent script, ``source/chNN_name/chNN_name.py``. Nothing here executes it.
"""

import ast
import hashlib
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import jupytext
import nbformat

from .errors import SourceError

MARKER = re.compile(r"^\s*### (BEGIN|END) (SOLUTION|HIDDEN TESTS)\s*$")
LOOKS_LIKE_MARKER = re.compile(r"\b(BEGIN|END)[ _]+(SOLUTION|HIDDEN[ _]*TESTS?)\b", re.IGNORECASE)
KNOWN_TAGS = {"setup", "show", "uses-exercise", "nbval-ignore-output", "raises-exception"}
TOLERANCE_TAG = re.compile(r"tolerance-\d+(\.\d+)?$")      # how far numbers in the output may lie from the committed ones
CELL_ID = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")


@dataclass(frozen=True)
class Cell:
    """One cell of a chapter's source, before anything is filled in or taken out."""

    id: str
    kind: str                       # "code" or "markdown"
    source: str                     # with markers
    line: int                       # of its first line in the source file, from 1
    tags: tuple[str, ...] = ()
    grade_id: str = ""
    role: str = ""                  # "solution", "check" or ""
    points: float = 0
    carry: tuple[tuple[str, tuple[str, ...]], ...] = ()   # ((chapter, (name, ...)), ...)
    far: tuple[str, ...] = ()       # carried classes that a check builds on the student's side

    @property
    def show_only(self):
        return "show" in self.tags

    @property
    def text(self):
        """The source without marker lines: what a reference run executes."""
        return strip_markers(self.source)

    @property
    def visible(self):
        """The source without hidden tests: what a student sees of a check."""
        return without_region(self.source, "HIDDEN TESTS")


@dataclass(frozen=True)
class Exercise:
    """One solution cell with the check cells that grade it."""

    id: str                         # grade_id of the solution cell, as "ch02_project_qkv"
    title: str                      # "Exercise 2.2 · Three projections"
    section: str                    # heading of the section it stands in
    names: tuple[str, ...]          # what the student defines: functions, classes, variables
    solution: Cell
    checks: tuple[Cell, ...]

    @property
    def points(self):
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Chapter:
    name: str                       # "ch02_single_head"
    path: Path
    cells: tuple[Cell, ...]
    exercises: tuple[Exercise, ...] = field(default=())

    @property
    def points(self):
        return sum(exercise.points for exercise in self.exercises)

    @cached_property
    def title(self):
        """The text of the chapter's first heading, as "2 · Queries, keys, values"."""
        return next(line[2:].strip() for line in self.cells[0].source.splitlines() if line.startswith("# "))

    @cached_property
    def by_grade_id(self):
        return {cell.grade_id: cell for cell in self.cells if cell.grade_id}

    @property
    def code(self):
        return [cell for cell in self.cells if cell.kind == "code"]


def strip_markers(text):
    """Text without the BEGIN/END lines; what stood between them stays."""
    return "\n".join(line for line in text.split("\n") if not MARKER.match(line))


def without_region(text, region):
    """Text without the lines between ``### BEGIN region`` and ``### END region``, markers included."""
    kept, inside = [], False
    for line in text.split("\n"):
        marker = MARKER.match(line)
        if marker and marker[2] == region:
            inside = marker[1] == "BEGIN"
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def region_lines(text):
    """The lines of text that stand inside a solution or hidden-tests region."""
    lines, inside = [], False
    for line in text.split("\n"):
        marker = MARKER.match(line)
        if marker:
            inside = marker[1] == "BEGIN"
        elif inside:
            lines.append(line)
    return lines


def defined_names(source):
    """Names that a cell binds at top level: functions, classes, assigned variables, in order."""
    names = []
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names += [leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)]
    return tuple(dict.fromkeys(names))


def chapter_paths(root):
    """The sources of all chapters below ``root/source``, in order."""
    return sorted(path for path in Path(root, "source").glob("ch*/ch*.py") if path.stem == path.parent.name)


def find_chapter(root, name):
    """Read the chapter that ``name`` means: "ch02", "2" or "ch02_single_head".

    Raises SourceError when no chapter or several fit.
    """
    number = f"ch{int(name):02d}_" if name.isdigit() else name
    paths = chapter_paths(root)
    fits = [path for path in paths if path.stem == name] or [path for path in paths if path.stem.startswith(number)]
    if len(fits) != 1:
        known = ", ".join(path.stem for path in paths) or "none"
        raise SourceError(f"chapter {name!r}: expected one of the chapters in {Path(root, 'source')} ({known}), "
                          f"{len(fits)} fit. Name one of them, as in 'ch02'.")
    return read_chapter(fits[0])


def read_chapter(path):
    """Read and check one chapter source. Raises SourceError with file, line and cell for the first rule broken."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    try:
        notebook = jupytext.reads(text, fmt="py:percent")
    except Exception as error:
        raise SourceError(f"{path}: not a jupytext percent script: {error}") from error
    cells = tuple(_cells(path, notebook, text))
    if not cells or cells[0].kind != "markdown" or not cells[0].source.startswith("# "):
        raise SourceError(f"{path}:1: the first cell must be Markdown and start with the chapter's '# ' heading.")
    return Chapter(path.stem, path, cells, tuple(_exercises(path, cells)))


def notebook_of(chapter):
    """The chapter as an nbformat notebook with stable cell ids: what nbgrader's converters start from."""
    notebook = nbformat.v4.new_notebook(metadata={
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    })
    source = jupytext.read(chapter.path, fmt="py:percent")
    for cell, original in zip(chapter.cells, source.cells):
        made = (nbformat.v4.new_code_cell if cell.kind == "code" else nbformat.v4.new_markdown_cell)(cell.source)
        made.id = cell.id
        made.metadata = nbformat.from_dict({key: value for key, value in original.metadata.items() if key != "lines_to_next_cell"})
        notebook.cells.append(made)
    return notebook


def _cells(path, notebook, text):
    """Yield a Cell for each notebook cell, checking the rules that concern one cell or the order of cells."""
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.startswith("# %%")]
    seen, ids = {}, Counter()
    for index, cell in enumerate(notebook.cells):
        line = starts[index] if index < len(starts) else 1
        made = _cell(path, cell, line, ids)
        if made.grade_id:
            if made.grade_id in seen:
                raise SourceError(f"{path}:{line}: cell {made.grade_id}: the grade_id stands in line {seen[made.grade_id]} "
                                  "already; every grade_id must be unique. Rename one of them.")
            seen[made.grade_id] = line
        yield made


def _cell(path, cell, line, ids):
    grader = cell.metadata.get("nbgrader", {})
    grade_id = grader.get("grade_id", "")
    kind = cell.cell_type
    label = grade_id or repr(cell.source.strip().split("\n")[0][:50])
    where = f"{path}:{line}: cell {label}"
    if kind not in ("code", "markdown"):
        raise SourceError(f"{where}: cells are code or markdown, this one is {kind}.")
    if grader and not grade_id:
        raise SourceError(f"{where}: nbgrader metadata without a grade_id; give it one, as \"ch02_project_qkv\".")
    if grade_id and not CELL_ID.match(grade_id):
        raise SourceError(f"{where}: a grade_id is 1 to 64 letters, digits, '_' or '-', as it becomes the cell's id.")
    role = "check" if grader.get("grade") else "solution" if grader.get("solution") else ""
    if grader.get("grade") and grader.get("solution"):
        raise SourceError(f"{where}: solution and check in one cell; put the check into a cell of its own below.")
    points = grader.get("points", 0)
    if role == "check" and not (isinstance(points, (int, float)) and points > 0):
        raise SourceError(f"{where}: a graded cell needs points, a number above 0; got {grader.get('points')!r}.")
    _check_markers(where, path, line, cell.source, role)
    if kind == "code" and role:
        try:
            ast.parse(strip_markers(cell.source))
        except SyntaxError as error:
            raise SourceError(f"{path}:{line + (error.lineno or 1)}: cell {label}: {error.msg}.") from error
    tags = tuple(cell.metadata.get("tags", ()))
    unknown = sorted(tag for tag in set(tags) - KNOWN_TAGS if not TOLERANCE_TAG.match(tag))
    if unknown:
        raise SourceError(f"{where}: unknown tag {unknown[0]!r}; known are {', '.join(sorted(KNOWN_TAGS))}.")
    if role and "show" in tags:
        raise SourceError(f"{where}: a {role} cell cannot be tagged 'show': grading would skip it.")
    return Cell(grade_id or _stable_id(cell, ids), kind, cell.source, line, tags, grade_id, role, points,
                parse_carry(where, cell.metadata.get("carry", ())), tuple(cell.metadata.get("far", ())))


def _stable_id(cell, ids):
    """An id made of the cell's own text, so that editing one cell leaves all other ids as they were."""
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    ids[digest] += 1
    return f"c{digest}" if ids[digest] == 1 else f"c{digest}-{ids[digest]}"


def parse_carry(where, entries):
    """Carry entries, 'chNN_name: name, name' each, as ((chapter, (name, ...)), ...)."""
    carry = []
    for entry in entries:
        chapter, colon, names = entry.partition(":")
        names = tuple(name.strip() for name in names.split(",") if name.strip())
        if not colon or not names:
            raise SourceError(f"{where}: carry entries read 'chNN_name: name, name'; got {entry!r}.")
        carry.append((chapter.strip(), names))
    return tuple(carry)


def _check_markers(where, path, line, source, role):
    """Markers stand alone on a line, in pairs, not nested, and in the right kind of cell."""
    open_region = None
    for offset, text in enumerate(source.split("\n"), 1):
        marker = MARKER.match(text)
        here = f"{path}:{line + offset}: cell {where.split(': cell ', 1)[1]}"
        if not marker:
            if LOOKS_LIKE_MARKER.search(text):
                raise SourceError(f"{here}: {text.strip()!r} looks like a marker but is none; write exactly "
                                  "'### BEGIN SOLUTION', '### END SOLUTION', '### BEGIN HIDDEN TESTS' or '### END HIDDEN TESTS'.")
            continue
        edge, region = marker.groups()
        if edge == "BEGIN" and open_region:
            raise SourceError(f"{here}: BEGIN {region} inside a {open_region} region; close that one first.")
        if edge == "END" and open_region != region:
            raise SourceError(f"{here}: END {region} without its BEGIN.")
        wanted = "solution" if region == "SOLUTION" else "check"
        if role != wanted:
            raise SourceError(f"{here}: {edge} {region} belongs in a {wanted} cell, this is "
                              f"{'a ' + role if role else 'an ungraded'} cell; fix its nbgrader metadata or move the marker.")
        open_region = region if edge == "BEGIN" else None
    if open_region:
        raise SourceError(f"{where}: BEGIN {open_region} is never closed; add '### END {open_region}'.")
    if role == "solution" and not any(MARKER.match(text) for text in source.split("\n")):
        raise SourceError(f"{where}: a solution cell without '### BEGIN SOLUTION'; nothing would be taken out as the student's part.")


def _exercises(path, cells):
    """Pair every solution cell with its checks; a check without an exercise, or the reverse, is an error."""
    solutions = [cell for cell in cells if cell.role == "solution"]
    owner = {}
    for check in (cell for cell in cells if cell.role == "check"):
        fits = [s for s in solutions if check.grade_id == f"{s.grade_id}_check" or check.grade_id.startswith(f"{s.grade_id}_check_")]
        if not fits:
            raise SourceError(f"{path}:{check.line}: cell {check.grade_id}: a check is named '<solution grade_id>_check' or "
                              "'<solution grade_id>_check_<part>'; no solution cell fits.")
        if cells.index(fits[0]) > cells.index(check):
            raise SourceError(f"{path}:{check.line}: cell {check.grade_id}: the check stands above its solution cell.")
        owner.setdefault(fits[0].grade_id, []).append(check)
    for solution in solutions:
        checks = owner.get(solution.grade_id)
        if not checks:
            raise SourceError(f"{path}:{solution.line}: cell {solution.grade_id}: no check cell '{solution.grade_id}_check' grades it.")
        title, section = _headings(cells[:cells.index(solution)])
        yield Exercise(solution.grade_id, title, section, defined_names(solution.text), solution, tuple(checks))


def _headings(cells):
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


def plain(heading):
    """A heading without Markdown's code marks and LaTeX's dollars and backslashes, for places that render neither."""
    return re.sub(r"[`$\\{}]", "", heading)
