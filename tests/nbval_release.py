"""A plugin for nbval (``-p tests.nbval_release``): the run of a solution is also the run of its
student notebook with the answers filled in.

What the build adds to the student notebook alone stands in its place among the solution's cells,
and must end without an error; what it prints is not compared.
"""

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

from autograder.course.chapter import solution_path, student_path
from tests.conftest import ROOT


def pytest_configure(config: pytest.Config) -> None:
    """Keep what status() notes out of the profile of whoever runs this."""
    folder = tempfile.TemporaryDirectory(prefix="ipython-")
    os.environ["IPYTHONDIR"] = folder.name
    config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cells: dict[IPyNbFile, dict[str, IPyNbCell]] = {}
    for item in items:
        if isinstance(item, IPyNbCell):
            cells.setdefault(item.parent, {})[item.cell.id] = item
    for file, solved in cells.items():
        if file.path == solution_path(ROOT, file.path.stem):
            first = items.index(next(iter(solved.values())))
            items[first : first + len(solved)] = with_added_cells(file, solved)


def with_added_cells(file: IPyNbFile, solved: dict[str, IPyNbCell]) -> Iterator[IPyNbCell]:
    """The code cells of a student notebook in order: those of the solution as they are, and the
    others as cells that need only run.
    """
    student = nbformat.read(student_path(ROOT, file.path.stem), as_version=4)
    code = [cell for cell in student.cells if cell.cell_type == "code"]
    assert solved.keys() <= {cell.id for cell in code}, f"{file.path}: run make release"
    for number, cell in enumerate(code):
        yield solved.get(cell.id) or IPyNbCell.from_parent(
            file,
            name=f"Cell {cell.id}",
            cell_num=len(solved) + number,
            cell=cell,
            options=defaultdict(bool, check=False),
        )
