"""Reference solutions changed in one small place: the checks refuse them.

A sample of each chapter's mutants, the same one every time; AUTOGRADER_ALL=1 tries them all.
"""

import pytest

from autograder.assurance.bank_grading import grade_answer
from autograder.assurance.mutants import mutants
from autograder.assurance.survivors import ENOUGH, explanations, hunt
from autograder.course.bank import right_answers
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


def test_explanations_of_one_chapter_and_of_several_are_read(tmp_path):
    entry = '[[survivor]]\nexercise = "{}"\nwhy = "The same."\nchanges = ["a => b"]\n'
    (tmp_path / "bank" / "ch01_small").mkdir(parents=True)
    (tmp_path / "bank" / "survivors.toml").write_text(entry.format("ch02_x"), encoding="utf-8")
    own = tmp_path / "bank" / "ch01_small" / "survivors.toml"
    own.write_text(entry.format("ch01_x"), encoding="utf-8")
    assert set(explanations(tmp_path).changes) == {("ch01_x", "a => b"), ("ch02_x", "a => b")}
    own.write_text(f'{entry.format("ch01_x")}answers = ["loop", "einsum"]\n', encoding="utf-8")
    assert {name for name, _ in explanations(tmp_path).changes} == {
        "ch01_x/loop",
        "ch01_x/einsum",
        "ch02_x",
    }
    own.write_text(entry.format("ch01_x").replace("same.", "same"), encoding="utf-8")
    with pytest.raises(SourceError, match=r"ch01_small/survivors.toml: every survivor has"):
        explanations(tmp_path)


def test_a_pattern_explains_a_family_of_changes_of_right_answers_alone(tmp_path):
    (tmp_path / "bank").mkdir()
    file = tmp_path / "bank" / "survivors.toml"
    entry = '[[survivor]]\nexercise = "ch01_x"\nwhy = "The same."\npatterns = ["a => [bc]"]\n'
    file.write_text(f'{entry}answers = ["loop"]\n', encoding="utf-8")
    known = explanations(tmp_path)
    assert known.equivalent("ch01_x/loop", "a => c") is True
    for subject, change in (
        ("ch01_x/loop", "a => cd"),
        ("ch01_x/einsum", "a => c"),
        ("ch01_x", "a => c"),
        ("ch01_xy/loop", "a => c"),
    ):
        assert known.equivalent(subject, change) is None
    file.write_text(f'{entry}answers = ["*"]\nequivalent = false\n', encoding="utf-8")
    known = explanations(tmp_path)
    assert known.equivalent("ch01_x/einsum", "a => b") is False
    assert known.equivalent("ch01_x", "a => b") is None
    for wrong, said in ((entry, "for answers"), (entry.replace("[bc]", "[bc"), "is no pattern")):
        file.write_text(wrong if wrong is entry else f'{wrong}answers = ["*"]\n', encoding="utf-8")
        with pytest.raises(SourceError, match=said):
            explanations(tmp_path)


def test_every_explained_survivor_is_still_a_mutant():
    known = explanations(ROOT)
    explained = known.changes
    chapters = [find_chapter(ROOT, name) for name in real_chapters()]
    texts = {e.id: e.solution.text for chapter in chapters for e in chapter.exercises} | {
        f"{e.id}/{answer.name}": answer.text
        for chapter in chapters
        for e in chapter.exercises
        for answer in right_answers(ROOT, chapter.name, e.id)
    }
    named = {subject for subject, _ in explained}
    families = {pattern.exercise for pattern in known.patterns}
    there = {
        (subject, mutant.change)
        for subject in texts
        if subject in named or subject.partition("/")[0] in families
        for mutant in mutants(texts[subject])
    }
    assert sorted(set(explained) - there) == []
    unused = [p for p in known.patterns if not any(p.matches(*one) for one in there)]
    assert unused == []


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


def test_small_changes_of_the_banks_right_answers_are_refused_or_explained(course):
    folder = course / "bank" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(RIGHT_ANSWERS, encoding="utf-8")
    found = apart(hunt, course, "ch01", None, "double", _nothing, True)
    assert {subject for subject, _, _ in found.found} == {"ch01_double/no_sign"}
    assert "return 2 * x + 0 => return 2 * x" in {change for _, change, _ in found.found}
    assert found.tried > len(found.found) > 0
    entry = '[[survivor]]\nexercise = "ch01_double"\nanswers = ["no_sign"]\nwhy = "Zero adds 0."\n'
    changes = "".join(f"  {change!r},\n" for _, change, _ in found.found)
    (folder / "survivors.toml").write_text(f"{entry}changes = [\n{changes}]\n", encoding="utf-8")
    again = apart(hunt, course, "ch01", None, "double", _nothing, True)
    assert not again.found and not again.dead and again.equivalent == len(found.found)


def test_an_explained_change_that_is_refused_is_told_unless_chance_decides(course):
    folder = course / "bank" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "double.py").write_text(RIGHT_ANSWERS, encoding="utf-8")
    change = "return x + x => return x - x"
    entry = '[[survivor]]\nexercise = "ch01_double"\nanswers = ["twice"]\nwhy = "A test."\n'
    for by_chance, dead in [("", [f"ch01_double/twice: {change}"]), ("by_chance = true\n", [])]:
        (folder / "survivors.toml").write_text(f"{entry}{by_chance}changes = [{change!r}]\n")
        assert apart(hunt, course, "ch01", None, "double", _nothing, True).dead == dead


def _nothing(subject, change):
    """For hunt, which says what it finds."""


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", real_chapters())
def test_small_changes_of_the_reference_are_refused(name, engine):
    found = apart(hunt, ROOT, name, SAMPLE)
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
