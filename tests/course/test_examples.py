"""The examples in the docstrings that a newcomer meets first are true."""

import doctest
import importlib

import pytest

from tests.conftest import ROOT

MODULES = ("bundle", "carry", "chapter", "model", "regions", "settings")


@pytest.mark.parametrize("name", MODULES)
def test_an_example_gives_what_it_says(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(importlib.import_module(f"autograder.course.{name}"))
    assert result.attempted and not result.failed
