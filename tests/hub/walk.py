"""A hub as docs/instructors.md sets it up, tried by hand (`make hub`): JupyterHub from PyPI and its
proxy from npm start with docs/hub/jupyterhub_config.py; an instructor and a student log in, and an
assignment goes from the one to the other and back, graded. Needs an internet connection once.

It is not collected with the other tests: its file is not called test_….
"""

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import requests

from autograder.build.release import release
from tests.conftest import ROOT

CHAPTER, TEACHER, STUDENT = "ch01_small", "instructor", "ada"
ACCOUNT = pwd.getpwuid(os.getuid()).pw_name  # what nbgrader calls whoever runs a server
# in place of the machine's accounts: everybody may log in, and servers run as who started the hub
ACCOUNTS = """
exec(open({config!r}).read())
c.JupyterHub.authenticator_class = "dummy"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.port = {port}
c.JupyterHub.hub_port = {port} + 1
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:" + str({port} + 2)
c.ConfigurableHTTPProxy.command = [{proxy!r}]
c.SimpleLocalProcessSpawner.home_dir_template = {homes!r} + "/{{username}}"
c.Spawner.env_keep = ["PATH", "PYTHONPATH", "LANG"]
c.Spawner.http_timeout = c.Spawner.start_timeout = 180
c.Spawner.args += ["--allow-root"]
"""


class Person:
    """Somebody who is logged in, with a browser's cookies."""

    def __init__(self, hub, name):
        self.hub, self.name, self.session = hub, name, requests.Session()
        page = self.session.get(f"{hub}/hub/login")
        form = {"username": name, "password": "x", "_xsrf": self.session.cookies.get("_xsrf")}
        answer = self.session.post(f"{hub}/hub/login?next=/hub/spawn", data=form)
        assert answer.ok, (page.status_code, answer.text[:500])
        until(lambda: "/user/" in self.get("tree").url)  # a page, which logs in to the server too

    def get(self, path):
        return self.session.get(f"{self.hub}/user/{self.name}/{path}")

    def post(self, address, **data):
        xsrf = next(c.value for c in self.session.cookies if c.name == "_xsrf" and "user" in c.path)
        answer = self.session.post(
            f"{self.hub}/user/{self.name}/{address}", data=data, headers={"X-XSRFToken": xsrf}
        )
        assert answer.ok, answer.text[:500]
        return answer.json()


def until(holds, seconds=180):
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if holds():
                return
        except requests.RequestException:
            pass
        time.sleep(1)
    raise AssertionError("the hub did not come up in time")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def hub(course, tmp_path):
    """The address of a hub for a small course."""
    release(course, ["ch01"])
    (course / ".venv").symlink_to(sys.prefix)
    homes, exchange, port = tmp_path / "homes", tmp_path / "exchange", free_port()
    for folder in (exchange, *(homes / name for name in (TEACHER, STUDENT))):
        folder.mkdir(parents=True)
    exchange.chmod(0o777)
    proxy = shutil.which("configurable-http-proxy")
    assert proxy, "npm install configurable-http-proxy, and put node_modules/.bin on the path"
    config = ROOT / "docs/hub/jupyterhub_config.py"
    about = {"config": str(config), "port": port, "proxy": proxy, "homes": str(homes)}
    (tmp_path / "config.py").write_text(ACCOUNTS.format(**about))
    environment = {
        **os.environ,
        "COURSE": str(course),
        "STUDENTS": sys.prefix,
        "EXCHANGE": str(exchange),
        "SHARED": str(tmp_path / "shared"),
        "INSTRUCTORS": TEACHER,
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "jupyterhub", "-f", str(tmp_path / "config.py")]
    with (tmp_path / "log.txt").open("w") as log:
        running = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        until(lambda: requests.get(f"{address}/hub/login").ok)
        yield address
    except BaseException:
        lines = (tmp_path / "log.txt").read_text().splitlines(keepends=True)
        sys.stderr.writelines([line for line in lines if "JupyterHub" in line or "Error" in line])
        raise
    finally:
        running.terminate()
        running.wait(60)


def test_the_whole_road(hub, course, tmp_path):
    teacher = Person(hub, TEACHER)
    page = teacher.get("formgrader")
    assert page.ok and "formgrader" in page.text.lower(), page.text[:300]
    assert page.headers["Content-Security-Policy"].startswith("frame-ancestors 'self'")
    names = [one["name"] for one in teacher.get("formgrader/api/assignments").json()]
    assert CHAPTER in names, "formgrader knows the course"
    for step in ("assign", "release"):
        assert teacher.post(f"formgrader/api/assignment/{CHAPTER}/{step}")["success"]

    student = Person(hub, STUDENT)
    about = {"course_id": "attention", "assignment_id": CHAPTER}
    assert student.post("assignments/fetch", **about)["success"]
    home = Path(tmp_path, "homes", STUDENT)
    (path,) = home.rglob(f"{CHAPTER}.ipynb")
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "ch01_double":
            cell["source"] = "def double(x):\n    return 2 * x"
    path.chmod(0o644)
    path.write_text(json.dumps(notebook))
    where = path.relative_to(home).as_posix()
    said = student.post("assignments/validate", path=where)["value"]
    said = json.loads(said) if isinstance(said, str) else said
    assert len(said["failed"]) == 1, "one of two exercises is answered"
    assert student.post("assignments/submit", **about)["success"]

    assert teacher.post(f"formgrader/api/assignment/{CHAPTER}/collect")["success"]
    graded = teacher.post(f"formgrader/api/submission/{CHAPTER}/{ACCOUNT}/autograde")
    assert graded["success"], graded
    entries = teacher.get(f"formgrader/api/submissions/{CHAPTER}").json()
    assert {entry["student"]: entry["score"] for entry in entries}[ACCOUNT] == 2
    for step in ("generate_feedback", "release_feedback"):
        assert teacher.post(f"formgrader/api/assignment/{CHAPTER}/{step}")["success"]
    assert student.post("assignments/fetch_feedback", **about)["success"]
    feedback = next(home.rglob("*.html"))
    assert "half" in feedback.read_text() and "works for odd numbers" not in feedback.read_text()
