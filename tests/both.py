"""Both halves of ``make test``, and at the end what failed in which: pytest on all tests, and
nbval, which executes the notebooks and compares their outputs. The second half runs whatever the
first one found.

    python -m tests.both [further words for pytest]

As a plugin of pytest, it names each test that fails as soon as it has failed, since a run may be
ended before its end, and writes down what failed.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

TELL = "AUTOGRADER_TELL_FAILED"  # the file in which a run of pytest leaves the names of what failed
NBVAL = (
    "-p no:cacheprovider -p tests.proofs -p tests.nbval_numbers -p tests.nbval_release --nbval"
    " --nbval-current-env --nbval-sanitize-with tests/sanitize.cfg --nbval-cell-timeout 300"
    " --nbval-kernel-startup-timeout 120"
)
HALVES = {
    "tests": ["--dist", "worksteal", "tests"],
    "outputs of notebooks": [
        *("--dist", "loadfile", *NBVAL.split(), "solutions"),
        *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("notebooks/*/deeper.ipynb")),
    ],
}


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # in a worker nothing is shown
        config.pluginmanager.register(Teller(config), "what fails")


class Teller:
    """Names what fails at once."""

    def __init__(self, config: pytest.Config) -> None:
        self.terminal = config.pluginmanager.get_plugin("terminalreporter")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            why = str(report.longrepr).strip().splitlines()[-1:]
            self.terminal.write_line("\n  ".join([f"\nFAILED {report.nodeid}", *why]))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reports = [
        report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())
    ]
    names = dict.fromkeys(report.nodeid for report in reports)
    if os.environ.get(TELL):
        Path(os.environ[TELL]).write_text("\n".join(names), encoding="utf-8")


def main(words: Sequence[str] = ()) -> int:
    """Run both halves; returns 1 where one of them failed."""
    said, status = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for half, own in HALVES.items():
            told = Path(folder, half)
            start = [sys.executable, "-m", "pytest", "-p", "tests.both", "-n", "logical"]
            ended = subprocess.run(
                [*start, *own, *words], cwd=ROOT, env={**os.environ, TELL: str(told)}
            ).returncode
            failed = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
            if not ended:
                said.append(f"{half}: passed")
            elif failed:
                said += [f"{half}: {len(failed)} failed", *(f"  {name}" for name in failed)]
            else:
                said.append(f"{half}: pytest ended with {ended}; it says why above")
            status |= bool(ended)
    print("\n".join(["", "make test", *said]), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
