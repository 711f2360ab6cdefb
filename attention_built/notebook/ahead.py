"""What the first check would wait seconds for is imported while its reader reads.

The first operation on "meta", in a dispatch mode or of an optimizer imports ``torch._dynamo``, 800
modules. A thread does so as soon as the cell that imports this package has ended. The next cell
waits for it: two threads that enter a circle of imports at different places get half of one.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from contextlib import suppress
from importlib import import_module
from typing import Any

SLOW = "torch._dynamo"
FORBIDS = "ATTENTION_BUILT_IMPORTS_NOTHING_AHEAD"  # set to anything, this variable does
LONGEST = 60.0  # seconds that a cell waits
LIGHT = ("ab.follow(", "ab.listen(", "ab.page(")  # cells that import nothing do not wait


def import_ahead() -> None:
    """Import in a thread, between two cells of a notebook; elsewhere, as in a script or where
    submissions are graded, nothing is done.
    """
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    forbidden = os.environ.get(FORBIDS) or os.environ.get("NBGRADER_EXECUTION")
    if not getattr(shell, "kernel", None) or SLOW in sys.modules or forbidden:
        return
    thread = threading.Thread(target=_import, name=f"import {SLOW}", daemon=True)

    def begin(_: Any) -> None:
        shell.events.unregister("post_run_cell", begin)
        thread.start()

    def wait(cell: Any) -> None:
        if thread.ident and not (cell.raw_cell or "").strip().startswith(LIGHT):
            shell.events.unregister("pre_run_cell", wait)
            thread.join(LONGEST)

    shell.events.register("post_run_cell", begin)
    shell.events.register("pre_run_cell", wait)


def _import() -> None:
    """Import, without a word: what is wrong is said where it is needed."""
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_module(SLOW)
