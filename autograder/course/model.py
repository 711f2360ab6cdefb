"""What a chapter is: cells, exercises with their checks, and what can be asked of them."""

import ast
import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder.course.regions import HIDDEN, released_text, strip_markers, without_region

UNDER_TITLE = re.compile(
    r"^\*(?P<minutes>\d+) minutes · (?:(?P<dots>[●○]{5}) · )?"
    r"(?P<work>\d+ exercises?, \d+ points?) · (?P<needs>[^*\n]+)\*$",
    re.MULTILINE,
)


TITLED = "# @title "  # how a cell begins that stands folded: on Colab under this title
# without the version, which differs from machine to machine
LANGUAGE = {
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "python",
}
KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}


@dataclass(frozen=True)
class Cell:
    """One cell of a chapter's source, before anything is filled in or taken out."""

    id: str
    kind: str  # "code" or "markdown"
    source: str  # with markers
    line: int  # of its first line in the source file, from 1
    tags: tuple[str, ...] = ()
    grade_id: str = ""
    role: str = ""  # "solution", "check" or ""
    points: float = 0
    carry: tuple[tuple[str, tuple[str, ...]], ...] = ()  # ((chapter, (name, ...)), ...)
    far: tuple[str, ...] = ()  # carried classes that a check builds on the student's side
    checks: tuple[str, ...] = ()  # functions of source/checks.py that its hidden tests call
    # all of it
    metadata: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def show_only(self) -> bool:
        return "show" in self.tags

    @property
    def is_setup(self) -> bool:
        return "setup" in self.tags

    @property
    def is_filled(self) -> bool:
        """Whether the build puts something into it."""
        return bool(self.carry or self.checks) or self.is_setup

    @cached_property
    def text(self) -> str:
        """The source without marker lines: what a reference run executes."""
        return strip_markers(self.source)

    @property
    def visible(self) -> str:
        """The source without hidden tests: what a student sees of a check."""
        return without_region(self.source, HIDDEN)

    @cached_property
    def released(self) -> str:
        """The source as students get it: stub for the solution, hidden tests gone."""
        return released_text(self.source)


@dataclass(frozen=True)
class Exercise:
    """One solution cell with the check cells that grade it."""

    id: str  # grade_id of the solution cell, as "ch02_project_qkv"
    title: str  # "Exercise 2.2 · Three projections"
    section: str  # heading of the section it stands in
    names: tuple[str, ...]  # what the student defines: functions, classes, variables
    solution: Cell
    checks: tuple[Cell, ...]

    @property
    def number(self) -> str:
        """As "2.2"."""
        return self.title.partition(" · ")[0].removeprefix("Exercise ")

    @property
    def points(self) -> float:
        return sum(check.points for check in self.checks)


@dataclass(frozen=True)
class Chapter:
    """A chapter's source, read."""

    name: str  # "ch02_single_head"
    path: Path
    cells: tuple[Cell, ...]
    exercises: tuple[Exercise, ...] = field(default=())

    @property
    def points(self) -> float:
        return sum(exercise.points for exercise in self.exercises)

    @property
    def checks(self) -> list[Cell]:
        """The check cells of all exercises, in order."""
        return [check for exercise in self.exercises for check in exercise.checks]

    @cached_property
    def title(self) -> str:
        """The text of the chapter's first heading, as "2 · Queries, keys, values"."""
        return next(
            line[2:].strip() for line in self.cells[0].source.splitlines() if line.startswith("# ")
        )

    @cached_property
    def facts(self) -> dict[str, str]:
        """What the line under the title says: {"minutes", "dots", "work", "needs"}; empty where
        there is no such line. The work is counted, whatever stands there.
        """
        found = UNDER_TITLE.search("\n".join(cell.source for cell in self.cells[:3]))
        return {**found.groupdict(default=""), "work": self.work} if found else {}

    @property
    def work(self) -> str:
        """As "4 exercises, 7 points"."""
        count, points = len(self.exercises), f"{self.points:g}"
        return f"{count} exercise{'s' * (count != 1)}, {points} point{'s' * (points != '1')}"

    @cached_property
    def by_grade_id(self) -> dict[str, Cell]:
        return {cell.grade_id: cell for cell in self.cells if cell.grade_id}

    @property
    def code(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.kind == "code"]

    @cached_property
    def definitions(self) -> dict[str, str]:
        """What the code cells define, as ``definitions`` says it. The first one counts."""
        found: dict[str, str] = {}
        for cell in self.code:
            if cell.role != "check":
                with contextlib.suppress(SyntaxError):  # magics: nothing that can be carried
                    found |= definitions(cell.text) | found
        return found


def definitions(source: str) -> dict[str, str]:
    """{name: source text} of the functions, classes and assigned variables that a cell binds at top
    level, in order. The first one counts.

    >>> definitions("def f(x): pass\\na, b = 1, 2")
    {'f': 'def f(x): pass', 'a': 'a, b = 1, 2', 'b': 'a, b = 1, 2'}
    """
    found: dict[str, str] = {}
    lines = source.split("\n")
    for node in ast.parse(source).body:
        names, first = [], node.lineno
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names, first = [node.name], min([first, *(one.lineno for one in node.decorator_list)])
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            leaves = (leaf for target in targets for leaf in ast.walk(target))
            names = [leaf.id for leaf in leaves if isinstance(leaf, ast.Name)]
        for name in names:
            found.setdefault(name, "\n".join(lines[first - 1 : node.end_lineno]))
    return found


def plain(heading: str) -> str:
    """A heading without Markdown's code marks and LaTeX's dollars and backslashes, for places that
    render neither.
    """
    return re.sub(r"[`$\\{}]", "", heading)
