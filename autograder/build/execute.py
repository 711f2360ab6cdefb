"""Execute a solution notebook in a fresh kernel and keep only outputs that are the same on every
run, figures as small as they may be.
"""

import base64
import io
import os
import re
from collections.abc import Callable

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image

from autograder.course.environment import kernel_environment
from autograder.course.errors import SolutionError
from autograder.course.kernel import kernel
from autograder.course.model import LANGUAGE

CELL_TIMEOUT = 300  # seconds; a whole chapter is to stay below 60
COVERS = Image.Quantize.MAXCOVERAGE
LARGEST_PICTURE = 25 << 10  # bytes that a figure is to have at most
COLOURS = (128, 64, 48)  # of a figure: as many as it may have without being larger
ADDRESS = re.compile(r" at 0x[0-9a-f]{6,}")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def execute(
    notebook: NotebookNode,
    where: str,
    on_cell: Callable[[int, int], None] = lambda done, total: None,
) -> NotebookNode:
    """Run every cell of ``notebook`` in place.

    where: how messages name the chapter; on_cell: called with (cells done, cells in all). Raises
    SolutionError with the cell when one raises, writes to stderr or takes longer than
    CELL_TIMEOUT.
    """
    wanted = kernel_environment()
    before = {key: os.environ.get(key) for key in wanted}
    os.environ.update(wanted)
    try:
        with kernel(notebook, timeout=CELL_TIMEOUT, allow_errors=False) as client:
            for index, cell in enumerate(notebook.cells):
                _run(client, cell, index, where)
                on_cell(index + 1, len(notebook.cells))
    finally:
        for key, value in before.items():
            if value is None:
                os.environ.pop(key, None)
            else:
                os.environ[key] = value
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = nbformat.from_dict(LANGUAGE)
    return notebook


def _run(client: NotebookClient, cell: NotebookNode, index: int, where: str) -> None:
    place = f"{where}: cell {cell.get('id', index)}"
    try:
        client.execute_cell(cell, index)
    except CellExecutionError as error:
        if "raises-exception" not in cell.metadata.get("tags", ()):
            raise SolutionError(
                f"{place}: the solution raised {error.ename}: "
                f"{ANSI.sub('', error.evalue).strip()}\n"
                f"{_failing_line(error)}"
            ) from error
    except CellTimeoutError as error:
        raise SolutionError(
            f"{place}: took longer than {CELL_TIMEOUT} s; make it lighter."
        ) from error
    except DeadKernelError as error:
        raise SolutionError(f"{place}: the kernel died; is there enough memory?") from error
    if cell.cell_type == "code":
        cell.outputs = [_clean(output, place) for output in cell.outputs]


def _failing_line(error: CellExecutionError) -> str:
    lines = [ANSI.sub("", line) for line in error.traceback.splitlines()]
    marked = [line for line in lines if re.match(r"\s*-+> ?\d+", line)]
    return marked[-1].strip() if marked else ""


def _clean(output: NotebookNode, place: str) -> NotebookNode:
    if output.output_type == "stream" and output.name == "stderr":
        raise SolutionError(
            f"{place}: wrote to stderr, which changes from machine to machine: "
            f"{output.text.strip()[:200]!r}. "
            "Mend the cause of the warning."
        )
    if output.output_type == "stream":
        output.text = ADDRESS.sub("", output.text)
    if "text/plain" in output.get("data", {}):
        output.data["text/plain"] = ADDRESS.sub("", output.data["text/plain"])
    if "application/vnd.jupyter.widget-view+json" in output.get("data", {}):
        raise SolutionError(
            f"{place}: left a widget in its output, which breaks static pages; print text "
            "instead (TQDM_DISABLE=1)."
        )
    if "image/png" in output.get("data", {}):
        output.data["image/png"] = _light(output.data["image/png"])
    return output


def _light(png: str) -> str:
    """A picture, in base64, with a palette in place of its full colours: one that covers them all,
    since what is rare in a figure, as the ends of a scale, means as much as what is not.
    """
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB")
    for colours in COLOURS:
        drawn = picture.quantize(colours, COVERS, dither=Image.Dither.NONE)
        drawn.save(light := io.BytesIO(), "PNG", optimize=True)
        if light.tell() <= LARGEST_PICTURE:
            break
    return base64.b64encode(light.getvalue()).decode()
