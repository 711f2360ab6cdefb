"""`check` runs with what the student extra brings, on systems that have no Unix modules too."""

import contextlib
import json
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.build.release import release
from autograder.course.chapter import student_path
from tests import damage
from tests.conftest import CHAPTER, ROOT, write_chapter
from tests.notebooks import as_bytes

UNIX = ("fcntl", "resource", "pwd", "grp", "termios", "pty", "syslog")  # not on Windows
GRADERS = ("distributed", "dask", "nbgrader", "sqlalchemy", "psycopg", "playwright", "sphinx")
# What these modules lack on Windows. Our own code must do without; the interpreter's modules and
# the kernel's libraries ask which system this is, and keep them.
MISSING = {
    "os": "fork forkpty register_at_fork geteuid getuid getgid getegid setuid setsid killpg uname "
    "sysconf nice chown mkfifo O_PATH O_NOFOLLOW O_CLOEXEC O_DIRECTORY getloadavg "
    "sched_getaffinity sendfile waitid WNOHANG",
    "signal": "SIGALRM SIGKILL SIGHUP SIGXCPU SIGUSR1 SIGCHLD alarm setitimer pthread_sigmask",
    "socket": "AF_UNIX recv_fds send_fds",
    "select": "poll epoll",
}
PROGRAM = """
import builtins, json, sys
blocked, missing = json.loads(sys.argv[1])
for name in blocked:
    sys.modules[name] = None
class Without:
    def __init__(self, module, names):
        self.__dict__.update(module=module, names=set(names.split()), name="nt")
    def __getattr__(self, name):
        if name in self.names:
            raise AttributeError(f"{name} is not on Windows")
        return getattr(self.module, name)
real = builtins.__import__
def ours(name, globals=None, locals=None, fromlist=(), level=0):
    found = real(name, globals, locals, fromlist, level)
    mine = (globals or {}).get("__name__", "").split(".")[0] == "autograder"
    return Without(found, missing[name]) if mine and level == 0 and name in missing else found
builtins.__import__ = ours
from autograder.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


def brought(name, extras=(), seen=None):
    """Names of all packages that this one brings along, as pip would install it."""
    seen = set() if seen is None else seen
    if (name, *extras) not in seen:
        seen.add((name, *extras))
        for line in requires(name) or ():
            need = Requirement(line)
            if not need.marker or any(
                need.marker.evaluate({"extra": one}) for one in extras or [""]
            ):
                with contextlib.suppress(PackageNotFoundError):  # of another system
                    brought(canonicalize_name(need.name), tuple(sorted(need.extras)), seen)
    return {one for one, *_ in seen}


@pytest.mark.parametrize("text", ["README.md", "site/index.md"])
def test_the_set_up_for_students_brings_jupyterlab_and_no_nbgrader(text):
    """Control: the set-up for graders does bring it, and with it "Create Assignment"."""
    assert 'pip install -c requirements.txt ".[student]"' in (ROOT / text).read_text("utf-8")
    student = brought("attention-autograder", ("student",))
    assert {"jupyterlab", "torch", "transformers"} <= student and "nbgrader" not in student
    assert "nbgrader" in brought("attention-autograder", ("classroom",))


def run(course, *words, **environment):
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([[*UNIX, *GRADERS], MISSING]), *words],
        cwd=course,
        env={"PATH": "", "PYTHONPATH": str(ROOT), "HOME": str(course), **environment},
        capture_output=True,
        timeout=120,
    )


def told(done):
    return done.stdout.decode("utf-8") + done.stderr.decode("utf-8")


def test_a_student_checks_without_unix_modules_and_without_what_graders_install(course):
    release(course, ["ch01"])
    notebook = student_path(course, "ch01_small")
    for path in (notebook, course / "source/ch01_small/ch01_small.py"):  # as git checks them out
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    done = run(course, "check", str(notebook))
    assert done.returncode == 0 and "The file would be accepted" in told(done), told(done)
    assert told(done).count("not begun") == 2, told(done)
    assert "as you, without the sandbox" in told(done), told(done)
    theirs = course / "submitted/ada/ch01_small/ch01_small.ipynb"
    theirs.parent.mkdir(parents=True)
    theirs.write_bytes(b"{}")
    done = run(course, "check", str(theirs))
    assert done.returncode == 1 and "was handed in by a student. Use grade" in told(done)
    done = run(course, "check", "nothing.ipynb")
    assert "nothing.ipynb cannot be read" in told(done), told(done)


@pytest.mark.parametrize(
    "words, lacks", [("grade ch01 --no-sandbox", "fcntl"), ("survivors ch01", "resource")]
)
def test_what_needs_a_unix_module_says_so_in_one_line(course, words, lacks):
    """The control, too: what was taken away is missed."""
    done = run(course, *words.split())
    said = f"error: '{words.split()[0]}' needs {lacks}, which Windows does not have."
    assert done.returncode == 1 and told(done).startswith(said), told(done)
    assert told(done).count("\n") == 1


def test_a_console_that_cannot_write_a_sign_shows_another_and_goes_on(course):
    chapter = CHAPTER.replace("Exercise 1.1 · Double", "Exercise 1.1 · Double √2")
    write_chapter(course, "ch01_small", chapter.replace("was not doubled", "was not √doubled"))
    release(course, ["ch01"])
    path = student_path(course, "ch01_small")
    notebook = damage.solved(json.loads(path.read_text(encoding="utf-8")))
    damage.cell(notebook, "ch01_double")["source"] = "def double(x):\n    return x"
    path.write_bytes(as_bytes(notebook))
    done = run(course, "check", str(path), PYTHONIOENCODING="cp1252")
    said = done.stdout.decode("cp1252")
    assert done.returncode == 0, done.stderr
    assert "1.1 · Double ?2" in said and "was not ?doubled" in said
    assert "The file would be accepted" in said
    assert "Double √2" in told(run(course, "check", str(path), PYTHONIOENCODING="utf-8"))
    done = run(course, "check", "√.ipynb", PYTHONIOENCODING="cp1252:strict")
    assert b"?.ipynb cannot be read" in done.stdout, done.stderr
