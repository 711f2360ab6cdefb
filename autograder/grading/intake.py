"""A file that was handed in, as a list of cells; or one line that says why it is none.

Only text, kind, id and grade_id of a cell are taken, and its tags, for a person to look at; other
metadata and outputs are left behind.
"""

import json

from autograder.course.added_cells import is_untouched
from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION
from autograder.grading.loose import LooseCell

MOST_CELLS = 2_000
LONGEST_CELL = 1 << 20
KINDS = ("code", "markdown", "raw")


def read_notebook(data: bytes) -> tuple[list[LooseCell], list[str]]:
    """(the cells of a notebook as LooseCells, the tags of all of them). Raises SubmissionError."""
    cells = _cells(_parsed(data))
    tags = [tag for cell in cells for tag in _tags(cell)]
    read = map(_cell, cells, range(1, len(cells) + 1))
    return [cell for cell in read if not is_untouched(cell.id, cell.text)], tags


def _parsed(data):
    """The JSON value of a file."""
    if len(data) > LARGEST_SUBMISSION:
        raise SubmissionError(
            f"the file has {len(data) / 2**20:.0f} MB; at most {LARGEST_SUBMISSION >> 20} MB are"
            " read"
        )
    if not data.strip():
        raise SubmissionError("the file is empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SubmissionError(f"the file is not UTF-8 text (byte {error.start})") from error
    try:
        return json.loads(text)
    except RecursionError as error:
        raise SubmissionError("the file is nested too deeply to be a notebook") from error
    except ValueError as error:
        raise SubmissionError(
            f"the file is not a notebook: not valid JSON ({str(error)[:100]})"
        ) from error


def _cells(notebook):
    """The list of cells of a JSON value."""
    if not isinstance(notebook, dict):
        raise SubmissionError("the file is not a notebook: expected a JSON object")
    version = notebook.get("nbformat")
    if version != 4:
        raise SubmissionError(
            f"the file says nbformat {str(version)[:20]}; expected 4. Open and save it with a"
            " current Jupyter"
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not cells:
        raise SubmissionError("the notebook has no cells")
    if len(cells) > MOST_CELLS:
        raise SubmissionError(f"the notebook has {len(cells)} cells; at most {MOST_CELLS} are read")
    return cells


def _cell(cell, number):
    if not isinstance(cell, dict):
        raise SubmissionError(f"cell {number} of the notebook is not a cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise SubmissionError(f"cell {number} of the notebook has no text")
    if len(source) > LONGEST_CELL:
        raise SubmissionError(
            f"cell {number} has {len(source):,} characters; at most {LONGEST_CELL:,} are read"
        )
    kind = cell.get("cell_type")
    metadata = cell.get("metadata")
    graded = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = graded.get("grade_id") if isinstance(graded, dict) else None
    source = source.encode("utf-8", "replace").decode("utf-8")
    return LooseCell(
        kind if kind in KINDS else "raw", source, _text(cell.get("id")), _text(grade_id)
    )


def _tags(cell):
    metadata = cell.get("metadata") if isinstance(cell, dict) else None
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    return [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else []


def _text(value):
    return value[:128] if isinstance(value, str) else ""
