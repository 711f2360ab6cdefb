"""How fast is grading? Stock ``nbgrader autograde`` and ``autograder grade``, the same class, the same machine, one after the other.

    python -m autograder.bench.grader [chapter ...] [--class 24] [--scale 20 200 1000] [--no-stock]

The class is made of the sample class of sample.py (without the endless loop and the file that is no notebook, which nbgrader takes for
a wait of its whole time limit and an error), copied with small edits until it is as large as asked.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from rich.console import Console
from rich.table import Table

from ..chapter import find_chapter
from ..grade import grade
from ..sample import CLASS, Desk
from ..settings import load_settings
from ..stage import stage
from ..workers import Workers, local_count

LEFT_OUT = ("farid", "hugo")             # the endless loop, and the file that is no notebook
console = Console(width=130)


@dataclass(frozen=True)
class Measured:
    seconds: float
    count: int
    each: tuple                          # seconds of each submission, as far as known
    memory: int                          # bytes of all processes together, at most
    own_memory: int = 0                  # bytes of the coordinator, at most

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
        while not self._stop.wait(0.5):
            try:
                self.own = max(self.own, self.process.memory_info().rss)
                self.all = max(self.all, sum(map(_share, [self.process, *self.process.children(recursive=True)])))
            except psutil.Error:
                continue


def _share(process):
    """Proportional share of memory: pages that forked processes have in common count once."""
    try:
        return process.memory_full_info().pss
    except psutil.Error:
        return 0


def make_class(root, chapter, count, folder):
    """Write ``count`` submissions of a chapter below ``folder``; copies differ by a comment in each answer."""
    stories = [story for story in CLASS if story.student not in LEFT_OUT]
    originals = [story.edit(Desk(root, chapter)) for story in stories]
    for number in range(count):
        which = number % len(originals)
        path = Path(folder, f"{stories[which].student}{number:04d}", chapter.name, f"{chapter.name}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(originals[which].replace(b"return ", b"return  ", number // len(originals)))


def measure_ours(settings, chapter):
    """Grade the class that lies in the settings' folder, start of the workers included."""
    each = []
    with Peak() as peak:
        started = time.monotonic()
        with Workers(settings.root) as workers:
            grade(settings, chapter, on_result=lambda result, *_: each.append(result.seconds), workers=workers)
        seconds = time.monotonic() - started
    return Measured(seconds, len(each), tuple(each), peak.all, peak.own)


def measure_stock(settings, chapter, folder):
    """The same class with nbgrader's own command, in a course folder of its own with the same source and configuration."""
    course = Path(folder, "stock")
    course.mkdir()
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(settings.root / name, course / name)
    shutil.copytree(settings.root / "source", course / "source", ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copytree(settings.submitted, course / "submitted")
    stage(course, find_chapter(course, chapter.name))
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    nbgrader = [sys.executable, "-m", "nbgrader"]
    subprocess.run([*nbgrader, "generate_assignment", chapter.name, "--force"], cwd=course, env=environment, check=True, capture_output=True)
    started = time.monotonic()
    process = subprocess.Popen([*nbgrader, "autograde", chapter.name, "--ExecutePreprocessor.timeout=60"], cwd=course, env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with Peak(process.pid) as peak:
        process.wait()
    seconds = time.monotonic() - started
    graded = sorted((course / "autograded").glob(f"*/{chapter.name}/*.ipynb"), key=lambda path: path.stat().st_mtime)
    ends = [path.stat().st_mtime for path in graded]
    each = tuple(after - before for before, after in zip(ends, ends[1:]))
    return Measured(seconds, len(graded), each, peak.all)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapters", nargs="*", default=["ch02", "ch04"])
    parser.add_argument("--class", dest="count", type=int, default=24, help="submissions per chapter")
    parser.add_argument("--scale", nargs="*", type=int, default=[], metavar="N", help="also grade classes of these sizes, of the first chapter")
    parser.add_argument("--no-stock", action="store_true", help="leave nbgrader's own command out")
    chosen = parser.parse_args()
    root = load_settings().root
    console.print(f"{local_count()} worker(s), load before {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    compared = Table("chapter", "grader", "submissions", "seconds", "per minute", "median s", "95% s", "peak MB", "ratio", title="The same class, the same machine")
    for name in chosen.chapters:
        with tempfile.TemporaryDirectory(prefix="autograder-bench-") as folder:
            settings, chapter = _settings(root, folder), find_chapter(root, name)
            make_class(root, chapter, chosen.count, Path(folder, "submitted"))
            ours = measure_ours(settings, chapter)
            stock = None if chosen.no_stock else measure_stock(settings, chapter, folder)
            for title, m in (("autograder", ours), ("nbgrader", stock)):
                if m:
                    ratio = f"{ours.per_minute / stock.per_minute:.1f}" if stock and m is ours else ""
                    compared.add_row(chapter.name, title, str(m.count), *_figures(m), ratio)
    console.print(compared)
    if chosen.scale:
        scaled = Table("submissions", "seconds", "per minute", "median s", "95% s", "peak MB", "coordinator MB", title="Does cost grow in a straight line?")
        for count in chosen.scale:
            with tempfile.TemporaryDirectory(prefix="autograder-bench-") as folder:
                chapter = find_chapter(root, chosen.chapters[0])
                make_class(root, chapter, count, Path(folder, "submitted"))
                m = measure_ours(_settings(root, folder), chapter)
                scaled.add_row(str(count), *_figures(m), f"{m.own_memory / 2**20:.0f}")
        console.print(scaled)


def _settings(root, folder):
    """The course's settings with all that is written in ``folder``."""
    return replace(load_settings(root), db_url=f"sqlite:///{folder}/gradebook.db", submitted=str(Path(folder, "submitted")),
                   feedback=str(Path(folder, "feedback")), marks=str(Path(folder, "marks")))


def _figures(m):
    high = statistics.quantiles(m.each, n=20)[-1] if len(m.each) > 1 else float("nan")
    return (f"{m.seconds:.1f}", f"{m.per_minute:.1f}", f"{statistics.median(m.each):.2f}" if m.each else "", f"{high:.2f}", f"{m.memory / 2**20:.0f}")


if __name__ == "__main__":
    main()
