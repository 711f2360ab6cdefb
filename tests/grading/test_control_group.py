"""A control group around a submission: made where one may be made, left out elsewhere."""

import os

import pytest

from autograder.grading.host import control_group
from autograder.grading.host.control_group import ControlGroup, delegated
from autograder.sandboxed.process import namespaces


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder that looks like a delegated group, and the file that says that we are in it."""
    base = tmp_path / "cgroup" / "ours.scope"
    base.mkdir(parents=True)
    (base / "cgroup.controllers").write_text("cpu memory pids\n")
    (base / "cgroup.procs").write_text(f"{os.getpid()}\n")
    (base / "cgroup.subtree_control").write_text("")
    told = tmp_path / "self"
    told.write_text("4:memory:/old\n0::/ours.scope\n")
    monkeypatch.setattr(os, "getxattr", lambda path, name: b"1")  # systemd delegated it
    return tmp_path / "cgroup", told, base


def test_our_processes_step_aside_and_the_limits_can_be_set_below(tree):
    root, told, base = tree
    assert delegated(root, told) == base
    assert (base / "autograder" / "cgroup.procs").read_text() == str(os.getpid())
    assert (base / "cgroup.subtree_control").read_text() == "+memory +pids"
    told.write_text("0::/ours.scope/autograder\n")
    assert delegated.__wrapped__(root, told) == base


@pytest.mark.parametrize("missing", ["memory", "line", "folder", "right"])
def test_without_a_delegated_group_there_is_none(tree, missing, monkeypatch):
    root, told, base = tree
    if missing == "memory":
        (base / "cgroup.controllers").write_text("cpu pids")
    if missing == "line":
        told.write_text("4:memory:/old\n")
    if missing == "folder":
        told.write_text("0::/elsewhere\n")
    if missing == "right":
        monkeypatch.setattr(os, "getxattr", lambda path, name: b"0")
    assert delegated.__wrapped__(root, told) is None
    monkeypatch.setattr(control_group, "delegated", lambda: None)
    assert control_group.make(1, 1) is None


def test_a_group_has_the_limits_and_says_when_the_kernel_ended_it(tmp_path, monkeypatch):
    made = tmp_path / "one"
    mkdir = type(made).mkdir

    def with_procs(path, *about, **more):
        mkdir(path, *about, **more)
        (path / "cgroup.procs").write_text("")

    monkeypatch.setattr(type(made), "mkdir", with_procs)
    group = ControlGroup(made, 1 << 30, 64)
    limits = {name: (made / name).read_text() for name in ("memory.max", "pids.max")}
    assert limits == {"memory.max": str(1 << 30), "pids.max": "64"}
    assert (made / "memory.swap.max").read_text() == "0"
    assert not group.ran_out
    (made / "memory.events").write_text("low 0\noom 1\noom_kill 3\n")
    assert group.ran_out
    namespaces.enter_groups([group.procs])
    assert (made / "cgroup.procs").read_text() == "0"
    group.remove()
    assert (made / "cgroup.kill").read_text() == "1" and group.procs == -1


@pytest.mark.skipif(delegated() is None, reason="no control group was delegated to us here")
def test_a_real_group_can_be_made_and_removed():
    group = control_group.make(1 << 30, 64)
    assert group is not None and group.path.is_dir()
    group.remove()
    assert not group.path.exists()
