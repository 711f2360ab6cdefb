"""How fast is grading? Stock ``nbgrader autograde`` and ``autograder grade``, the same class, the same machine, one after the other.

    python -m autograder.assurance.bench.grader [chapter ...] [--class 24] [--scale 20 200 1000] [--no-stock]

Both are the commands that an instructor types, in a course folder of their own, start included. The class is made of the sample class
of sample.py (without the endless loop and the file that is no notebook, which nbgrader takes for a wait of its whole time limit and an
error) until it is as large as asked; each student has other answers of the bank than the one before.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from autograder.assurance.bank import read_answers
from autograder.assurance.sample_class import CLASS, Desk
from autograder.build.pairing import stage
from autograder.classroom.run.grade import journal_path
from autograder.classroom.run.local_cluster import cores
from autograder.course.chapter import find_chapter
from autograder.course.settings import load_settings

LEFT_OUT = ("farid", "hugo")  # the endless loop, and the file that is no notebook
console = Console(width=130)


@dataclass(frozen=True)
class Measured:
    seconds: float
    count: int
    each: tuple  # seconds of each submission, as far as known
    memory: int  # bytes of all processes together, at most
    own_memory: int = 0  # bytes of the coordinator, at most

    @property
    def per_minute(self):
        return 60 * self.count / self.seconds


class Peak:
    """The most memory that this process and all below it used together, and this process alone."""

    def __init__(self, root=None):
        self.process, self.all, self.own, self._stop = psutil.Process(root), 0, 0, threading.Event()

    def __enter__(self):
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()

    def _watch(self):
        while not self._stop.wait(1.0):
            try:
                self.own = max(self.own, self.process.memory_info().rss)
                self.all = max(
                    self.all,
                    sum(map(_share, [self.process, *self.process.children(recursive=True)])),
                )
            except psutil.Error:
                continue


def _share(process):
    """Proportional share of memory: pages that forked processes have in common count once."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0


class OtherAnswers(Desk):
    """A desk where the right answers are taken from another place of the bank for each student."""

    def __init__(self, root, chapter, shift):
        super().__init__(root, chapter)
        self.shift = shift

    def solve(self, *exercises):
        for number, exercise in enumerate(exercises or self.chapter.exercises):
            right = [
                answer
                for answer in read_answers(self.root, self.chapter.name, exercise.id)
                if answer.right
            ]
            self.write(exercise, right[(number + self.shift) % len(right)].text)
        return self


def make_course(root, chapter, count, folder):
    """A course at ``folder`` with the sources and ``count`` submissions of a chapter; copies differ by a space in each answer."""
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(root / name, folder)
    shutil.copytree(
        root / "source", Path(folder, "source"), ignore=shutil.ignore_patterns("*.ipynb")
    )
    stories = [story for story in CLASS if story.student not in LEFT_OUT]
    for number in range(count):
        story = stories[number % len(stories)]
        path = Path(
            folder,
            "submitted",
            f"{story.student}{number:04d}",
            chapter.name,
            f"{chapter.name}.ipynb",
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            story.edit(OtherAnswers(root, chapter, number)).replace(
                b"return ", b"return  ", number // len(stories)
            )
        )


def measured(command, course, **environment):
    """(seconds, Peak) of a command of this Python in a course."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
        **environment,
    }
    started = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=course,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with Peak(process.pid) as peak:
        process.wait()
    return time.monotonic() - started, peak


def measure_ours(course, chapter):
    """Grade the class of a course."""
    seconds, peak = measured(
        ["autograder", "grade", chapter.name], course, PYTHONPATH=str(Path(__file__).parents[3])
    )
    each = tuple(
        json.loads(path.read_text(encoding="utf-8"))["result"]["seconds"]
        for path in journal_path(load_settings(course), chapter).glob("*.json")
    )
    return Measured(seconds, len(each), each, peak.all, peak.own)


def measure_stock(course, chapter):
    """The same class with nbgrader's own command."""
    stage(course, find_chapter(course, chapter.name))
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", chapter.name, "--force"],
        cwd=course,
        check=True,
        capture_output=True,
    )
    seconds, peak = measured(
        ["nbgrader", "autograde", chapter.name, "--ExecutePreprocessor.timeout=60"], course
    )
    graded = sorted(
        (course / "autograded").glob(f"*/{chapter.name}/*.ipynb"),
        key=lambda path: path.stat().st_mtime,
    )
    ends = [path.stat().st_mtime for path in graded]
    each = tuple(after - before for before, after in zip(ends, ends[1:]))
    return Measured(seconds, len(graded), each, peak.all)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapters", nargs="*", default=["ch02", "ch04"])
    parser.add_argument(
        "--class", dest="count", type=int, default=24, help="submissions per chapter"
    )
    parser.add_argument(
        "--scale",
        nargs="*",
        type=int,
        default=[],
        metavar="N",
        help="also grade classes of these sizes, of the first chapter",
    )
    parser.add_argument("--no-stock", action="store_true", help="leave nbgrader's own command out")
    chosen = parser.parse_args()
    root = load_settings().root
    console.print(
        f"{cores()} at a time, load before {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores"
    )
    compared = Table(
        "chapter",
        "grader",
        "submissions",
        "seconds",
        "per minute",
        "median s",
        "95% s",
        "peak MB",
        "ratio",
        title="The same class, the same machine",
    )
    for name in chosen.chapters:
        with tempfile.TemporaryDirectory(prefix="autograder-bench-") as folder:
            chapter = find_chapter(root, name)
            make_course(root, chapter, chosen.count, folder)
            ours = measure_ours(folder, chapter)
            console.print(
                f"{chapter.name}: autograder graded {ours.count} in {ours.seconds:.0f} s"
                + ("" if chosen.no_stock else "; now nbgrader, which takes minutes")
            )
            (Path(folder) / "gradebook.db").unlink(missing_ok=True)
            stock = None if chosen.no_stock else measure_stock(Path(folder), chapter)
            for title, m in (("autograder", ours), ("nbgrader", stock)):
                if m:
                    ratio = (
                        f"{ours.per_minute / stock.per_minute:.1f}" if stock and m is ours else ""
                    )
                    compared.add_row(chapter.name, title, str(m.count), *_figures(m), ratio)
    console.print(compared)
    if chosen.scale:
        scaled = Table(
            "submissions",
            "seconds",
            "per minute",
            "median s",
            "95% s",
            "peak MB",
            "coordinator MB",
            title="Does cost grow in a straight line?",
        )
        for count in chosen.scale:
            with tempfile.TemporaryDirectory(prefix="autograder-bench-") as folder:
                chapter = find_chapter(root, chosen.chapters[0])
                make_course(root, chapter, count, folder)
                m = measure_ours(folder, chapter)
                console.print(f"{count} submissions: {m.seconds:.0f} s")
                scaled.add_row(str(count), *_figures(m), f"{m.own_memory / 2**20:.0f}")
        console.print(scaled)


def _figures(m):
    high = statistics.quantiles(m.each, n=20)[-1] if len(m.each) > 1 else float("nan")
    return (
        f"{m.seconds:.1f}",
        f"{m.per_minute:.1f}",
        f"{statistics.median(m.each):.2f}" if m.each else "",
        f"{high:.2f}",
        f"{m.memory / 2**20:.0f}",
    )


if __name__ == "__main__":
    main()
