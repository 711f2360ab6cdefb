"""Shut one student's process in: namespaces of its own inside the sandbox, no privileges, limits on
all it can use.

Nested in the sandbox that bubblewrap made, every submission gets fresh user, process, mount,
network, IPC and host-name namespaces, a scratch folder of limited size, and an empty /proc.
"""

import ctypes
import os
import resource
from collections.abc import Callable, Iterable
from typing import Any

from . import seccomp

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
CLONE_ALL = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 24, 36, 38
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def become_reaper() -> None:
    """Orphans of this process come to it, so that it can wait for them."""
    _checked(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "subreaper")


class NotIsolated(OSError):
    """A step of shutting a process in failed, so nothing of a student may run there."""


def launch(
    limits: dict[str, Any],
    run: Callable[[], object],
    files: Iterable[int],
    fork: Callable[..., int],
    groups: Iterable[int] = (),
) -> int:
    """Fork a process in namespaces of its own; returns its id as seen from here. Killing it ends
    everything inside.

    files: what it keeps open. groups: open files by which a process enters a control group. Raises
    NotIsolated unless every step succeeded.
    """
    told, tell = os.pipe()

    def shut_in() -> None:
        _telling(tell, lambda: drop_privileges(limits))
        os.write(tell, b"shut\n")
        os.close(tell)
        run()

    groups = list(groups)

    def enter() -> None:
        _telling(tell, lambda: enter_groups(groups))
        _telling(tell, lambda: separate(limits))
        os.write(tell, f"pid {fork(shut_in, [*files, tell])}\n".encode())

    outer = fork(enter, [*files, *groups, tell])
    os.close(tell)
    with os.fdopen(told, encoding="utf-8") as file:
        said = file.read().split("\n")
    os.waitpid(outer, 0)
    pid = next((int(line.removeprefix("pid ")) for line in said if line.startswith("pid ")), None)
    if pid is None or "shut" not in said:
        if pid is not None:
            os.waitpid(pid, 0)
        failed = [line.removeprefix("failed ") for line in said if line.startswith("failed ")]
        raise NotIsolated(failed[0] if failed else "a submission's namespaces could not be made")
    return pid


def _telling(tell: int, step: Callable[[], None]) -> None:
    """Do a step; if it fails, say so before the process ends."""
    try:
        step()
    except BaseException as error:
        os.write(tell, f"failed {error}\n".encode())
        raise


def enter_groups(groups: Iterable[int]) -> None:
    """Enter control groups by their open cgroup.procs, with all that is forked from now on."""
    for group in groups:
        os.write(group, b"0")


def separate(limits: dict[str, Any]) -> None:
    """Leave the sandbox's namespaces for new ones; a child of this process will be the first in
    them.
    """
    user, group = os.getuid(), os.getgid()
    _checked(libc.unshare(CLONE_ALL), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    scratch = f"mode=700,nr_inodes=4096,size={limits['scratch_bytes']}"
    # Python itself, where it is installed there
    kept = [(folder, os.open(folder, os.O_PATH)) for folder in _mounted_below("/tmp")]
    _mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, scratch)
    for folder, opened in kept:
        os.makedirs(folder)
        _mount(f"/proc/self/fd/{opened}", folder, None, MS_BIND | MS_REC)
        os.close(opened)
    os.mkdir("/tmp/shm")  # one room for both, so that there is one limit on all files
    _mount("/tmp/shm", "/dev/shm", None, MS_BIND)
    # mapped, /dev/zero is memory that nobody counts
    _mount("/dev/full", "/dev/zero", None, MS_BIND)
    for empty in ("/dev/pts", "/proc"):
        _mount("tmpfs", empty, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, "size=4k")
    os.mkdir("/tmp/home")
    os.chdir("/tmp/home")


def _mounted_below(folder: str) -> list[str]:
    """Folders below one on which something is mounted, but for those inside another of them."""
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        points = [line.split()[4].encode().decode("unicode_escape") for line in file]
    below = sorted(
        point for point in points if point.startswith(f"{folder}/") and os.path.isdir(point)
    )
    return [point for point in below if not any(point.startswith(f"{other}/") for other in below)]


def _mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    words = (source.encode(), target.encode(), kind and kind.encode())
    _checked(libc.mount(*words, flags, options.encode()), f"mount {target}")


def drop_privileges(limits: dict[str, Any]) -> None:
    """Give up every privilege for good, leave the parent's process group, take on the limits."""
    os.setsid()
    limit(limits)
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    _checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    _checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    _checked(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable")
    seccomp.install(libc)


def limit(limits: dict[str, Any]) -> None:
    """Limits of the kernel on this process and its children."""
    for name, key in (
        ("RLIMIT_AS", "memory_bytes"),
        ("RLIMIT_FSIZE", "file_bytes"),
        ("RLIMIT_NOFILE", "open_files"),
        ("RLIMIT_CPU", "cpu_seconds"),
        ("RLIMIT_NPROC", "processes"),
        ("RLIMIT_SIGPENDING", "timers"),
    ):
        if limits.get(key):
            wanted, (_, most) = int(limits[key]), resource.getrlimit(getattr(resource, name))
            wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
            resource.setrlimit(getattr(resource, name), (wanted, wanted))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
