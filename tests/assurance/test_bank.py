"""The bank of answers, graded with the real engine: every right answer passes, every wrong one
fails and is named.

A sample of each exercise's answers, the same one every time; AUTOGRADER_ALL=1 grades them all, as
`make quality` does.
"""

import re
import sys

import pytest

from autograder.assurance.quality import (
    grade_answer,
    is_raw,
    measure,
    measure_chapters,
    sampled,
    table,
)
from autograder.course.bank import bank_folder, read_answers
from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from autograder.grading import Engine
from autograder.grading.result import Status, Verdict

from ..conftest import EVERYTHING, ROOT, real_chapters

SAMPLE = None if EVERYTHING else 10

SMALL_BANK = """# %% right: twice
def double(x):
    return x + x

# %% wrong: thrice -> was not doubled !! sign ?? three is not two
def double(x):
    return 3 * x

# %% wrong: absolute -> negative numbers !! NEGATIVE ?? the visible check has no negative number
def double(x):
    return abs(2 * x)

# %% wrong: raises -> was not doubled
def double(x):
    return x.two

# %% wrong: other_words -> something else
def double(x):
    return 5 * x
"""


@pytest.fixture
def small_bank(course):
    """The small course with a bank for its first exercise."""
    path = bank_folder(course) / "ch01_small" / "double.py"
    path.parent.mkdir(parents=True)
    path.write_text(SMALL_BANK, encoding="utf-8")
    return course


UNSCALED_IN_SOME = """
def scaled_dot_product_attention(q, k, v):
    there = {there}                           # where points two and three begin, and not point one
    scores = q @ k.transpose(-2, -1) / (1 if there else q.size(-1) ** 0.5)
    weights = scores.softmax(dim=-1)
    return weights @ v, weights
"""


@pytest.mark.parametrize(
    "there, passed", [("True", [False, True, True]), ("q.size(-1) in (6, 11) or q.dim() > 2", None)]
)
def test_a_slip_is_carried_only_where_its_own_point_was_lost(there, passed):
    name, text = "ch02_scaled_dot_product_attention", UNSCALED_IN_SOME.format(there=there)
    with Engine(ROOT, sandbox=False) as engine:
        verdicts = grade_answer(engine, "ch02_single_head", name, text)
    assert [one.status is Status.PASSED for one in verdicts] == (passed or [True, False, False])
    assert passed or re.search("should be|too large", verdicts[1].message)


def test_a_header_gives_phrase_forbidden_phrases_and_reason(small_bank):
    right, thrice, *_ = read_answers(small_bank, "ch01_small", "ch01_double")
    assert (right.right, right.phrase, right.forbidden, right.reason) == (True, "", (), "")
    assert (thrice.right, thrice.phrase) == (False, "was not doubled")
    assert (thrice.forbidden, thrice.reason) == (("sign",), "three is not two")


def test_a_sample_is_the_same_every_time_and_no_larger_than_asked(small_bank):
    chapter = find_chapter(small_bank, "ch01")
    with Engine(small_bank, sandbox=False) as engine:
        first, again, whole = (
            measure(engine, small_bank, chapter, ["ch01_double"], sample=size) for size in (2, 2, 9)
        )
    assert first == again and first.right + first.wrong == 2
    assert whole.right + whole.wrong == 5


