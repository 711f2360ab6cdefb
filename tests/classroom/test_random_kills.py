"""Signal 9 to whatever takes part in a run, at a random moment: afterwards the marks are the same,
and nothing stands twice. Three rounds; AUTOGRADER_ALL=1 plays fifty.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import psutil
import pytest

from autograder.classroom.paths import journal_path
from autograder.classroom.results.gradebook import Book
from tests.conftest import EVERYTHING, ROOT
from tests.small_class import Classroom
from tests.small_class import scores as book_scores

from .postgresql import INITDB, MISSING, Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(INITDB is None, reason=MISSING),
]
ROUNDS = 50 if EVERYTHING else 3
CLASS = {"ada": 3, "ben": 1, "chloe": 3, "dmitri": 1}
SLOW = "import time; time.sleep(0.5); return 2 * x"
PARTS = {  # what a process of a run has in its command line
    "worker": "spawn_main",
    "fork server": "sandboxed.process.student_server",
    "check server": "autograder.grading.check_server",
}
VICTIMS = ("database", "worker", "fork server", "coordinator", "check server")
COMMAND = [sys.executable, "-m", "autograder", "grade", "ch01", "--no-sandbox", "--workers", "1"]
MOST_RUNS = 3  # of the command until the class is graded


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


def start(room):
    database = {"AUTOGRADER_DB_URL": room.settings.db_url, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        COMMAND,
        cwd=room.root,
        env={**os.environ, **database},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def entries(room):
    folder = journal_path(room.settings, room.chapter.name)
    return {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}


def family(process):
    """A process and all that came of it, while it is there."""
    try:
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def kill(victim, run, server):
    """Whether there was such a victim."""
    if victim == "database":
        server.kill()
        time.sleep(0.3)
        server.start()
        return True
    if victim == "coordinator":
        run.kill()
        return True
    for process in family(psutil.Process(run.pid)):
        try:
            if PARTS[victim] in " ".join(process.cmdline()):
                process.kill()
                return True
        except psutil.NoSuchProcess:
            continue
    return False


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_whatever_dies_the_marks_are_the_same_and_nothing_stands_twice(turn, server, course):
    chance, victim = random.Random(turn), VICTIMS[turn % len(VICTIMS)]
    room = Classroom(course)
    room.settings = replace(room.settings, db_url=server.create(f"turn_{turn}_{os.getpid()}"))
    for student, points in CLASS.items():
        room.hand_in(student, double=SLOW if points == 3 else SLOW.replace("2 * x", "x"))
    run = start(room)
    wanted, deadline = chance.randrange(len(CLASS)), time.monotonic() + 200
    while len(entries(room)) < wanted and run.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(chance.uniform(0, 2))
    processes = family(psutil.Process(run.pid)) if run.poll() is None else []
    done = entries(room)
    struck = run.poll() is None and kill(victim, run, server)
    said = [run.communicate(timeout=300)[1]]
    while run.returncode and len(said) < MOST_RUNS:
        run = start(room)
        said.append(run.communicate(timeout=300)[1])
    told = f"{victim}, {'killed' if struck else 'gone before'}, {len(done)} done:\n" + "\n".join(
        said
    )
    assert run.returncode == 0, told
    assert not any("Traceback" in text for text in said), told
    after = entries(room)
    assert {student: after[student] for student in done} == done, f"done again: {told}"
    with Book(room.settings.database, room.settings.course_id) as book:
        points = {who: got for who, (got, _) in book_scores(book, room.chapter.name).items()}
        handed_in = book.book.assignment_submissions(room.chapter.name)
        grades = Counter(
            (one.student_id, grade.name)
            for one in handed_in
            for notebook in one.notebooks
            for grade in notebook.grades
        )
    assert points == CLASS, told
    assert len(handed_in) == len(CLASS) and set(grades.values()) == {1}, told
    gone, alive = psutil.wait_procs(processes, timeout=60)
    assert not alive, f"left behind by {told}"
