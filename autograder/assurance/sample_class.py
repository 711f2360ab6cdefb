"""A sample class, made afresh from the release and the bank of answers: real student notebooks, each with its story."""

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path

from autograder.assurance.bank import read_answers
from autograder.build.release import student_path

LATE = {"eve", "jun"}
ENDLESS = "while True:\n    pass\n"


@dataclass(frozen=True)
class Story:
    student: str
    does: str  # one line for the reader of the table
    edit: object  # function (Desk) -> bytes


class Desk:
    """A student's copy of one chapter: solve exercises, damage the file, hand it in."""

    def __init__(self, root, chapter):
        self.root, self.chapter = Path(root), chapter
        self.notebook = json.loads(student_path(root, chapter.name).read_text(encoding="utf-8"))
        self.cells = self.notebook["cells"]

    def cell(self, grade_id):
        return next(
            c for c in self.cells if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id
        )

    def write(self, exercise, text):
        self.cell(exercise.id)["source"] = text.splitlines(keepends=True)

    def solve(self, *exercises):
        """Right answers of the bank, another one for each exercise."""
        for number, exercise in enumerate(exercises or self.chapter.exercises):
            right = [
                answer
                for answer in read_answers(self.root, self.chapter.name, exercise.id)
                if answer.right
            ]
            self.write(exercise, right[number % len(right)].text)
        return self

    def mistake(self, number, which=0):
        """The ``which``-th wrong answer of the bank to exercise ``number``, counted from 1."""
        exercise = self.chapter.exercises[(number - 1) % len(self.chapter.exercises)]
        wrong = [
            answer
            for answer in read_answers(self.root, self.chapter.name, exercise.id)
            if not answer.right
        ]
        self.write(exercise, wrong[which % len(wrong)].text)
        return self

    def hand_in(self):
        return json.dumps(self.notebook, indent=1, ensure_ascii=False).encode()


def half_done(desk):
    exercises = desk.chapter.exercises
    return desk.solve(*exercises[: (len(exercises) + 1) // 2]).hand_in()


def endless_loop(desk):
    desk.solve()
    cell = desk.cell(desk.chapter.exercises[1].id)
    cell["source"] = [*ENDLESS.splitlines(keepends=True)]
    return desk.hand_in()


def cell_deleted(desk):
    desk.solve().cells.remove(desk.cell(desk.chapter.exercises[0].id))
    return desk.hand_in()


def from_colab(desk):
    """What Colab's 'Download .ipynb' gives: nbformat 4.0, ids in the metadata, outputs and timing left in."""
    desk.solve()
    desk.notebook.update(nbformat=4, nbformat_minor=0)
    desk.notebook["metadata"] = {
        "colab": {"provenance": [], "toc_visible": True},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
        "accelerator": "GPU",
    }
    for number, cell in enumerate(desk.cells):
        identity = cell.pop("id")
        cell["metadata"] = {**cell["metadata"], "id": identity}
        if cell["cell_type"] == "code":
            cell["metadata"]["colab"] = {"base_uri": "https://localhost:8080/"}
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["ran\n"]}]
            cell["execution_count"] = number
    return desk.hand_in()


def prints_a_warning(desk):
    desk.solve()
    cell = desk.cell(desk.chapter.exercises[-1].id)
    cell["source"] += [
        "\n\nimport sys, warnings\nwarnings.warn('deprecated')\nprint('noise', file=sys.stderr)\n"
    ]
    return desk.hand_in()


def leaves_python(desk):
    desk.solve()
    cell = desk.cell(desk.chapter.exercises[2].id)
    cell["source"] = ["import os\n", "os._exit(0)\n"]
    return desk.hand_in()


CLASS = (
    Story("ada", "everything right", lambda desk: desk.solve().hand_in()),
    Story("ben", "handed in untouched", lambda desk: desk.hand_in()),
    Story("chloe", "one typical mistake", lambda desk: desk.solve().mistake(3).hand_in()),
    Story(
        "dmitri", "two mistakes", lambda desk: desk.solve().mistake(2, 1).mistake(4, 2).hand_in()
    ),
    Story("eve", "did the first half", half_done),
    Story("farid", "an endless loop in exercise 2", endless_loop),
    Story("grace", "deleted the cell of exercise 1", cell_deleted),
    Story("hugo", "handed in a file that is no notebook", lambda desk: b"%PDF-1.7 not a notebook"),
    Story("ines", "worked in Colab", from_colab),
    Story("jun", "warnings on stderr, all right", prints_a_warning),
    Story(
        "kofi",
        "every exercise wrong",
        lambda desk: [desk.mistake(n, n) for n in range(1, len(desk.chapter.exercises) + 1)][
            -1
        ].hand_in(),
    ),
    Story("lena", "ends Python in exercise 3", leaves_python),
)


def canvas_zip(root, chapter):
    """The class's submissions as Canvas packs them: one flat zip, names with user id, submission id, LATE and attempt. As bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, story in enumerate(CLASS, 1):
            notebook = story.edit(Desk(root, chapter))
            late = "_LATE" if story.student in LATE else ""
            attempts = (
                [b"{}", notebook] if story.student == "ines" else [notebook]
            )  # a first attempt that was empty
            for attempt, content in enumerate(attempts, 1):
                suffix = f"-{attempt}" if len(attempts) > 1 else ""
                name = f"{story.student}{late}_{100 + number}_{9000 + number}_{chapter.name}{suffix}.ipynb"
                archive.writestr(
                    zipfile.ZipInfo(name, (2026, 11, 2, 12, number, 0)),
                    content,
                    zipfile.ZIP_DEFLATED,
                )
    return out.getvalue()


def roster_csv():
    """The roster that maps Canvas's numbers to student ids."""
    return "student,canvas id\n" + "".join(
        f"{story.student},{100 + number}\n" for number, story in enumerate(CLASS, 1)
    )


def canvas_gradebook(chapters):
    """The gradebook that Canvas would export for the class: id columns, a column for each chapter, points possible."""
    titles = ",".join(
        f"{chapter.name} ({7000 + number})" for number, chapter in enumerate(chapters)
    )
    rows = [
        f"Student,ID,SIS User ID,SIS Login ID,Section,{titles}",
        "    Points Possible,,,,," + ",".join(f"{chapter.points:g}" for chapter in chapters),
    ]
    rows += [
        f'"{story.student.title()}, Sample",{100 + number},{story.student},{story.student},A,'
        + "," * (len(chapters) - 1)
        for number, story in enumerate(CLASS, 1)
    ]
    return "\n".join(rows) + "\n"


def write_class(root, chapter, folder):
    """Write the class's submissions for a chapter to ``folder/<student>/<chapter>/<chapter>.ipynb``."""
    for story in CLASS:
        path = Path(folder, story.student, chapter.name, f"{chapter.name}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(story.edit(Desk(root, chapter)))
    return [story.student for story in CLASS]
