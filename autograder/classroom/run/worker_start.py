"""Dask calls this in every worker process that it starts, before the first task imports anything of
ours.
"""

from autograder.course.environment import without_address_grammar


def dask_setup(worker: object) -> None:
    without_address_grammar()
