"""A class graded by worker processes: none is lost, whatever dies. Processes are really killed
here.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest
from distributed import Client
from distributed.security import Security

from autograder.classroom.paths import journal_path
from autograder.classroom.results.gradebook import Book
from autograder.classroom.run.grade import GradeOptions, grade
from autograder.classroom.run.workers import Workers
from autograder.course.errors import AutograderError
from tests.conftest import ROOT
from tests.small_class import Classroom
from tests.small_class import scores as book_scores

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.flaky(reruns=2)]
SLOW = "import time; time.sleep(1); return 2 * x"
CLASS = {"ada": 3, "ben": 1, "chloe": 3, "dmitri": 1, "eve": 3}


@pytest.fixture
def room(course):
    """A class of five; every second has the first exercise wrong, and each notebook takes some
    seconds.
    """
    room = Classroom(course)
    for student, points in CLASS.items():
        room.hand_in(student, double=SLOW if points == 3 else SLOW.replace("2 * x", "x"))
    return room


def scores(room):
    with Book(room.settings.database, room.settings.course_id) as book:
        return {
            student: points for student, (points, _) in book_scores(book, room.chapter.name).items()
        }


def entries(room):
    return {
        path.stem: json.loads(path.read_text())
        for path in journal_path(room.settings, room.chapter.name).glob("*.json")
    }


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT)}


class Cluster:
    """A scheduler and one worker, processes of their own in folders of their own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"tcp://127.0.0.1:{free.getsockname()[1]}"

    def start(self):
        for name, command in (
            ("scheduler", ["scheduler", "--host", self.address, "--no-dashboard"]),
            (
                "worker",
                [
                    "worker",
                    self.address,
                    "--nworkers",
                    "1",
                    "--nthreads",
                    "1",
                    "--memory-limit",
                    "0",
                    "--no-dashboard",
                ],
            ),
        ):
            own = self.folder / name
            own.mkdir(parents=True, exist_ok=True)
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *command],
                    cwd=own,
                    env=environment(),
                    start_new_session=True,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )

    def kill(self):
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes = []


def test_a_worker_killed_in_the_middle_of_a_notebook_costs_nothing(room):
    killed = []
    with Workers(room.root, sandbox=False, count=1) as workers:

        def kill_once(result, done, total):
            if not killed:
                time.sleep(0.5)
                killed.extend(workers.client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        graded = grade(room.settings, room.chapter, workers, on_result=kill_once)
    assert killed and {r.student: r.points for r in graded.results} == CLASS == scores(room)


def test_a_scheduler_elsewhere_that_is_killed_and_comes_back_loses_nothing(room, tmp_path_factory):
    cluster, restarted = Cluster(tmp_path_factory.mktemp("cluster")), []
    cluster.start()
    try:

        def restart_once(result, done, total):
            if not restarted:
                restarted.append(done)
                cluster.kill()
                cluster.start()

        with Workers(room.root, cluster.address, sandbox=False, patience=120) as workers:
            graded = grade(room.settings, room.chapter, workers, on_result=restart_once)
    finally:
        cluster.kill()
    assert restarted and {r.student: r.points for r in graded.results} == CLASS == scores(room)


def test_a_coordinator_killed_with_signal_9_goes_on_and_leaves_no_worker_behind(room):
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        "ch01",
        "--no-sandbox",
        "--workers",
        "1",
    ]
    first = subprocess.Popen(
        command,
        cwd=room.root,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 300
    while not entries(room) and time.monotonic() < deadline:
        time.sleep(0.1)
    children = psutil.Process(first.pid).children(recursive=True)
    first.kill()
    first.wait()
    done = entries(room)
    assert done and len(done) < len(CLASS), "the run ended before it could be killed"
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert gone and not alive
    second = subprocess.run(
        command, cwd=room.root, env=environment(), capture_output=True, text=True, timeout=400
    )
    assert second.returncode == 0, second.stderr
    after = entries(room)
    assert {student: after[student] for student in done} == done, "what was done was done again"
    assert len({entry["run"] for entry in after.values()}) == 1
    assert scores(room) == CLASS


def test_after_a_test_is_changed_a_worker_runs_only_the_checks_concerned(room):
    with Workers(room.root, sandbox=False, count=1) as workers:
        grade(room.settings, room.chapter, workers, GradeOptions(["ada"]))
        kept = entries(room)["ada"]["result"]["verdicts"][0]
        path = journal_path(room.settings, room.chapter.name) / "ada.json"
        path.write_text(
            path.read_text()
            .replace('"points": 2.0', '"points": 1.5')
            .replace('"points": 2,', '"points": 1.5,')
        )
        room.edit_source("assert half(7.0) == 3.5", "assert half(7.0) == 4")
        options = GradeOptions(["ada"], only_changed=True)
        (result,) = grade(room.settings, room.chapter, workers, options).results
    assert kept["points"] == 2 and [v.points for v in result.verdicts] == [
        1.5,
        0,
    ], "the first check was run again"


def test_who_does_not_have_the_keys_of_a_run_cannot_give_its_workers_orders(room):
    with Workers(room.root, sandbox=False, count=1) as workers:
        workers.begin(room.chapter)
        workers.connect(1)
        address = workers.cluster.scheduler_address
        for keys in (None, Security.temporary()):
            with pytest.raises(OSError):
                Client(
                    address if keys else address.replace("tls:", "tcp:"), security=keys, timeout=2
                )
        assert workers.client.submit(sum, [1, 2]).result() == 3


def test_the_scheduler_of_this_machine_listens_to_this_machine_only_and_serves_no_page(room):
    with Workers(room.root, sandbox=False, count=1) as workers:
        workers.connect(1)
        listening = [
            c.laddr.ip
            for pid in (os.getpid(), *workers.client.run(os.getpid).values())
            for c in psutil.Process(pid).net_connections()
            if c.status == "LISTEN"
        ]
        assert set(listening) == {"127.0.0.1"}
        with pytest.raises(HTTPError, match="404"):
            urlopen(
                f"http://127.0.0.1:{workers.cluster.scheduler.http_server.port}/info/main/workers.html"
            )


def test_notebooks_that_were_sent_are_not_kept(room):
    with Workers(room.root, sandbox=False, count=1) as workers:
        workers.connect(1)
        before, size, count = psutil.Process().memory_info().rss, 4 << 20, 60
        for number in range(count):
            workers.client.submit(len, os.urandom(size), key=f"notebook-{number}").result()
        assert psutil.Process().memory_info().rss - before < size * count / 2


def test_a_scheduler_that_never_answers_is_one_line(room):
    workers = Workers(room.root, "tcp://127.0.0.1:9", first_patience=1)
    with (
        pytest.raises(AutograderError, match="no Dask scheduler answers at tcp://127.0.0.1:9"),
        workers,
    ):
        grade(room.settings, room.chapter, workers)
