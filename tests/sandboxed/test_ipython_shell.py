"""The shell in which a student's cells run."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
RAISES = """
import sys
from autograder.sandboxed.process.ipython_shell import make_shell
shell = make_shell()
for text in ("x = 1", "y = x / 0", "z = (", "x + 1"):
    print(repr(shell.run("cell", text)))
print(shell.user_ns["_"], shell.execution_count)
print("stack_data" in sys.modules)
"""


def test_a_traceback_that_nobody_reads_is_not_written_out():
    """IPython 9 does that for its history, in 50 ms: as long as the rest of a wrong answer takes"""
    told = subprocess.run(
        [sys.executable, "-c", RAISES], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert told[0] == "None"
    assert told[1].startswith("ZeroDivisionError(")
    assert told[2].startswith("SyntaxError(") or told[2].startswith("_IncompleteInputError(")
    assert told[3:] == ["None", "2 5", "False"]  # IPython imports it to write a traceback
