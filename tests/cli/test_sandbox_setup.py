"""How the demo gets a sandbox where there is none: apt-get, sudo and docker are stand-ins that
write down how they were called.
"""

import os
from pathlib import Path

import pytest
import yaml

from autograder.build import fresh
from autograder.cli import demo, sandbox_setup
from autograder.cli.sandbox_setup import DECLINED, docker_works, install_bubblewrap
from tests.conftest import ROOT

PROGRAM = """#!/bin/sh
echo "$(basename "$0") $*" >> "{calls}"
{then}
"""


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A PATH with nothing but what machine.has(name) puts there; machine.calls() is what was
    called.
    """

    class Machine:
        folder, log, root = tmp_path / "bin", tmp_path / "calls", tmp_path / "course"

        def has(self, name, then=""):
            path = self.folder / name
            path.write_text(PROGRAM.format(calls=self.log, then=then), encoding="utf-8")
            path.chmod(0o755)

        def calls(self):
            return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []

    made = Machine()
    made.folder.mkdir()
    made.root.mkdir()
    for tool in ("sh", "basename", "ln", "chmod"):
        (made.folder / tool).symlink_to(
            f"/bin/{tool}" if tool != "basename" else "/usr/bin/basename"
        )
    monkeypatch.setenv("PATH", str(made.folder))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return made


def brings_bubblewrap(machine):
    machine.has("apt-get", f'[ "$1" = install ] && ln -sf /bin/sh "{machine.folder}/bwrap"; true')


def test_root_installs_it_without_a_question(machine, monkeypatch):
    brings_bubblewrap(machine)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert install_bubblewrap(machine.root, ask=None)
    assert [call.split()[:2] for call in machine.calls()] == [
        ["apt-get", "update"],
        ["apt-get", "install"],
    ]
    assert machine.calls()[1].endswith(" bubblewrap")


def test_others_are_asked_and_sudo_installs_it(machine):
    brings_bubblewrap(machine)
    machine.has("sudo", 'exec "$@"')
    asked = []
    assert install_bubblewrap(machine.root, ask=lambda text: asked.append(text) or "")
    assert len(asked) == 1 and "sudo apt-get" in asked[0]
    assert [call.split()[0] for call in machine.calls()] == ["sudo", "apt-get"] * 2


def test_a_no_is_remembered_and_nothing_is_installed(machine):
    brings_bubblewrap(machine)
    machine.has("sudo", 'exec "$@"')
    assert not install_bubblewrap(machine.root, ask=lambda text: "n")
    assert (machine.root / DECLINED).is_file() and machine.calls() == []

    def never(text):
        raise AssertionError("asked a second time")

    assert not install_bubblewrap(machine.root, ask=never)


def test_nobody_is_asked_where_nothing_can_be_installed_or_nobody_can_answer(machine, monkeypatch):
    assert not install_bubblewrap(machine.root, ask=lambda text: "y")  # no apt-get
    brings_bubblewrap(machine)
    assert not install_bubblewrap(machine.root, ask=lambda text: "y")  # no sudo
    machine.has("sudo", 'exec "$@"')
    monkeypatch.setattr("sys.stdin", open(os.devnull, encoding="utf-8"))
    assert not install_bubblewrap(machine.root)
    assert machine.calls() == []


def test_an_apt_get_that_fails_is_told_in_one_line(machine, monkeypatch, capsys):
    machine.has("apt-get", 'echo "E: no network" >&2; exit 100')
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert not install_bubblewrap(machine.root)
    assert "'apt-get update -qq' failed: E: no network." in capsys.readouterr().err


@pytest.mark.parametrize("daemon, works", [("exit 0", True), ('[ "$1" != info ]', False)])
def test_docker_counts_where_a_daemon_answers_and_the_course_has_the_file(machine, daemon, works):
    machine.has("docker", daemon)
    assert not docker_works(machine.root)
    path = machine.root / sandbox_setup.COMPOSE
    path.parent.mkdir(parents=True)
    path.write_text("services: {}\n", encoding="utf-8")
    assert docker_works(machine.root) == works


def test_the_demo_goes_on_in_the_containers_where_only_docker_can_be_had(machine, monkeypatch):
    machine.has("docker", "exit 0")
    monkeypatch.setattr(fresh, "stale_files", lambda root: [])
    monkeypatch.setattr(demo, "sandbox_error", lambda: "bubblewrap is needed.")
    monkeypatch.setattr(demo, "install_bubblewrap", lambda root: False)
    monkeypatch.chdir(ROOT)
    from autograder.__main__ import main

    assert main(["demo", "ch03"]) == 0
    run = machine.calls()[-1]
    assert run == f"docker compose -f {sandbox_setup.COMPOSE} run --rm --build grader demo ch03"


def test_the_demo_says_that_the_release_is_stale_and_goes_on(machine, monkeypatch, capsys):
    machine.has("docker", "exit 0")
    monkeypatch.setattr(fresh, "stale_files", lambda root: [Path("notebooks/ch04.ipynb")])
    monkeypatch.setattr(demo, "sandbox_error", lambda: "bubblewrap is needed.")
    monkeypatch.setattr(demo, "install_bubblewrap", lambda root: False)
    monkeypatch.chdir(ROOT)
    from autograder.__main__ import main

    assert main(["demo", "ch03"]) == 0
    assert machine.calls()[-1].endswith(" grader demo ch03")
    said = capsys.readouterr().err
    assert said.startswith("note: 1 built file(s) are not what the source gives: notebooks/ch04.")
    assert said.count("\n") == 1


def test_the_compose_file_keeps_the_scheduler_and_the_database_to_itself():
    course = yaml.safe_load((ROOT / sandbox_setup.COMPOSE).read_text(encoding="utf-8"))
    services = course["services"]
    assert set(services) == {"database", "scheduler", "worker", "grader"}
    assert course["networks"]["inside"] == {"internal": True}
    for name, service in services.items():
        assert "ports" not in service and "privileged" not in service, name
        assert service["networks"] == ["inside"] or name == "grader"
    images = {services[name]["image"] for name in ("scheduler", "worker", "grader")}
    assert images == {"attention-autograder"}  # workers of another version are refused
    for name in ("worker", "grader"):
        assert "systempaths=unconfined" in services[name]["security_opt"]
    target = services["grader"]["build"]["target"]
    text = (ROOT / "docs/cluster/Dockerfile").read_text(encoding="utf-8")
    assert f" AS {target}\n" in text