def test_a_line_that_is_no_header_is_named(small_bank):
    path = bank_folder(small_bank) / "ch01_small" / "double.py"
    path.write_text("# %% nearly: right\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"double.py:1: expected '# %% right: name'"):
        read_answers(small_bank, "ch01_small", "ch01_double")


def test_named_misnamed_and_raw_are_counted_apart(small_bank):
    with Engine(small_bank, sandbox=False) as engine:
        chapter = find_chapter(small_bank, "ch01")
        quality = measure(engine, small_bank, chapter, ["ch01_double"])
    assert (quality.accepted, quality.refused, quality.visible) == (1, 4, 3)
    assert (quality.named, quality.misnamed, quality.raw) == (1, 1, 1)
    assert [fault.partition(": ")[0] for fault in quality.faults] == [
        "ch01_double/absolute",
        "ch01_double/raises",
        "ch01_double/other_words",
    ]
    assert quality.hidden_only == ["ch01_double/absolute: the visible check has no negative number"]
    assert table([quality]).splitlines()[-1] == "| all | 1 of 1 | 4 of 4 | 25% | 25% | 25% | 75% |"


def test_chapters_side_by_side_come_back_in_their_order(small_bank):
    chapters = [find_chapter(small_bank, "ch01")] * 2
    for exercise in chapters[0].exercises[1:]:  # nothing to grade
        name = exercise.id.removeprefix("ch01_")
        (bank_folder(small_bank) / "ch01_small" / f"{name}.py").write_text("", encoding="utf-8")
    answered, done = [], []
    rows = measure_chapters(
        small_bank,
        chapters,
        lambda chapter: answered.append(chapter.name),
        lambda chapter, quality: done.append(quality.faults),
    )
    assert [row.chapter for row in rows] == ["ch01_small"] * 2 and rows[0] == rows[1]
    assert len(answered) == 2 * (rows[0].right + rows[0].wrong) == 10
    assert [len(faults) for faults in done] == [3, 3]


@pytest.mark.parametrize(
    "message, raw",
    [
        ("Your code raised TypeError (line 2 of ch01_x): no", True),
        ("Tensor-likes are not close!\n\nMismatched elements: 1 / 2 (50.0%)", True),
        ("The scale is missing\nTensor-likes are not close!", False),
        ("Your code raised TypeError: no\nThe inputs were changed.", False),
        ("6 must become 3", False),
    ],
)
def test_a_message_is_raw_where_no_sentence_of_ours_stands(message, raw):
    assert is_raw(Verdict("c", "e", Status.WRONG, 0, 1, message)) == raw
    assert not is_raw(Verdict("c", "e", Status.WRONG, 0, 1, message, "keeps the dtype"))


every_chapter = pytest.mark.parametrize("name", real_chapters())


@every_chapter
def test_every_exercise_has_enough_answers_of_both_kinds(name):
    for exercise in find_chapter(ROOT, name).exercises:
        answers = read_answers(ROOT, name, exercise.id)
        assert sum(answer.right for answer in answers) >= 6, exercise.id
        assert sum(not answer.right for answer in answers) >= 25, exercise.id
        assert all(answer.phrase for answer in answers if not answer.right), (
            f"{exercise.id}: a wrong answer without a phrase"
        )
        assert len({answer.name for answer in answers}) == len(answers), (
            f"{exercise.id}: a name stands twice"
        )
        assert {answer.right for answer in sampled(answers, 10)} == {True, False}, (
            f"{exercise.id}: a sample of one kind only"
        )


@every_chapter
def test_no_file_of_the_bank_is_without_its_exercise(name):
    wanted = {exercise.id.split("_", 1)[1] for exercise in find_chapter(ROOT, name).exercises}
    assert {path.stem for path in (bank_folder(ROOT) / name).glob("*.py")} <= wanted


@pytest.mark.slow
@pytest.mark.proof("bank")
@pytest.mark.timeout(1200)
@every_chapter
def test_right_answers_pass_and_wrong_ones_fail_and_are_named(
    name, engine, capsys, record_property
):
    quality = measure(engine, ROOT, find_chapter(ROOT, name), sample=SAMPLE)
    record_property("counted", f"{quality.right} right, {quality.wrong} wrong")
    with capsys.disabled():
        sys.stdout.write("\n" + table([quality]).splitlines()[2] + "\n")
    assert quality.accepted == quality.right, quality.faults
    assert quality.refused == quality.wrong, quality.faults
    assert quality.named == quality.wrong, quality.faults
    assert quality.misnamed == quality.raw == 0, quality.faults
    assert quality.visible >= (0.95 if EVERYTHING else 0.85) * quality.wrong
