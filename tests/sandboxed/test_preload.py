"""What every fork server has done before its first fork."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENABLED = Path("/sys/kernel/mm/transparent_hugepage/enabled")
ON_HUGE_PAGES = """
import os, sys
from autograder.sandboxed.process import preload
if sys.argv[1] == "small":
    preload.use_huge_pages = lambda: None
preload.preload()
print(open("/proc/self/smaps_rollup").read())
loaded = [{} for _ in range(1000)]
child = os.fork()
if child == 0:  # what a fork writes is its own
    loaded[0]["here"] = "child"
    os._exit(len(loaded[0]) - 1)
print("ended with", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), "and", loaded[0])
"""


def preloaded(pages):
    told = subprocess.run(
        [sys.executable, "-c", ON_HUGE_PAGES, pages],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "ended with 0 and {}" in told
    return {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", told, re.MULTILINE)}


def gives_them_when_asked():
    """MADV_COLLAPSE came with Linux 6.1."""
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    return release >= (6, 1) and ENABLED.exists() and "[madvise]" in ENABLED.read_text()


@pytest.mark.skipif(not gives_them_when_asked(), reason="this kernel does not give huge pages so")
def test_what_is_loaded_lies_on_huge_pages():
    small, huge = preloaded("small"), preloaded("huge")
    assert huge["AnonHugePages"] > small["AnonHugePages"]
    assert huge["Anonymous"] < 1.2 * small["Anonymous"]
