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
ENDLESS = "while True:\n    pass\n"


class StudentNotebook:
    """A student's copy of one chapter: solve exercises, damage the file, hand it in."""

    def __init__(self, root: Path, chapter: Chapter, first_answer: int = 0):
        """first_answer: which right answer of the bank ``solve`` begins with."""
        self.root, self.chapter, self.first_answer = Path(root), chapter, first_answer
        self.notebook = json.loads(student_path(root, chapter.name).read_text(encoding="utf-8"))

    @property
    def cells(self) -> list[dict[str, Any]]:
        return self.notebook["cells"]

    def cell(self, exercise: Exercise) -> dict[str, Any]:
        """The cell that the exercise's answer goes into."""
        return next(
            cell
            for cell in self.cells
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == exercise.id
        )

    def write(self, exercise: Exercise, text: str) -> None:
        self.cell(exercise)["source"] = text.splitlines(keepends=True)

    def solve(self, *exercises: Exercise) -> None:
        """Right answers of the bank, another one for each exercise (default: all of them)."""
        for number, exercise in enumerate(exercises or self.chapter.exercises, self.first_answer):
            answers = right_answers(self.root, self.chapter.name, exercise.id)
            self.write(exercise, answers[number % len(answers)].text)

    def mistake(self, number: int, which: int = 0) -> None:
        """The ``which``-th wrong answer of the bank to exercise ``number``, counted from 1."""
        exercise = self.chapter.exercises[(number - 1) % len(self.chapter.exercises)]
        answers = wrong_answers(self.root, self.chapter.name, exercise.id)
        self.write(exercise, answers[which % len(answers)].text)

    def notebook_bytes(self) -> bytes:
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


@dataclass(frozen=True)
class Story:
    """A student of the sample class."""

    student: str
    does: str  # one line for the reader of the table
    edit: Callable[[StudentNotebook], bytes | None]  # changes the notebook; bytes: another file

    def hand_in(self, notebook: StudentNotebook) -> bytes:
        """The file that this student hands in, made of a notebook as it was released."""
        other_file = self.edit(notebook)
        return notebook.notebook_bytes() if other_file is None else other_file


def everything_right(notebook: StudentNotebook) -> None:
    notebook.solve()


def untouched(notebook: StudentNotebook) -> None:
    pass


def one_mistake(notebook: StudentNotebook) -> None:
    notebook.solve()
    notebook.mistake(3)


def two_mistakes(notebook: StudentNotebook) -> None:
    notebook.solve()
    notebook.mistake(2, which=1)
    notebook.mistake(4, which=2)


def half_done(notebook: StudentNotebook) -> None:
    exercises = notebook.chapter.exercises
    notebook.solve(*exercises[: (len(exercises) + 1) // 2])


def endless_loop(notebook: StudentNotebook) -> None:
    notebook.solve()
    notebook.write(notebook.chapter.exercises[1], ENDLESS)


def cell_deleted(notebook: StudentNotebook) -> None:
    notebook.solve()
    notebook.cells.remove(notebook.cell(notebook.chapter.exercises[0]))


def no_notebook(notebook: StudentNotebook) -> bytes:
    return b"%PDF-1.7 not a notebook"


def from_colab(notebook: StudentNotebook) -> None:
    """What Colab's 'Download .ipynb' gives: nbformat 4.0, ids in the metadata, outputs and timing
    left in.
    """
    notebook.solve()
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
    notebook.solve()
    notebook.cell(notebook.chapter.exercises[-1])["source"] += [
        "\n\nimport sys, warnings\nwarnings.warn('deprecated')\nprint('noise', file=sys.stderr)\n"
    ]


def everything_wrong(notebook: StudentNotebook) -> None:
    for number in range(1, len(notebook.chapter.exercises) + 1):
        notebook.mistake(number, which=number)


def leaves_python(notebook: StudentNotebook) -> None:
    notebook.solve()
    notebook.write(notebook.chapter.exercises[2], "import os\nos._exit(0)\n")


CLASS = (
    Story("ada", "everything right", everything_right),
    Story("ben", "handed in untouched", untouched),
    Story("chloe", "one typical mistake", one_mistake),
    Story("dmitri", "two mistakes", two_mistakes),
    Story("eve", "did the first half", half_done),
    Story("farid", "an endless loop in exercise 2", endless_loop),
    Story("grace", "deleted the cell of exercise 1", cell_deleted),
    Story("hugo", "handed in a file that is no notebook", no_notebook),
    Story("ines", "worked in Colab", from_colab),
    Story("jun", "warnings on stderr, all right", prints_a_warning),
    Story("kofi", "every exercise wrong", everything_wrong),
    Story("lena", "ends Python in exercise 3", leaves_python),
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
    titles = ",".join(
        f"{chapter.name} ({7000 + number})" for number, chapter in enumerate(chapters)
    )
    possible = ",".join(f"{chapter.points:g}" for chapter in chapters)
    rows = [
        f"Student,ID,SIS User ID,SIS Login ID,Section,{titles}",
        f"    Points Possible,,,,,{possible}",
    ]
    for number, story in enumerate(CLASS, 1):
        ids = f"{100 + number},{story.student},{story.student},A"
        rows.append(f'"{story.student.title()}, Sample",{ids},' + "," * (len(chapters) - 1))
    return "\n".join(rows) + "\n"
