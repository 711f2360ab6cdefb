"""Reference solutions changed in one small place: the checks refuse them.

A sample of each chapter's mutants, some of every exercise, the same ones every time;
AUTOGRADER_ALL=1 tries them all.
"""

import subprocess
import sys

import pytest

from autograder.assurance.mutants import mutants
from autograder.assurance.quality import grade_answer
from autograder.assurance.survivors import ENOUGH, explanations, hunt, sampled
from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from autograder.grading.result import Status

from ..apart import apart
from ..conftest import EVERYTHING, ROOT, real_chapters

SAMPLE = None if EVERYTHING else 15
ATTENTION = '''def attention(q, k, mask=None):
    """Weights."""
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(dim=-1)
'''


@pytest.mark.parametrize(
    "line",
    [
        "scores = q @ k.transpose(-2, -1)",  # an operand left out
        "scores = q @ k.transpose(-2, -1) * q.size(-1) ** 0.5",  # an operator
        "scores = q @ k / q.size(-1) ** 0.5",  # a call left out
        "scores = k @ k.transpose(-2, -1) / q.size(-1) ** 0.5",  # one argument for another
        "scores = scores.masked_fill(mask, float('-inf'))",  # a negation
        "if mask is None:",  # a comparison
        "return scores.softmax(dim=0)",  # an axis
        "return scores.log_softmax(dim=-1)",  # a method
        "def attention(q, k, mask=1):",  # a default
    ],
)
def test_slips_of_the_pen_are_among_the_mutants(line):
    assert any(mutant.change.endswith(f"=> {line}") for mutant in mutants(ATTENTION))


def test_a_line_left_out_and_two_lines_exchanged_are_among_the_mutants():
    changes = [
        mutant.change
        for mutant in mutants("def f(x):\n    x = x + 1\n    x = x * 2\n    return x\n")
    ]
    assert "x = x + 1 => pass" in changes
    assert "x = x + 1; x = x * 2 => x = x * 2; x = x + 1" in changes


def test_mutants_differ_from_the_original_and_from_one_another():
    texts = [mutant.text for mutant in mutants(ATTENTION)]
    assert len(set(texts)) == len(texts) and not any("Weights." not in text for text in texts)
    assert mutants(ATTENTION) == mutants(ATTENTION)


def test_an_explanation_needs_an_exercise_a_change_and_a_sentence(tmp_path):
    entry = '[[survivor]]\nexercise = "ch01_x"\nwhy = "The same."\nchanges = ["a => b"]\n'
    own = tmp_path / "bank" / "ch01_small" / "survivors.toml"
    own.parent.mkdir(parents=True)
    own.write_text(entry, encoding="utf-8")
    assert explanations(tmp_path, "ch01_small") == {("ch01_x", "a => b"): True}
    for part in ("exercise", "why", "changes"):
        own.write_text(entry.replace(part, "other"), encoding="utf-8")
        with pytest.raises(SourceError, match=r"ch01_small/survivors.toml: every survivor has"):
            explanations(tmp_path, "ch01_small")
    own.write_text(entry.replace("same.", "same"), encoding="utf-8")
    with pytest.raises(SourceError, match=r"a sentence with a full stop"):
        explanations(tmp_path, "ch01_small")


@pytest.mark.parametrize("name", real_chapters())
def test_every_explained_survivor_is_still_a_mutant_of_the_reference(name):
    there = {
        (exercise.id, mutant.change)
        for exercise in find_chapter(ROOT, name).exercises
        for mutant in mutants(exercise.solution.text)
    }
    assert sorted(set(explanations(ROOT, name)) - there) == []


RIGHT_ANSWERS = """# %% right: twice
def double(x):
    return x + x

# %% right: no_sign
def double(x):
    return 2 * x + 0

# %% wrong: thrice -> was not doubled
def double(x):
    return 3 * x
"""


def test_small_changes_of_the_banks_right_answers_are_refused_or_printed(course, monkeypatch):
    monkeypatch.chdir(course)
    folder = course / "bank" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(RIGHT_ANSWERS, encoding="utf-8")
    words = ["survivors", "ch01", "--only", "double", "--answers"]
    done = subprocess.run(
        [sys.executable, "-m", "autograder", *words], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert "survives  ch01_double/no_sign: return 2 * x + 0 => return 2 * x" in lines
    assert not [line for line in lines if "ch01_double/twice" in line]
    assert lines[-1] == "ch01_small: 17 changed answers, 88.2% of them refused"


@pytest.mark.parametrize("equivalent, dead", [("true", ["ch01_double: {}"]), ("false", [])])
def test_a_change_that_is_said_to_compute_the_same_and_is_refused_is_told(course, equivalent, dead):
    change = "twice_the_input = 2 * x => twice_the_input = 2 / x"
    own = course / "bank" / "ch01_small" / "survivors.toml"
    own.parent.mkdir(parents=True)
    own.write_text(
        '[[survivor]]\nexercise = "ch01_double"\nwhy = "A test."\n'
        f"equivalent = {equivalent}\nchanges = [{change!r}]\n",
        encoding="utf-8",
    )
    found = apart(hunt, course, "ch01", None, "double")
    assert found.dead == [line.format(change) for line in dead]
    assert found.tried > 1 and not found.equivalent


def test_a_sample_of_mutants_holds_some_of_every_answer():
    groups = [[(exercise, str(number)) for number in range(40)] for exercise in "abc"]
    chosen = sampled(groups, 8)
    assert chosen == sampled(groups, 8) and len(set(chosen)) == 8
    assert sorted(exercise for exercise, _ in chosen) == list("aaabbbcc")


@pytest.mark.slow
@pytest.mark.proof("mutants")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", real_chapters())
def test_small_changes_of_the_reference_are_refused(name, engine, record_property):
    found = apart(hunt, ROOT, name, SAMPLE)
    record_property("counted", f"{found.tried} changed")
    alive = [
        (exercise, change, text)
        for exercise, change, text in found.found
        if _passes(engine, name, exercise, text)
    ]
    assert not alive, "not refused, and not explained in survivors.toml:\n" + "\n".join(
        f"{exercise}: {change}" for exercise, change, _ in alive
    )
    assert not found.dead, "explained in survivors.toml, though refused:\n" + "\n".join(found.dead)
    assert SAMPLE or found.rate >= ENOUGH


def _passes(engine, name, exercise, text):
    """Whether the real grader, which sees more than the fast road, gives full marks."""
    return all(
        verdict.status is Status.PASSED for verdict in grade_answer(engine, name, exercise, text)
    )
