"""What the processes of a submission use, as the kernel tells: read by the server that they descend
from.
"""

import os
import re
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")
OWN_MEMORY = re.compile(r"^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB", re.MULTILINE)


def measure(server: int) -> dict[str, Any]:
    """{"bytes": memory that is not a file's, "processes": number, "seconds": processor time,
    "running": whether one wants to run}.

    Of all processes below the server.
    Memory that several processes share counts for each of them.
    """
    parents, seconds, running = {}, {}, set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)] = int(fields[1])
            running |= {int(name)} if fields[0] in "RD" else set()
            seconds[int(name)] = (
                sum(map(int, fields[11:15])) / TICKS
            )  # its own and of its dead children
    below = [pid for pid in parents if pid not in (1, server) and _descends(pid, server, parents)]
    return {
        "bytes": sum(map(_bytes, below)),
        "processes": len(below),
        "seconds": sum(seconds[pid] for pid in below),
        "running": not running.isdisjoint(below),
    }


def _bytes(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            return 1024 * sum(map(int, OWN_MEMORY.findall(file.read())))
    except OSError:
        return 0


def _descends(pid, ancestor, parents):
    seen = set()
    while pid in parents and pid not in seen:
        seen.add(pid)
        pid = parents[pid]
        if pid == ancestor:
            return True
    return False
