"""What a process loads before it has work: seconds that every command would pay."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT

HEAVY = ("nbgrader", "nbconvert", "torch")


@pytest.mark.parametrize("module", ["run.journal", "run.grade", "run.workers", "run.dispatch"])
def test_the_coordinator_loads_neither_nbgrader_nor_torch(module):
    program = (
        f"import sys, autograder.classroom.{module}\n"
        f"print(*(name for name in {HEAVY} if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
