"""How the demo gets a sandbox on a fresh machine: bubblewrap from the system's packages, or the
containers of docs/cluster/compose.yaml.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from autograder.cli.console import say, warn
from autograder.course.errors import SandboxError

COMPOSE = Path("docs", "cluster", "compose.yaml")
DECLINED = Path(".autograder", "bubblewrap-declined")
INSTALL = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "bubblewrap"]


def sandbox_error() -> str:
    """Why students' code cannot be sealed on this machine, one line; empty where it can."""
    from autograder.grading.host.bubblewrap import probe, start_student_server

    try:
        server = start_student_server()
        probe(server)
        server.close()
    except SandboxError as error:
        return str(error)
    return ""


def install_bubblewrap(root: Path, ask: Callable[[str], str] | None = None) -> bool:
    """Install bubblewrap with apt-get, as root at once, else with sudo after asking; returns
    whether it is there now.

    root: the course's folder, which remembers a no. ask: takes the question and returns the
    answer; by default it asks in the terminal, where there is one.
    """
    if shutil.which("bwrap"):
        return True
    if not shutil.which("apt-get"):
        return False
    before: list[str] = []
    if os.geteuid() != 0:
        if not shutil.which("sudo") or (root / DECLINED).exists():
            return False
        ask = ask or (input if sys.stdin.isatty() and sys.stdout.isatty() else None)
        if ask is None:
            return False
        question = "Students' code runs in bubblewrap. Install it with 'sudo apt-get'? [Y/n] "
        if ask(question).strip().lower() not in ("", "y", "yes"):
            (root / DECLINED).parent.mkdir(exist_ok=True)
            (root / DECLINED).write_text("Delete this file to be asked again.\n", encoding="utf-8")
            return False
        before = ["sudo"]
    say("Installing bubblewrap.")
    for command in (["apt-get", "update", "-qq"], INSTALL):
        done = subprocess.run(
            [*before, *command], capture_output=not before, text=True, check=False
        )
        if done.returncode:
            said = (done.stderr or "").strip().splitlines()
            warn(f"note: '{' '.join(command)}' failed{': ' + said[-1] if said else ''}.")
    return bool(shutil.which("bwrap"))


def docker_works(root: Path) -> bool:
    """Whether `docker compose` is here, a daemon answers it, and the course has a compose file."""
    if not shutil.which("docker") or not (root / COMPOSE).is_file():
        return False
    return all(
        subprocess.run(["docker", *words], capture_output=True, check=False).returncode == 0
        for words in (["compose", "version"], ["info"])
    )


def run_in_containers(root: Path, arguments: Sequence[str]) -> int:
    """Run one of our commands in the grader's container, beside its scheduler, workers and
    database; returns its exit status.

    The files that it writes belong to the caller.
    """
    user = f"{os.getuid()}:{os.getgid()}" if hasattr(os, "getuid") else "1000:1000"
    command = ["docker", "compose", "-f", str(COMPOSE), "run", "--rm", "--build", "grader"]
    own = {**os.environ, "AUTOGRADER_USER": user}
    return subprocess.run([*command, *arguments], cwd=root, env=own, check=False).returncode
