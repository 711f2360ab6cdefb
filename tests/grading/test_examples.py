"""The examples in the docstrings that a newcomer meets first are run."""

import doctest
from importlib import import_module

import pytest

from autograder.course.carry import filled_chapter
from tests.hostile import trial

ROOMS = ("engine", "fingerprint", "intake", "limits", "plan", "repair", "result")


@pytest.mark.parametrize("name", ROOMS)
def test_the_examples_of_a_module_give_what_they_show(name, course, loose):
    module = import_module(f"autograder.grading.{name}")
    known = {"root": course, "engine": loose, "chapter": filled_chapter(course, trial.NAME)}
    result = doctest.testmod(module, extraglobs=known)
    assert result.attempted and not result.failed
