"""How nbgrader's gradebook begins: its tables, and the cells of a chapter as it knows them."""

from pathlib import Path

import nbgrader
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from nbgrader.api import Base
from nbgrader.utils import compute_checksum
from sqlalchemy import create_engine, inspect

from autograder.course.carry import filled
from autograder.course.chapter import notebook_of
from autograder.course.model import Chapter
from autograder.course.regions import stubbed


def create_tables(url: str) -> None:
    """Create nbgrader's tables in an empty database, marked with their version.

    nbgrader would do the same, but starts the program ``alembic`` for it, which takes seconds
    and must be on the PATH.
    """
    engine = create_engine(url)
    try:
        if inspect(engine).get_table_names():
            return
        scripts = ScriptDirectory(str(Path(nbgrader.__file__).with_name("alembic")))
        with engine.begin() as connection:
            Base.metadata.create_all(connection)
            MigrationContext.configure(connection).stamp(scripts, "head")
    finally:
        engine.dispose()


def registered_cells(root: Path, chapter: Chapter) -> list:
    """The chapter's cells that nbgrader knows, as its generate_assignment would save them: stub,
    hidden tests, checksum.
    """
    cells = []
    for made, cell in zip(notebook_of(chapter).cells, chapter.cells, strict=True):
        if cell.grade_id:
            made.source = stubbed(filled(root, cell, chapter.path))
            made.metadata.nbgrader["checksum"] = compute_checksum(made)
            cells.append(made)
    return cells


def without_password(url: str) -> str:
    """A database URL as it may be shown."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if rest else url
