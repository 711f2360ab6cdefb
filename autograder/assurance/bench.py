"""How fast is grading? Stock ``nbgrader autograde`` and ``autograder grade``: the same class, the
same machine.

Both are the commands that an instructor types, start included, each in a course folder of its own
with a gradebook of its own: what one leaves behind would tell the other that there is nothing to
do. The class is made of the sample class, less ``LEFT_OUT``, until it is as large as asked; each
student has other answers of the bank than the one before. A time counts only where every submission
got its marks, and the ratio of two times only where both sides gave the same ones.
"""

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import psutil

from autograder.assurance.sample_class import CLASS, StudentNotebook
from autograder.classroom.paths import autograded_path, journal_path, submitted_path
from autograder.classroom.results.gradebook import Book
from autograder.course.errors import AutograderError
from autograder.course.model import Chapter
from autograder.course.settings import Settings, load_settings

# the endless loop, for which nbgrader waits its whole time limit; the file that is no notebook and
# the one that ends Python, to which it gives no mark
LEFT_OUT = ("farid", "hugo", "lena")
INTERVAL = 1.0  # seconds between two looks at the memory
PACKAGE = Path(__file__).parents[2]  # where this package lies, for commands in another course


@dataclass(frozen=True)
class Usage:
    """What one command took."""

    seconds: float
    memory: int = 0  # bytes of all its processes together, at most
    own_memory: int = 0  # bytes of the first process, at most
    last_words: str = ""  # the last line that it wrote


@dataclass(frozen=True)
class Measured:
    """What grading a class took, and the marks that it gave."""

    usage: Usage
    marks: Mapping[str, Mapping[str, float]]  # {student: {check: points}}
    each: tuple[float, ...]  # seconds of each submission, as far as known

    @property
    def per_minute(self) -> float:
        return 60 * len(self.marks) / self.usage.seconds

    @property
    def median(self) -> float:
        return statistics.median(self.each) if self.each else float("nan")

    @property
    def slow(self) -> float:
        """Seconds that 95 of 100 submissions stay below."""
        return statistics.quantiles(self.each, n=20)[-1] if len(self.each) > 1 else float("nan")


def measure_ours(root: Path, chapter: Chapter, count: int) -> Measured:
    """Grade a class of ``count`` with our command. Raises AutograderError where a mark is
    missing.
    """
    with _course(root, chapter, count) as settings:
        usage = run_measured(["autograder", "grade", chapter.name], settings)
        marks = _marks(settings, chapter, "autograder", usage)
        each = tuple(
            json.loads(path.read_text(encoding="utf-8"))["result"]["seconds"]
            for path in journal_path(settings, chapter.name).glob("*.json")
        )
    return Measured(usage, marks, each)


def measure_stock(root: Path, chapter: Chapter, count: int) -> Measured:
    """Grade the same class with nbgrader's own command; making the assignment does not count.
    Raises AutograderError where a mark is missing.
    """
    with _course(root, chapter, count) as settings:
        run_measured(["nbgrader", "generate_assignment", chapter.name, "--force"], settings)
        command = ["nbgrader", "autograde", chapter.name, "--ExecutePreprocessor.timeout=60"]
        usage = run_measured(command, settings)
        marks = _marks(settings, chapter, "nbgrader", usage)
        made = [autograded_path(settings, student, chapter.name) for student in marks]
        ends = sorted(path.stat().st_mtime for path in made)
    each = tuple(after - before for before, after in pairwise(ends))
    return Measured(usage, marks, each)


def ratio(ours: Measured, stock: Measured) -> float:
    """How many submissions we grade while nbgrader grades one. Raises AutograderError where the
    two gave a submission different marks.
    """
    for student, points in ours.marks.items():
        if stock.marks[student] != points:
            raise AutograderError(
                f"{student}: expected the same marks from both, autograder gave {dict(points)} and "
                f"nbgrader {dict(stock.marks[student])}, so their times cannot be compared."
            )
    return ours.per_minute / stock.per_minute


@contextlib.contextmanager
def _course(root: Path, chapter: Chapter, count: int) -> Iterator[Settings]:
    """The settings of a course that lasts as long as the ``with``: the sources of ``root`` and
    ``count`` submissions of a chapter. Copies of one story differ by a space in each answer.
    """
    stories = [story for story in CLASS if story.student not in LEFT_OUT]
    with tempfile.TemporaryDirectory(prefix="autograder-bench-") as made:
        folder = Path(made)
        for name in ("pyproject.toml", "nbgrader_config.py"):
            shutil.copy(root / name, folder)
        ignored = shutil.ignore_patterns("*.ipynb")
        shutil.copytree(root / "source", folder / "source", ignore=ignored)
        settings = replace(load_settings(folder), db_url="")
        for number in range(count):
            story, copy = stories[number % len(stories)], number // len(stories)
            path = submitted_path(settings, f"{story.student}{number:04d}", chapter.name)
            path.mkdir(parents=True)
            content = story.hand_in(StudentNotebook(root, chapter, first_answer=number))
            content = content.replace(b"return ", b"return  ", copy)
            (path / f"{chapter.name}.ipynb").write_bytes(content)
        yield settings


def _marks(
    settings: Settings, chapter: Chapter, grader: str, usage: Usage
) -> dict[str, dict[str, float]]:
    """{student: {check: points}} of every submission, as the course's gradebook has them."""
    handed_in = sorted(path.name for path in (settings.root / settings.submitted).iterdir())
    with Book(settings.database, settings.course_id) as book:
        marks = {
            one.student: {check: points for check, points, _ in one.parts}
            for one in book.submissions(chapter.name)
            if one.parts and autograded_path(settings, one.student, chapter.name).is_file()
        }
    missing = [student for student in handed_in if student not in marks]
    if missing:
        raise AutograderError(
            f"{chapter.name}: {grader} gave no marks to {len(missing)} of {len(handed_in)} "
            f"submissions ({', '.join(missing[:3])}), so its {usage.seconds:.1f} s say nothing; "
            f"its last words: {usage.last_words!r}."
        )
    return marks


def run_measured(command: list[str], settings: Settings) -> Usage:
    """Run ``python -m`` with a command in a course, with the programs of this environment on the
    PATH and the course's own gradebook, whatever the environment says.
    """
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    added = {
        "PATH": programs,
        "PYTHONPATH": str(PACKAGE),
        "AUTOGRADER_DB_URL": settings.database,
        "AUTOGRADER_STOCK": "1",
    }
    with tempfile.TemporaryFile() as output:
        started = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=settings.root,
            env={**os.environ, **added},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        ended = threading.Event()
        peak = _Peak(process.pid)
        watch = threading.Thread(target=peak.watch, args=[ended], daemon=True)
        watch.start()
        process.wait()
        seconds = time.monotonic() - started
        ended.set()
        watch.join()
        output.seek(0)
        lines = output.read().decode("utf-8", errors="replace").split("\n")
    last_words = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return Usage(seconds, peak.all, peak.own, last_words)


class _Peak:
    """The most memory that a process and all below it used together, and the process alone."""

    def __init__(self, pid: int):
        self.process, self.all, self.own = psutil.Process(pid), 0, 0

    def watch(self, ended: threading.Event) -> None:
        while not ended.wait(INTERVAL):
            try:
                family = [self.process, *self.process.children(recursive=True)]
                self.own = max(self.own, self.process.memory_info().rss)
                self.all = max(self.all, sum(map(_share, family)))
            except psutil.Error:
                continue


def _share(process: psutil.Process) -> int:
    """Proportional share of memory: pages that forked processes have in common count once."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0
