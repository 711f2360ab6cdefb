"""The trial chapter, and an engine without a sandbox for it."""

import pytest

from autograder.grading import Engine, Limits
from tests.hostile import trial


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    return trial.make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="session")
def loose(course):
    """An engine without a sandbox on the trial chapter."""
    with Engine(
        course, sandbox=False, limits=Limits(cell_seconds=8, check_seconds=10, notebook_seconds=60)
    ) as engine:
        yield engine
