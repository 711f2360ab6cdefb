"""The gradebook in PostgreSQL, on a server that the test starts itself."""

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.results.gradebook import Book
from autograder.classroom.run.grade import grade
from autograder.course.errors import AutograderError
from tests.small_class import Classroom, Counting

FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
INITDB = shutil.which("initdb") or next(
    (str(folder / "initdb") for folder in FOLDERS if (folder / "initdb").exists()), None
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        INITDB is None, reason="PostgreSQL's server is not installed (apt-get install postgresql)"
    ),
]
USER = "nobody"  # initdb refuses root


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """(URL, function that stops the server). The server listens on a socket file only."""
    folder = Path(
        tempfile.mkdtemp(prefix="pg-", dir="/tmp")
    )  # a socket's path is at most 107 bytes long
    control, started = str(Path(INITDB).with_name("pg_ctl")), []
    if os.geteuid() == 0:
        shutil.chown(folder, USER)

    def run(*command):
        step_down = {"user": USER, "extra_groups": []} if os.geteuid() == 0 else {}
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
            **step_down,
        )

    def stop():
        if started:
            started.clear()
            run(control, "-D", str(folder / "data"), "-m", "immediate", "-w", "stop")

    run(
        INITDB,
        "-D",
        str(folder / "data"),
        "-U",
        "teacher",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-sync",
    )
    run(
        control,
        "-D",
        str(folder / "data"),
        "-l",
        str(folder / "log"),
        "-w",
        "-o",
        f"-k {folder} -c listen_addresses='' -c fsync=off",
        "start",
    )
    started.append(True)
    yield f"postgresql+psycopg://teacher@/postgres?host={folder}", stop
    stop()
    shutil.rmtree(folder, ignore_errors=True)


def test_marks_reach_postgresql_and_manual_marks_stay(course, server):
    room, (url, _) = Classroom(course), server
    settings = replace(room.settings, db_url=url)
    for student in ("ada", "ünal 'quoted'"):
        room.hand_in(student)
    grade(settings, room.chapter, Counting(room))
    with Book(url, settings.course_id) as book:
        book.book.find_grade(
            "ch01_half_check", room.chapter.name, room.chapter.name, "ada"
        ).manual_score = 0.5
        book.book.db.commit()
    room.edit_source("ch01_double", "ch01_twice")
    grade(settings, room.chapter, Counting(room))
    with Book(url, settings.course_id) as book:
        assert book.scores(room.chapter.name) == {"ada": (2.5, 3), "ünal 'quoted'": (3, 3)}


def test_a_server_that_goes_away_in_the_middle_is_one_line_and_the_next_run_goes_on(course, server):
    room, (url, stop) = Classroom(course), server
    settings = replace(room.settings, db_url=url)
    room.hand_in("ada")
    room.hand_in("ben")

    class Stopping(Counting):
        def grade(self, submission):
            stop()
            return super().grade(submission)

    first = Stopping(room)
    with pytest.raises(AutograderError, match="gradebook"):
        grade(settings, room.chapter, first)
    second = Counting(room)
    grade(replace(settings, db_url=""), room.chapter, second)
    assert sorted(first.graded + second.graded) == ["ada", "ben"]
    with Book(room.settings.database, settings.course_id) as book:
        assert book.scores(room.chapter.name) == {"ada": (3, 3), "ben": (3, 3)}
