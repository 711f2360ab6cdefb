"""What the processes of a submission use, as the kernel tells: read by the server that they descend
from.
"""

import contextlib
import functools
import os
import re
import socket
from dataclasses import dataclass

SOCKETS = re.compile(r"^sockets: used (\d+)", re.MULTILINE)
SLACK = 64 << 10  # what a socket takes beyond its limit, as one message
OWN_MEMORY = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True)
class Usage:
    """Of some processes together."""

    bytes: int = 0  # of memory that is not a file's
    processes: int = 0
    sockets: int = 0
    seconds: float = 0.0  # of processor time
    running: bool = False  # whether one wants to run
    waited: float = 0.0  # seconds in which one wanted to and another process ran instead


def measure(server: int) -> Usage:
    """What all processes below a server use.

    Memory that several processes share counts for each of them. A socket counts with the most that
    can wait in it, as if it did.
    """
    ticks = os.sysconf("SC_CLK_TCK")
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    running: set[int] = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
            running |= {int(name)} if fields[0] in "RD" else set()
            # its own and of its dead children
            seconds[int(name)] = sum(map(int, fields[11:15])) / ticks
    below = [pid for pid in parents if pid not in (1, server) and _descends(pid, server, parents)]
    sockets = max(map(_sockets, below[:3]), default=0)  # one network namespace for all of them
    return Usage(
        sum(map(_bytes, below)) + sockets * _socket_bytes(),
        len(below),
        sockets,
        sum(seconds[pid] for pid in below),
        not running.isdisjoint(below),
        sum(map(waited, below)),
    )


def waited(pid: int) -> float:
    """Seconds that the threads of a process were ready to run and did not: the second number of
    their schedstat (Linux, Documentation/scheduler/sched-stats.rst); 0 where the kernel keeps none.
    """
    total = 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[1])
    return total / 1e9


def _bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            return 1024 * sum(map(int, OWN_MEMORY.findall(file.read())))
    except OSError:
        return 0


def _sockets(pid: int) -> int:
    """Sockets in the network namespace of a process, those on their way to another one too."""
    try:
        with open(f"/proc/{pid}/net/sockstat", encoding="ascii") as file:
            found = SOCKETS.search(file.read())
    except OSError:
        return 0
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
