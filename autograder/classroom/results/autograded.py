"""The graded notebook as formgrader shows it: the student's file in the chapter's order, and under
each check what our grader found.

nbgrader's own autograde would run the file again, with the instructor's rights. Nothing is run
here: a check carries the verdict that the sealed grader gave, other cells the outputs that they had
in the file. Of what a student wrote, code, plain text and PNG pictures are shown, as text and
pictures: formgrader would render Markdown and HTML, and with them any script, in the instructor's
session.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.classroom.results.feedback import LONGEST, SAYS
from autograder.course.errors import SubmissionError
from autograder.course.model import KERNELSPEC, Cell, Chapter
from autograder.grading.intake import LooseCell, read_notebook
from autograder.grading.result import Result, Status, Verdict

MOST_TEXT = 20_000  # characters of one output
MOST_PICTURE = 1 << 20  # characters of one picture in base64
MOST_PICTURES = 4 << 20  # and of all of them
BASE64 = re.compile(r"[A-Za-z0-9+/\s]+=*\s*")
BACKTICKS = re.compile(r"`{3,}")
Json = dict[str, Any]  # a cell or an output, as a notebook's file has it
Outputs = Mapping[str, list[Json]]  # {id of a cell: its outputs}


def autograded_notebook(
    chapter: Chapter, result: Result, notebook: bytes | None, answers: Mapping[str, str]
) -> bytes:
    """The notebook as bytes. notebook: what was handed in, None where nothing could be read;
    answers: {exercise: the student's text} as they were graded.
    """
    try:
        loose = read_notebook(notebook)[0] if notebook else []
    except SubmissionError:  # the result says so
        loose = []
    theirs, own = _placed(chapter, loose)
    outputs = _outputs(notebook) if notebook else {}
    verdicts = {verdict.check: verdict for verdict in result.verdicts}
    cells = [_text("about-this-file", said)] if (said := _about(result)) else []
    cells += [_own(cell, number, outputs) for number, cell in enumerate(own[""])]
    for cell in chapter.cells:
        found = theirs.get(cell.id)
        if cell.kind == "markdown":
            made = _cell("markdown", cell.id, cell.released)
            if found and found.text.strip() != cell.released.strip():
                made = _text(cell.id, found.text)
        elif cell.role == "check":
            made = _code(cell.id, cell.released, [_stream(_said(verdicts.get(cell.grade_id)))])
        else:
            text = answers.get(cell.id) or (found.text if found else cell.released)
            made = _code(cell.id, text, outputs.get(cell.id, []))
        if cell.role:
            made["metadata"]["nbgrader"] = _graded(cell)
        cells.append(made)
        start = len(cells)
        cells += [_own(one, start + i, outputs) for i, one in enumerate(own[cell.id])]
    about = {"kernelspec": KERNELSPEC, "language_info": {"name": "python"}}
    made = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")


def _placed(
    chapter: Chapter, loose: Sequence[LooseCell]
) -> tuple[dict[str, LooseCell], dict[str, list[LooseCell]]]:
    """({id of a cell of the chapter: the cell that stands for it}, {id: the student's own cells
    below it}), told by ids and whole texts alone.
    """
    ids = {cell.id: cell.id for cell in chapter.cells}
    ids |= {cell.grade_id: cell.id for cell in chapter.cells if cell.grade_id}
    texts = {cell.released.strip(): cell.id for cell in reversed(chapter.cells)}
    theirs: dict[str, LooseCell] = {}
    own: dict[str, list[LooseCell]] = defaultdict(list)
    last = ""
    for cell in loose:
        target = ids.get(cell.grade_id) or ids.get(cell.id) or texts.get(cell.text.strip(), "")
        if target and target not in theirs:
            theirs[target], last = cell, target
        elif cell.text.strip() and not target:
            own[last].append(cell)
    return theirs, own


def _graded(cell: Cell) -> Json:
    """The metadata by which formgrader knows a cell."""
    check = cell.role == "check"
    return {
        "grade": check,
        "grade_id": cell.grade_id,
        "locked": check,
        "schema_version": 3,
        "solution": not check,
        "task": False,
        **({"points": cell.points, "cell_type": "code"} if check else {}),
    }


def _said(verdict: Verdict | None) -> str:
    """A verdict in a few lines."""
    if verdict is None:
        return "not graded\n"
    lines = [f"{verdict.status.value}: {verdict.points:g} of {verdict.max_points:g} points"]
    if verdict.status is not Status.PASSED:
        lines += [verdict.failed_property, SAYS.get(verdict.status) or verdict.message[:LONGEST]]
    if verdict.instead_of_earlier:
        lines.append(f"graded with our own {', '.join(verdict.instead_of_earlier)}")
    return "\n".join(filter(None, lines)) + "\n"


def _about(result: Result) -> str:
    """What a person should know of the whole file."""
    lines = [f"Not graded: {result.problem}"] if result.problem else []
    lines += [f"Look at this: {flag}" for flag in result.flags]
    return "\n".join([*lines, *(f"Put right before grading: {one}" for one in result.repairs)])


def _own(cell: LooseCell, number: int, outputs: Outputs) -> Json:
    if cell.kind == "code":
        return _code(f"own-{number}", cell.text, outputs.get(cell.id, []))
    return _text(f"own-{number}", cell.text)


def _code(name: str, text: str, outputs: list[Json]) -> Json:
    return {**_cell("code", name, text), "execution_count": None, "outputs": outputs}


def _text(name: str, text: str) -> Json:
    """A Markdown cell that shows a text letter by letter."""
    fence = "`" * (max([len(run) for run in BACKTICKS.findall(text)], default=2) + 1)
    return _cell("markdown", name, f"{fence}text\n{text}\n{fence}")


def _cell(kind: str, name: str, text: str) -> Json:
    return {"cell_type": kind, "id": name[:64], "metadata": {}, "source": text}


def _outputs(notebook: bytes) -> Outputs:
    """{id of a cell: its outputs, as far as they are text or PNG pictures}."""
    try:
        cells = json.loads(notebook.decode("utf-8-sig"))["cells"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return {}
    left, found = MOST_PICTURES, dict[str, list[Json]]()
    for cell in cells if isinstance(cells, list) else ():
        outputs = cell.get("outputs") if isinstance(cell, dict) else None
        if isinstance(outputs, list) and isinstance(cell.get("id"), str):
            made = [one for output in outputs[:50] for one in _output(output, left)]
            left -= sum(len(one.get("data", {}).get("image/png", "")) for one in made)
            found[_grade_id(cell) or cell["id"]] = made
    return found


def _grade_id(cell: Json) -> str:
    """The id by which the chapter knows a graded cell, which may have lost its own."""
    metadata = cell.get("metadata")
    graded = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return _joined(graded.get("grade_id")) if isinstance(graded, dict) else ""


def _output(output: object, left: int) -> Iterator[Json]:
    if not isinstance(output, dict):
        return
    data = output.get("data")
    if output.get("output_type") == "stream":
        yield _stream(_joined(output.get("text")))
    elif output.get("output_type") == "error":
        yield _stream(_joined(output.get("traceback"), "\n"))
    elif isinstance(data, dict):
        picture = _joined(data.get("image/png"))
        if picture and len(picture) <= min(left, MOST_PICTURE) and BASE64.fullmatch(picture):
            yield _display({"image/png": picture})
        elif plain := _joined(data.get("text/plain")):
            yield _display({"text/plain": plain[:MOST_TEXT]})


def _display(data: dict[str, str]) -> Json:
    return {"output_type": "display_data", "data": data, "metadata": {}}


def _stream(text: str) -> Json:
    return {"output_type": "stream", "name": "stdout", "text": text[:MOST_TEXT]}


def _joined(value: object, between: str = "") -> str:
    """The text of a field that nbformat writes as a string or as a list of lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return between.join(value)
    return value if isinstance(value, str) else ""
