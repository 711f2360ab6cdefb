"""Run a function in a process of its own, as the fast road of grading asks for."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from unittest.mock import patch

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["torch", "matplotlib.pyplot", "jupytext"])  # once for all of them
ENVIRONMENT = {"MPLBACKEND": "Agg", "OMP_WAIT_POLICY": "PASSIVE"}  # read where these are imported


def apart(function, *arguments):
    """function(*arguments), worked out in a fresh process."""
    with patch.dict(os.environ, ENVIRONMENT), ProcessPoolExecutor(1, mp_context=CONTEXT) as pool:
        return pool.submit(function, *arguments).result()
