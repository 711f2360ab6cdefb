"""What people look at in a file that was handed in: the notebook for formgrader, in the chapter's
order; what was written for the open task ("Make it yours"); and words, by which answers are
compared.

nbgrader's own autograde would run the file again, with the instructor's rights. Nothing is run
here. Of what a student wrote, code, plain text and PNG pictures are shown, as text and pictures:
formgrader would render Markdown and HTML, and with them any script, in the instructor's session.
"""

import base64
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.course.model import Cell, Chapter
from autograder.grading.intake import LooseCell
from autograder.grading.result import Shown

MOST_TEXT = 20_000  # characters of one cell, answer or output
MOST_PICTURE = 1 << 20  # characters of one picture in base64
MOST = 8 << 20  # characters of a notebook; what does not fit any more is left out
MOST_OUTPUTS = 50  # of one cell
BACKTICKS = re.compile(r"`{3,}")
HEADING = re.compile(r"^### Make it yours\b", re.MULTILINE)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
SOMEONE = "[name]"  # in place of a name or an address
SKIPPED = {
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
Json = dict[str, Any]  # a cell or an output, as a notebook's file has it
NONE: Mapping[str, str] = {}


def shown(chapter: Chapter, cells: Sequence[LooseCell], answers: Mapping[str, str]) -> Shown:
    """What is shown of a file. answers: {exercise: the student's text}."""
    short = {exercise: text[:MOST_TEXT] for exercise, text in answers.items()}
    return Shown(
        short,
        {exercise: words(text) for exercise, text in short.items()},
        EMAIL.sub(SOMEONE, open_task(chapter, cells)[:MOST_TEXT]),
        notebook_cells(chapter, cells, short),
    )


# the notebook


def notebook_cells(
    chapter: Chapter, loose: Sequence[LooseCell] = (), answers: Mapping[str, str] = NONE
) -> list[Json]:
    """A file's cells in the chapter's order, checks as released; without a file, the release."""
    theirs, own = _placed(chapter, loose)
    room = Room()
    cells = [room.own(cell, number) for number, cell in enumerate(own[""])]
    for cell in chapter.cells:
        found = theirs.get(cell.id)
        if cell.kind == "markdown":
            made = _cell("markdown", cell.id, cell.released)
            if found and found.text.strip() != cell.released.strip():
                made = quoted(cell.id, room.take(found.text))
        elif cell.role == "check":
            made = _code(cell.id, cell.released, [])
        else:
            text = answers.get(cell.id) or (found.text if found else cell.released)
            made = _code(cell.id, room.take(text), room.outputs(found))
        if cell.role:
            made["metadata"]["nbgrader"] = _graded(cell)
        cells.append(made)
        start = len(cells)
        cells += [room.own(one, start + number) for number, one in enumerate(own[cell.id])]
    return cells


class Room:
    """How much of a file may still be shown."""

    def __init__(self) -> None:
        self.left = MOST

    def take(self, text: str, most: int = MOST_TEXT) -> str:
        """As much of a text as there is room for."""
        taken = text[: min(most, self.left)]
        self.left -= len(taken)
        return taken

    def own(self, cell: LooseCell, number: int) -> Json:
        """A cell that the student added."""
        name, text = f"own-{number}", self.take(cell.text)
        return _code(name, text, self.outputs(cell)) if cell.kind == "code" else quoted(name, text)

    def outputs(self, cell: LooseCell | None) -> list[Json]:
        """Outputs of a cell, as far as they are text or PNG pictures."""
        found = cell.outputs if cell and isinstance(cell.outputs, list) else []
        return [one for output in found[:MOST_OUTPUTS] for one in self._output(output)]

    def _output(self, output: object) -> Iterator[Json]:
        if not isinstance(output, dict):
            return
        data = output.get("data")
        if output.get("output_type") == "stream":
            yield printed(self.take(_joined(output.get("text"))))
        elif output.get("output_type") == "error":
            yield printed(self.take(_joined(output.get("traceback"), "\n")))
        elif isinstance(data, dict):
            picture = _joined(data.get("image/png"))
            if picture and len(picture) <= min(self.left, MOST_PICTURE) and _is_png(picture):
                yield _display("image/png", self.take(picture, MOST_PICTURE))
            elif plain := _joined(data.get("text/plain")):
                yield _display("text/plain", self.take(plain))


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


def quoted(name: str, text: str) -> Json:
    """A Markdown cell that shows a text letter by letter."""
    fence = "`" * (max([len(run) for run in BACKTICKS.findall(text)], default=2) + 1)
    return _cell("markdown", name, f"{fence}text\n{text}\n{fence}")


def printed(text: str) -> Json:
    """An output that is a text."""
    return {"output_type": "stream", "name": "stdout", "text": text}


def _code(name: str, text: str, outputs: list[Json]) -> Json:
    return {**_cell("code", name, text), "execution_count": None, "outputs": outputs}


def _cell(kind: str, name: str, text: str) -> Json:
    return {"cell_type": kind, "id": name[:64], "metadata": {}, "source": text}


def _display(kind: str, data: str) -> Json:
    return {"output_type": "display_data", "data": {kind: data}, "metadata": {}}


def _is_png(text: str) -> bool:
    try:
        return base64.b64decode("".join(text.split()), validate=True).startswith(b"\x89PNG\r\n")
    except ValueError:
        return False


def _joined(value: object, between: str = "") -> str:
    """The text of a field that nbformat writes as a string or as a list of lines."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return between.join(value)
    return value if isinstance(value, str) else ""


# the open task


def task_cells(chapter: Chapter) -> list[Cell]:
    """The cells of a chapter's open task: its heading, then its code cells; empty without one."""
    start = next((n for n, c in enumerate(chapter.cells) if _is_heading(c.kind, c.source)), None)
    if start is None:
        return []
    cells = [chapter.cells[start]]
    for cell in chapter.cells[start + 1 :]:
        if cell.kind != "code" or cell.grade_id:
            break
        cells.append(cell)
    return cells


def open_task(chapter: Chapter, cells: Sequence[LooseCell]) -> str:
    """What stands in the cells of a chapter's open task in a notebook that was handed in.

    That is every cell between the task's heading and the next cell of the release: code as it is,
    the student's own Markdown as comments. Empty where nothing was changed or the task is gone.
    """
    if not task_cells(chapter):
        return ""
    heading, *task = task_cells(chapter)
    ours = {cell.id for cell in task}
    starts = [
        n + 1 for n, c in enumerate(cells) if c.id == heading.id or _is_heading(c.kind, c.text)
    ]
    starts += [n for n, cell in enumerate(cells) if cell.id in ours]
    if not starts:
        return ""
    others = {cell.id for cell in chapter.cells} - ours
    texts = {cell.released.strip() for cell in chapter.cells if cell.id in others}
    parts: list[str] = []
    for cell in cells[starts[0] :]:
        if cell.id in others or cell.text.strip() in texts:
            break
        parts.append(cell.text.strip() if cell.kind == "code" else _as_comment(cell.text))
    given = "\n\n".join(cell.released.strip() for cell in task)
    text = "\n\n".join(part for part in parts if part)
    return "" if _plain(text) == _plain(given) else text


def _is_heading(kind: str, text: str) -> bool:
    return kind == "markdown" and bool(HEADING.search(text))


def _as_comment(text: str) -> str:
    return "\n".join(f"# {line}".rstrip() for line in text.strip().splitlines())


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines() if line.strip())


# answers, to be compared


def words(text: str) -> str:
    """The tokens of a Python text, one a line; of what does not tokenise, what stands between
    spaces. Names, layout and comments are kept: those are what independent people choose
    differently.
    """
    try:
        found = [
            token.string
            for token in tokenize.generate_tokens(io.StringIO(text).readline)
            if token.type not in SKIPPED
        ]
    except (tokenize.TokenError, SyntaxError, ValueError):
        found = text.split()
    return "\n".join(" ".join(word.split()) for word in found)
