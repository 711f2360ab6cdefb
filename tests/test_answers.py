"""The bank of answers, graded with the real engine: every right answer passes, every wrong one fails and is named."""

import pytest

from autograder.assurance.bank import bank_folder, read_answers
from autograder.assurance.quality import measure, table
from autograder.course.chapter import find_chapter

from .conftest import ROOT, real_chapters

every_chapter = pytest.mark.parametrize("name", real_chapters())


@every_chapter
def test_every_exercise_has_enough_answers_of_both_kinds(name):
    for exercise in find_chapter(ROOT, name).exercises:
        answers = read_answers(ROOT, name, exercise.id)
        assert sum(answer.right for answer in answers) >= 4, exercise.id
        assert sum(not answer.right for answer in answers) >= 8, exercise.id
        assert all(answer.phrase for answer in answers if not answer.right), (
            f"{exercise.id}: a wrong answer without a phrase"
        )
        assert len({answer.name for answer in answers}) == len(answers), (
            f"{exercise.id}: a name stands twice"
        )


@every_chapter
def test_no_file_of_the_bank_is_without_its_exercise(name):
    wanted = {exercise.id.split("_", 1)[1] for exercise in find_chapter(ROOT, name).exercises}
    assert {path.stem for path in (bank_folder(ROOT) / name).glob("*.py")} == wanted


@pytest.mark.slow
@pytest.mark.timeout(1200)
@every_chapter
def test_right_answers_pass_and_wrong_ones_fail_and_are_named(name, engine, capsys):
    quality = measure(engine, ROOT, find_chapter(ROOT, name))
    with capsys.disabled():
        print("\n" + table([quality]).splitlines()[2])
    assert quality.accepted == quality.right, quality.faults
    assert quality.refused == quality.wrong, quality.faults
    assert quality.named >= 0.9 * quality.wrong, quality.faults
    assert quality.visible >= 0.7 * quality.wrong
