"""Pull code of an earlier chapter into a later one, so that each notebook stands alone and nothing
is pasted.
"""

import ast
import dataclasses
import pprint
import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from autograder.course.bank import answers_path, wrong_answers
from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from autograder.course.model import TITLED, Cell, Chapter, Exercise, definitions
from autograder.course.regions import HIDDEN, regions

SHARED_CHECKS = "source/checks.py"
SETUP = "source/setup.py"  # how a set-up cell imports the package
IMPORT = "import attention_built as ab\n"
NARROW = 80  # columns
REFERENCE = "reference"  # asked for like a shared check: the solution, to compare cases with


def carried_text(root: Path | str, cell: Cell, where: object) -> str:
    """The code that a cell's carry directive asks for. Raises SourceError for an unknown chapter or
    name.
    """
    parts = []
    for chapter_name, names in cell.carry:
        known = find_chapter(root, chapter_name).definitions
        for name in names:
            if name not in known:
                there = ", ".join(sorted(known))
                raise SourceError(
                    f"{where}:{cell.line}: cell {cell.id}: carry asks for {name!r}, which no cell "
                    f"of {chapter_name} defines at top level. Known there: {there}."
                )
            parts.append(_in_short(known[name]))
    return "\n\n".join(parts)


def _in_short(code: str) -> str:
    """Code with the first paragraph of every docstring: the rest stands where it is taught."""
    lines = code.split("\n")
    for first, last in sorted(_docstrings(code), reverse=True):
        if "" in lines[first:last]:
            end = lines.index("", first)
            lines[end - 1 : last] = [f'{lines[end - 1]}"""']
    return "\n".join(lines)


def _docstrings(code: str) -> Iterator[tuple[int, int]]:
    """The first and the last line of each docstring, counted from 1."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            yield node.body[0].lineno, node.body[0].end_lineno or 0


def filled(root: Path | str, cell: Cell, where: object) -> str:
    """The cell's source with carried code in front, shared checks at the top of its hidden tests,
    and, in a set-up, its title and what installs the package where it is missing. where: the file,
    for messages.

    >>> cell = Cell("a", "code", "softmax(x)", 1, carry=(("ch01_why_attention", ("softmax",)),))
    >>> filled(".", cell, "ch02.py").split("(")[0]
    'def softmax'
    """
    own = with_checks(root, cell, where) if cell.checks else cell.source
    if cell.is_setup and Path(root, SETUP).is_file():
        set_up = Path(root, SETUP).read_text(encoding="utf-8")
        own = f"{TITLED}Set-up\n{own}\n".replace(IMPORT, set_up, 1)
    return "\n\n".join(part for part in (carried_text(root, cell, where), own.strip("\n")) if part)


def with_checks(root: Path | str, cell: Cell, where: object) -> str:
    """The source of a check cell with the functions of source/checks.py that it asks for inside its
    hidden region.

    Raises SourceError for a function that is not there, or a check cell without hidden tests.
    """
    path = Path(root, SHARED_CHECKS)
    known = _shared(path.read_text(encoding="utf-8"))
    if REFERENCE in cell.checks:
        known = known | {REFERENCE: _reference(Path(root), cell, where)}
    begin = [line for line, *place in regions(cell.source) if place == [HIDDEN, "BEGIN"]]
    fault = "" if begin else "checks go into hidden tests, and the cell has none."
    for unknown in [name for name in cell.checks if name not in known][:1]:
        fault = f"checks asks for {unknown!r}; {path.name} defines {', '.join(sorted(known))}."
    if fault:
        raise SourceError(f"{where}:{cell.line}: cell {cell.id}: {fault}")
    inside = "\n".join([begin[0], *(known[name] for name in cell.checks)])
    return cell.source.replace(begin[0], inside, 1)


_shared = lru_cache(maxsize=4)(definitions)  # the functions of source/checks.py


def _reference(root: Path, cell: Cell, where: object) -> str:
    """What gives a check's hidden tests the reference solution of its exercise, the slips of the
    bank that do not cost this check, and the solutions of earlier exercises that these call.
    """
    chapter = find_chapter(root, Path(str(where)).stem)
    exercise = next(one for one in chapter.exercises if cell.grade_id in _ids(one))
    place = _ids(exercise).index(cell.grade_id) + 1
    texts = {"": exercise.solution.text}
    if answers_path(root, chapter.name, exercise.id).is_file():
        slips = wrong_answers(root, chapter.name, exercise.id)
        texts |= {slip.name: slip.text for slip in slips if slip.spares(place)}
    lines = [f"    {name!r}:\n{_indented(text)}," for name, text in texts.items()]
    earlier = _earlier(chapter, exercise, texts.values())
    end = f"}}, earlier=\n{_indented(earlier)})" if earlier else "})"
    return "\n".join([f"{REFERENCE} = ab.Answers(globals(), {{", *lines, end])


def _indented(text: str) -> str:
    return textwrap.indent(pprint.pformat(text, width=NARROW), "    ")


def _earlier(chapter: Chapter, exercise: Exercise, texts: Iterable[str]) -> str:
    """The solutions of earlier exercises whose names stand in these texts, or in one another."""
    said, found = "\n".join(texts), ""
    for other in reversed(chapter.exercises[: chapter.exercises.index(exercise)]):
        if any(re.search(rf"\b{name}\b", said + found) for name in other.names):
            found = f"{other.solution.text}\n\n\n{found}"
    return found


def _ids(exercise: Exercise) -> list[str]:
    return [check.grade_id for check in exercise.checks]


def carried_chapters(chapter: Chapter) -> list[str]:
    """Names of the chapters whose code this one carries."""
    return sorted({name for cell in chapter.cells for name, _ in cell.carry})


def filled_chapter(root: Path | str, name: str) -> Chapter:
    """A chapter with carried code and shared checks filled in, in its cells and its exercises."""
    chapter = find_chapter(root, name)
    cells = {
        cell.id: (
            dataclasses.replace(cell, source=filled(root, cell, chapter.path))
            if cell.is_filled
            else cell
        )
        for cell in chapter.cells
    }
    exercises = tuple(
        dataclasses.replace(
            exercise,
            solution=cells[exercise.solution.id],
            checks=tuple(cells[check.id] for check in exercise.checks),
        )
        for exercise in chapter.exercises
    )
    return dataclasses.replace(chapter, cells=tuple(cells.values()), exercises=exercises)
