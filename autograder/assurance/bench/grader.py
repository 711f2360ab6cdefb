"""How fast is grading? Stock ``nbgrader autograde`` and ``autograder grade``: the same class, the
same machine.

Both are the commands that an instructor types, in a course folder of their own, start included. The
class is made of the sample class (without the endless loop and the file that is no notebook, which
nbgrader takes for a wait of its whole time limit and an error) until it is as large as asked; each
student has other answers of the bank than the one before.
"""

import json
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from autograder.assurance.bench.memory import run_measured
from autograder.assurance.sample_class import CLASS, StudentNotebook
from autograder.build.pairing import pair
from autograder.classroom.paths import journal_path
from autograder.course.chapter import find_chapter
from autograder.course.model import Chapter
from autograder.course.settings import load_settings

LEFT_OUT = ("farid", "hugo")  # the endless loop, and the file that is no notebook


@dataclass(frozen=True)
class Measured:
    """What grading a class took."""

    seconds: float
    count: int  # submissions
    each: tuple[float, ...]  # seconds of each submission, as far as known
    memory: int  # bytes of all processes together, at most
    own_memory: int = 0  # bytes of the coordinator, at most

    @property
    def per_minute(self) -> float:
        return 60 * self.count / self.seconds

    @property
    def median(self) -> float:
        return statistics.median(self.each) if self.each else float("nan")

    @property
    def slow(self) -> float:
        """Seconds that 95 of 100 submissions stay below."""
        return statistics.quantiles(self.each, n=20)[-1] if len(self.each) > 1 else float("nan")


def make_course(root: Path, chapter: Chapter, count: int, folder: Path) -> None:
    """A course at ``folder`` with the sources and ``count`` submissions of a chapter.

    Copies of one story differ by a space in each answer.
    """
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(root / name, folder)
    shutil.copytree(root / "source", folder / "source", ignore=shutil.ignore_patterns("*.ipynb"))
    stories = [story for story in CLASS if story.student not in LEFT_OUT]
    for number in range(count):
        story, copy = stories[number % len(stories)], number // len(stories)
        student = folder / "submitted" / f"{story.student}{number:04d}"
        path = student / chapter.name / f"{chapter.name}.ipynb"
        path.parent.mkdir(parents=True)
        content = story.hand_in(StudentNotebook(root, chapter, first_answer=number))
        path.write_bytes(content.replace(b"return ", b"return  ", copy))


def measure_ours(course: Path, chapter: Chapter) -> Measured:
    """Grade the class of a course."""
    usage = run_measured(["autograder", "grade", chapter.name], course)
    each = tuple(
        json.loads(path.read_text(encoding="utf-8"))["result"]["seconds"]
        for path in journal_path(load_settings(course), chapter.name).glob("*.json")
    )
    return Measured(usage.seconds, len(each), each, usage.memory, usage.own_memory)


def measure_stock(course: Path, chapter: Chapter) -> Measured:
    """Grade the same class with nbgrader's own command."""
    (course / "gradebook.db").unlink(missing_ok=True)
    pair(course, find_chapter(course, chapter.name))
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", chapter.name, "--force"],
        cwd=course,
        check=True,
        capture_output=True,
    )
    command = ["nbgrader", "autograde", chapter.name, "--ExecutePreprocessor.timeout=60"]
    usage = run_measured(command, course)
    graded = (course / "autograded").glob(f"*/{chapter.name}/*.ipynb")
    ends = sorted(path.stat().st_mtime for path in graded)
    each = tuple(after - before for before, after in pairwise(ends))
    return Measured(usage.seconds, len(ends), each, usage.memory)
