"""Every hostile or broken submission of the corpus, with an honest one after each.

A file in bank/hostile says in its first line what it tries and what must happen. It holds ANSWERS
(cells to put into a solved notebook)
or change(notebook); EXPECT, the status of every check that does not end as it would in the unspoilt
notebook; PROBLEM, FLAG,
REPAIR, MESSAGE or HIDDEN, a text that the result must hold; NO_FLAGS, where there must be none; and
LIMITS, where shorter ones show the same in less time.
"""

import os
import shutil
import subprocess
from dataclasses import replace

import pytest

from autograder.grading import Engine
from tests.conftest import ROOT
from tests.hostile import corpus, trial
from tests.hostile.trial import LIMITS

CASES_BY_NAME = {case.name: case for case in corpus.read_cases(ROOT)}
CASES = sorted(name for name, case in CASES_BY_NAME.items() if not case.chapter)
CHECKS = ("double", "weights", "weights_values", "layer", "is_linear")
WORTH = dict(zip(CHECKS, (2, 1, 2, 3, 2), strict=False))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return trial.make_course(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def engine(course):
    with Engine(course, limits=LIMITS) as warm:
        yield warm


def load(name):
    """A case as a module; the code in it that is hostile is text."""
    return CASES_BY_NAME[name].module()


def hand_in(case, course):
    """The bytes of a case as they are handed in."""
    return corpus.handed_in(
        case, trial.notebook(course, getattr(case, "SOLVED", True), getattr(case, "ANSWERS", {}))
    )


@pytest.mark.parametrize("name", CASES)
def test_no_point_is_gained_and_no_line_of_a_hidden_test_is_found(name, engine, course):
    case = load(name)
    engine.limits = replace(LIMITS, **getattr(case, "LIMITS", {}))
    result = engine.grade(trial.submission(hand_in(case, course), name))
    if hasattr(case, "PROBLEM"):
        assert case.PROBLEM in result.problem and "\n" not in result.problem
        assert result.points == 0 and result.max_points == 10
        return
    if getattr(case, "PROBLEM_OR_PASS", None) and result.problem:
        assert case.PROBLEM_OR_PASS in result.problem
        return
    usual = "passed" if getattr(case, "SOLVED", True) else "not attempted"
    expected = {**dict.fromkeys(CHECKS, usual), **getattr(case, "EXPECT", {})}
    got = trial.statuses(result)
    for check, wanted in expected.items():
        assert got[check] in ((wanted,) if isinstance(wanted, str) else wanted), (
            f"{check}: {result.verdicts}"
        )
    assert trial.points(result) == {
        check: WORTH[check] * (got[check] == "passed") for check in CHECKS
    }
    assert result.max_points == 10
    said = " ".join(verdict.message for verdict in result.verdicts)
    assert "FOUND" not in said and "xylophone" not in said
    assert all(len(verdict.message) <= 2100 for verdict in result.verdicts)
    assert getattr(case, "FLAG", "") in " ".join(result.flags)
    assert getattr(case, "REPAIR", "") in " ".join(result.repairs)
    assert not (getattr(case, "NO_FLAGS", False) and result.flags)
    assert getattr(case, "MESSAGE", "") in said
    if hasattr(case, "HIDDEN"):
        assert next(v for v in result.verdicts if v.check == f"ch01_{case.HIDDEN}_check").hidden
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in said)


@pytest.mark.parametrize("name", CASES)
def test_an_honest_submission_after_it_gets_full_marks(name, engine, course):
    engine.limits = LIMITS
    result = engine.grade(trial.submission(trial.notebook(course), f"after-{name}"))
    assert result.points == 10 and not result.flags and not result.problem


@pytest.mark.parametrize("name", CASES)
def test_a_case_says_in_one_line_what_it_tries(name):
    assert "\n" not in CASES_BY_NAME[name].tries


def test_no_process_of_a_submission_is_left(engine, course):
    engine.grade(trial.submission(trial.notebook(course)))
    assert engine.parents.student_server().order("measure")["processes"] <= 2


def test_the_corpus_is_as_large_as_promised():
    assert len(CASES) >= 40


def test_the_sandbox_is_gone_with_the_engine(course):
    with Engine(course, limits=LIMITS) as engine:
        engine.grade(trial.submission(trial.notebook(course)))
        inside = engine.parents.student_server().process.pid
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(inside)], capture_output=True, text=True, check=False
    )
    assert not listed.stdout.strip() and not os.path.exists(f"/proc/{inside}")
