"""What the processes of a submission use, as the kernel tells: read by the server that they descend
from.
"""

import functools
import os
import re
import socket
from dataclasses import dataclass

SOCKETS = re.compile(r"^sockets: used (\d+)", re.MULTILINE)
SLACK = 64 << 10  # what a socket takes beyond its limit, as one message
OWN_MEMORY = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)
WANTING = set("RDTt")  # states of a thread that is ready to run, or held up by disk or signal


@dataclass(frozen=True)
class Usage:
    """Of one process with all its threads, or of some processes together."""

    bytes: int = 0  # of memory that is not a file's
    processes: int = 0
    sockets: int = 0
    seconds: float = 0.0  # of processor time
    wants: bool = False  # whether a thread wants to run
    waited: float = 0.0  # seconds in which one wanted to and another process ran instead


def measure(server: int) -> Usage:
    """What all processes below a server use.

    Memory that several processes share counts for each of them. A socket counts with the most that
    can wait in it, as if it did.
    """
    listed = os.listdir("/proc") if os.path.isdir("/proc") else []  # macOS has none
    pids = [int(name) for name in listed if name.isdigit()]
    parents = {pid: int(fields[1]) for pid in pids if (fields := _stat(f"/proc/{pid}"))}
    below = [pid for pid in parents if pid not in (1, server) and _descends(pid, server, parents)]
    sockets = max(map(_sockets, below[:3]), default=0)  # one network namespace for all of them
    used = [of_process(pid) for pid in below]
    return Usage(
        sum(one.bytes for one in used) + sockets * _socket_bytes(),
        len(below),
        sockets,
        sum(one.seconds for one in used),
        any(one.wants for one in used),
        sum(one.waited for one in used),
    )


def of_process(pid: int) -> Usage:
    """What one process uses. Where its first thread has ended, only the others tell its memory.

    How long a thread waited is the second number of its schedstat (Linux,
    Documentation/scheduler/sched-stats.rst); 0 where the kernel keeps none.
    """
    try:
        threads = [f"/proc/{pid}/task/{name}" for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return Usage()
    own = _stat(f"/proc/{pid}")[11:15]  # of the process and of its dead children
    states = {fields[0] for thread in threads if (fields := _stat(thread))}
    waits = [_read(f"{thread}/schedstat").split()[1:2] for thread in threads]
    return Usage(
        next(filter(None, map(_bytes, threads)), 0),
        1,
        seconds=sum(map(int, own)) / os.sysconf("SC_CLK_TCK"),
        wants=not states.isdisjoint(WANTING),
        waited=sum(int(wait) for found in waits for wait in found) / 1e9,
    )


def _read(path: str) -> str:
    """A file of the kernel's; "" where what it is about is gone."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _stat(folder: str) -> list[str]:
    """The state of a process or thread, its parent, and so on; [] where it is gone."""
    return _read(f"{folder}/stat").rpartition(")")[2].split()


def _bytes(thread: str) -> int:
    return 1024 * sum(map(int, OWN_MEMORY.findall(_read(f"{thread}/status"))))


def _sockets(pid: int) -> int:
    """Sockets in the network namespace of a process, those on their way to another one too."""
    found = SOCKETS.search(_read(f"/proc/{pid}/net/sockstat"))
    return int(found[1]) if found else 0


@functools.cache
def _socket_bytes() -> int:
    """The most that waits in a socket: no submission may change its size (seccomp)."""
    with socket.socket(socket.AF_UNIX) as one:
        return one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) + SLACK


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    seen: set[int] = set()
    while pid in parents and pid not in seen:
        seen.add(pid)
        pid = parents[pid]
        if pid == ancestor:
            return True
    return False
