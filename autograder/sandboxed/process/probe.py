"""Try every promise of the sandbox from inside, as a submission would: what should be refused must
be.
"""

import ctypes
import os
import platform
import resource
import socket
from collections.abc import Iterator

from .seccomp import MACHINES, REFUSED

LIMITS = {
    "scratch_bytes": 1 << 20,
    "memory_bytes": 8 << 30,
    "file_bytes": 1 << 20,
    "open_files": 64,
    "processes": 32,
    "cpu_seconds": 30,
    "timers": 64,
}
TRIED = (
    *("unshare", "setns", "mount", "umount2", "ptrace", "memfd_create", "vmsplice"),
    *("io_setup", "inotify_init1", "mq_open", "seccomp"),
)
NEWER = {"io_uring_setup": 425, "pidfd_open": 434, "landlock_create_ruleset": 444, "statmount": 457}
READ_ONLY = ("/", "/dev", "/dev/pts", "/proc", "/usr/lib", "/package/sandboxed")
EPERM, ENOSYS = 1, 38
PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS = 21, 39
CAPABILITY_VERSION = 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def broken_promises() -> list[str]:
    """Sentences on what does not hold in this process, which was shut in with LIMITS."""
    return [
        sentence for look in (_sockets, _calls, _files, _limits, _privileges) for sentence in look()
    ]


def _sockets() -> Iterator[str]:
    for family in range(64):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            try:
                socket.socket(family, kind).close()
            except OSError:
                continue
            if family != socket.AF_UNIX:
                yield f"a socket of family {family} can be opened"
    with socket.socket(socket.AF_UNIX) as one:
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        except OSError:
            return
    yield "the buffer of a socket can be made larger"


def _calls() -> Iterator[str]:
    column = MACHINES[platform.machine()][0]
    for name, number in {**{one: REFUSED[one][column] for one in TRIED}, **NEWER}.items():
        ctypes.set_errno(0)
        result = libc.syscall(number, -1, 0, 0, 0, 0)  # no call takes that, and with 0 one obeys
        if result != -1 or ctypes.get_errno() not in (EPERM, ENOSYS):
            yield f"the system call {name} is not refused"


def _files() -> Iterator[str]:
    for folder in READ_ONLY:
        try:
            os.close(os.open(f"{folder}/mark", os.O_CREAT | os.O_WRONLY))
        except OSError:
            continue
        yield f"{folder} can be written to"
    for folder in ("/proc", "/dev/pts"):
        if os.listdir(folder):
            yield f"{folder} is not empty"
    try:
        for number in range(3):
            with open(f"/dev/shm/{number}" if number else "/tmp/0", "wb") as file:
                file.write(bytes(LIMITS["scratch_bytes"] // 2))
    except OSError:
        return
    yield "more can be written to the scratch folder than its size"


def _limits() -> Iterator[str]:
    for name, key in (
        ("RLIMIT_AS", "memory_bytes"),
        ("RLIMIT_FSIZE", "file_bytes"),
        ("RLIMIT_NOFILE", "open_files"),
        ("RLIMIT_NPROC", "processes"),
        ("RLIMIT_CPU", "cpu_seconds"),
        ("RLIMIT_SIGPENDING", "timers"),
    ):
        set_to = resource.getrlimit(getattr(resource, name))
        if resource.RLIM_INFINITY in set_to or max(set_to) > LIMITS[key]:
            yield f"{name} is not set"


def _privileges() -> Iterator[str]:
    header, data = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    if libc.capget(header, data) or any(data):
        yield "a privilege is left"
    if os.geteuid() == 0:
        yield "the user is root"
    if libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1:
        yield "new privileges can be gained"
    if libc.prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2:
        yield "the filter on system calls is not there"
