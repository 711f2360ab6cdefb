"""Run a function in a process of its own, as the fast road of grading asks for."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def apart(function, *arguments):
    """function(*arguments), worked out in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
