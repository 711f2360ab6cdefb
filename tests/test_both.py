"""`make test` runs both halves, whatever the first one finds, and names at the end what failed."""

import pytest

from tests import both

GREEN = "def test_fine():\n    pass\n"
RED = "def test_wrong():\n    assert 1 == 2\n\ndef test_fine():\n    pass\n"
NO_PYTHON = "def test_broken(:\n"


@pytest.fixture
def ended(tmp_path, monkeypatch, capfd):
    """A function: the exit status and the last words of a run whose halves hold these tests."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    options = ["-q", "-c", f"{tmp_path}/pytest.ini", "-p", "no:cacheprovider", "-p", "xdist.plugin"]
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # a fourth of the time

    def run(first, second):
        halves = {}
        for name, text in (("first", first), ("second", second)):
            path = tmp_path / f"test_{name}.py"
            path.write_text(text)
            halves[name] = [str(path), *options]
        monkeypatch.setattr(both, "HALVES", halves)
        status = both.main(["-n", "0"])
        shown = capfd.readouterr().out
        return status, shown, shown.rpartition("\nmake test\n")[2]

    return run


def test_the_second_half_runs_though_the_first_fails_and_both_are_told(ended):
    status, shown, last = ended(RED, RED)
    assert status == 1 and shown.count("1 failed, 1 passed") == 2  # pytest's own words
    assert shown.count("FAILED test_first.py::test_wrong\n  ") == 1  # at once
    assert last == (
        "first: 1 failed\n  test_first.py::test_wrong\nsecond: 1 failed\n"
        "  test_second.py::test_wrong\n"
    )


def test_one_red_half_is_enough_to_fail(ended):
    assert ended(RED, GREEN)[::2] == (
        1,
        "first: 1 failed\n  test_first.py::test_wrong\nsecond: passed\n",
    )
    status, _, last = ended(GREEN, NO_PYTHON)
    assert status == 1 and last == "first: passed\nsecond: 1 failed\n  test_second.py\n"


def test_two_green_halves_pass(ended):
    assert ended(GREEN, GREEN)[::2] == (0, "first: passed\nsecond: passed\n")


def test_a_half_that_never_starts_is_no_green_half(ended, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    assert ended(GREEN, GREEN)[::2] == (
        1,
        "first: pytest ended with 4; it says why above\n"
        "second: pytest ended with 4; it says why above\n",
    )


def test_make_test_takes_both_from_the_repository():
    tests, outputs = both.HALVES.values()
    assert tests[-1] == "tests"
    assert "--nbval" in outputs and "solutions" in outputs
    deeper = [one for one in outputs if one.endswith("/deeper.ipynb")]
    assert deeper and all((both.ROOT / one).is_file() for one in deeper)
    assert "\t$(RUN) -m tests.both\n" in (both.ROOT / "Makefile").read_text(encoding="utf-8")
