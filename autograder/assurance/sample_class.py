"""A sample class, made afresh from the release and the bank: real student notebooks, each with its
story.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.bank import right_answers, wrong_answers
from autograder.course.chapter import student_path
from autograder.course.model import Chapter, Exercise

LATE = {"eve", "jun"}


class StudentNotebook:
    """A student's copy of one chapter: solve exercises, damage the file, hand it in."""

    def __init__(self, root: Path, chapter: Chapter, first_answer: int = 0):
        """first_answer: which right answer of the bank ``solve`` begins with."""
        self.root, self.chapter, self.first_answer = Path(root), chapter, first_answer
        self.notebook = json.loads(student_path(root, chapter.name).read_text(encoding="utf-8"))

    @property
    def cells(self) -> list[dict[str, Any]]:
        return self.notebook["cells"]

    def exercise(self, number: int) -> Exercise:
        """The exercise of a number, counted from 1; behind the last one comes the first."""
        return self.chapter.exercises[(number - 1) % len(self.chapter.exercises)]

    def cell(self, number: int) -> dict[str, Any]:
        """The cell that the answer to exercise ``number`` goes into."""
        name = self.exercise(number).id
        return next(cell for cell in self.cells if cell["id"] == name)

    def put(self, number: int, text: str) -> None:
        """Answer exercise ``number``."""
        self.cell(number)["source"] = text.splitlines(keepends=True)

    def solve(self, count: int | None = None) -> None:
        """Right answers of the bank to the first ``count`` exercises (default: all), another one
        for each.
        """
        for place, exercise in enumerate(self.chapter.exercises[:count]):
            answers = right_answers(self.root, self.chapter.name, exercise.id)
            self.put(place + 1, answers[(self.first_answer + place) % len(answers)].text)

    def mistake(self, number: int, which: int = 0) -> None:
        """The ``which``-th wrong answer of the bank to exercise ``number``."""
        answers = wrong_answers(self.root, self.chapter.name, self.exercise(number).id)
        self.put(number, answers[which % len(answers)].text)

    def notebook_bytes(self) -> bytes:
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Story:
    """A student of the sample class."""

    student: str
    does: str  # one line for the reader of the table
    edit: Callable[[StudentNotebook], object] = lambda notebook: None  # changes a solved notebook
    solves: bool = True

    def hand_in(self, notebook: StudentNotebook) -> bytes:
        """The file that this student hands in, made of a notebook as it was released."""
        if self.solves:
            notebook.solve()
        other_file = self.edit(notebook)
        return other_file if isinstance(other_file, bytes) else notebook.notebook_bytes()


def two_mistakes(notebook: StudentNotebook) -> None:
    notebook.mistake(2, which=1)
    notebook.mistake(4, which=2)


def half_done(notebook: StudentNotebook) -> None:
    notebook.solve((len(notebook.chapter.exercises) + 1) // 2)


def from_colab(notebook: StudentNotebook) -> None:
    """What Colab's 'Download .ipynb' gives: nbformat 4.0, ids in the metadata, outputs and timing
    left in.
    """
    notebook.notebook.update(nbformat=4, nbformat_minor=0)
    notebook.notebook["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
        "accelerator": "GPU",
    }
    for number, cell in enumerate(notebook.cells):
        identity = cell.pop("id")
        cell["metadata"] = {**cell["metadata"], "id": identity}
        if cell["cell_type"] == "code":
            cell["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["ran\n"]}]
            cell["execution_count"] = number


def prints_a_warning(notebook: StudentNotebook) -> None:
    notebook.cell(len(notebook.chapter.exercises))["source"] += [
        "\n\nimport sys, warnings\nwarnings.warn('deprecated')\nprint('noise', file=sys.stderr)\n"
    ]


def everything_wrong(notebook: StudentNotebook) -> None:
    for number in range(1, len(notebook.chapter.exercises) + 1):
        notebook.mistake(number, which=number)


CLASS = (
    Story("ada", "everything right"),
    Story("ben", "handed in untouched", solves=False),
    Story("chloe", "one typical mistake", lambda book: book.mistake(3)),
    Story("dmitri", "two mistakes", two_mistakes),
    Story("eve", "did the first half", half_done, solves=False),
    Story("farid", "an endless loop in exercise 2", lambda book: book.put(2, "while True: pass")),
    Story("grace", "deleted the cell of exercise 1", lambda book: book.cells.remove(book.cell(1))),
    Story("hugo", "handed in a file that is no notebook", lambda book: b"%PDF-1.7 not a notebook"),
    Story("ines", "worked in Colab", from_colab),
    Story("jun", "warnings on stderr, all right", prints_a_warning),
    Story("kofi", "every exercise wrong", everything_wrong, solves=False),
    Story("lena", "ends Python in exercise 3", lambda book: book.put(3, "import os\nos._exit(0)")),
)


def canvas_zip(root: Path, chapter: Chapter) -> bytes:
    """The class's submissions as Canvas packs them.

    One flat zip, names with LATE, user id and attachment id.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, story in enumerate(CLASS, 1):
            late = "_LATE" if story.student in LATE else ""
            user = f"{story.student}{late}_{100 + number}"
            content = story.hand_in(StudentNotebook(root, chapter))
            files = {f"{user}_{9000 + number}_{chapter.name}.ipynb": content}
            if story.student == "ines":  # a first attempt that was empty, with a smaller number
                files = {f"{user}_{8000 + number}_{chapter.name}.ipynb": b"{}"}
                files[f"{user}_{9000 + number}_{chapter.name}-1.ipynb"] = content
            for file, data in files.items():
                entry = zipfile.ZipInfo(file, (2026, 11, 2, 12, number, 0))
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def roster_csv() -> str:
    """The roster that maps Canvas's numbers to student ids."""
    return "student,canvas id\n" + "".join(
        f"{story.student},{100 + number}\n" for number, story in enumerate(CLASS, 1)
    )


def canvas_gradebook(chapters: Iterable[Chapter]) -> str:
    """The gradebook that Canvas would export for the class: id columns, a column for each chapter,
    points possible.
    """
    chapters = list(chapters)
    titles = ",".join(f"{chapter.name} ({n})" for n, chapter in enumerate(chapters, 7000))
    possible = ",".join(f"{chapter.points:g}" for chapter in chapters)
    rows = [f"Student,ID,SIS User ID,SIS Login ID,Section,{titles}"]
    rows.append(f"    Points Possible,,,,,{possible}")
    for number, story in enumerate(CLASS, 1):
        ids = f"{100 + number},{story.student},{story.student},A"
        rows.append(f'"{story.student.title()}, Sample",{ids},' + "," * (len(chapters) - 1))
    return "\n".join(rows) + "\n"
