"""Whatever an answer does to what a check gives it, the reference shows the same as before; and no
check takes what only looks like a result. Over all checks of all chapters, visible and hidden.
"""

import pytest
import torch

import attention_built as ab
from attention_built.checks import observe
from attention_built.comparison import Names, agree
from autograder.assurance.in_process import InProcessGrader
from tests.apart import apart
from tests.attention_built.vandal import vandal
from tests.conftest import ROOT, real_chapters

COMPARED = {"tensor", "number", "str", "bool", "nothing"}  # whose contents are observed, too
SECONDS = 240


def asked(grader, check):
    """[(subject, case, how many results)] of a check cell, visible and hidden; the subjects are the
    reference's.
    """
    found = []

    def collect(point, subject, cases, form="", like=None):
        found.extend((subject, one, Names(form).count) for one in cases)

    place, real = grader.reference.enter(check.grade_id), ab.check
    ab.check = collect
    try:
        exec(place.code, grader.reference.namespace)
    finally:
        ab.check = real
    return found


def seen_of(subject, one, count):
    """What is seen, with random numbers that are the same each time."""
    torch.manual_seed(0)
    return observe(subject, one, count)


def looks(one):
    """What a case looks at; ``but`` keeps the text that it is given."""
    return one.look.split() if isinstance(one.look, str) else one.look


def plain(seen):
    """An observation as text: NaN is equal to itself."""
    return repr({look: value for look, value in seen.items() if look != "error"})


def judge_exercise(grader, exercise):
    """Raise AssertionError for what an answer could change, or have without work."""
    for check in exercise.checks:
        cases = asked(grader, check)
        before = [seen_of(*case) for case in cases]
        pairs = zip(cases, before, strict=True)
        shown = [seen for (_, one, _), seen in pairs if {*looks(one)} - {"inputs"}]
        odd = {kind for seen in shown for kind in seen.get("kinds", ())} - COMPARED
        assert not odd, f"{check.grade_id}: nobody compares what lies in {odd}"
        for subject, one, count in cases:
            seen_of(vandal(subject), one, count)
        given = [seen_of(vandal(subject, False), one, count) for subject, one, count in cases]
        for (subject, one, count), seen in zip(cases, before, strict=True):
            again = seen_of(subject, one, count)
            assert plain(again) == plain(seen), f"{check.grade_id}: {one.words} came out changed"
        alike = [agree(*pair, 1e-4) for pair in zip(before, given, strict=True)]
        assert not all(alike), f"{check.grade_id}: passed without work"


def told_of(chapter):
    """What is wrong with the checks of a chapter; in a process of its own, as the grader there
    changes what a second device is.
    """
    grader = InProcessGrader(ROOT, chapter)
    told = []
    for exercise in grader.chapter.exercises:
        trial = grader.try_with(
            exercise,
            exercise.solution.text,
            lambda _, exercise=exercise: judge_exercise(grader, exercise),
            SECONDS,
        )
        told += [trial.message] if trial.refused else []
    return told


@pytest.mark.slow
@pytest.mark.parametrize("chapter", real_chapters())
def test_an_answer_changes_nothing_that_is_compared_and_nothing_is_had_without_work(chapter):
    assert apart(told_of, chapter) == []
