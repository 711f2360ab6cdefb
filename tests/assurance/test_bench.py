"""Our grader and nbgrader's, timed on the same class: only what was graded counts."""

from dataclasses import replace

import pytest

from autograder.assurance import bench
from autograder.assurance.bench import Measured, Usage, measure_ours, measure_stock, ratio
from autograder.assurance.sample_class import Story
from autograder.build.release import release
from autograder.course.bank import bank_folder
from autograder.course.chapter import find_chapter
from autograder.course.errors import AutograderError

ANSWER = "# %% right: own\ndef {name}(x):\n    return {result}\n"


@pytest.fixture
def released(course):
    """The small course, released, with a bank of one right answer to each exercise."""
    folder = bank_folder(course) / "ch01_small"
    folder.mkdir(parents=True)
    for name, result in (("double", "x + x"), ("half", "x / 2")):
        (folder / f"{name}.py").write_text(ANSWER.format(name=name, result=result))
    release(course, ["ch01"])
    return course


EVERYTHING_RIGHT, UNTOUCHED = Story("right", ""), Story("untouched", "", solves=False)
ENDS_PYTHON = Story("ends_python", "", lambda book: book.put(1, "import os\nos._exit(0)\n"))


@pytest.mark.slow
def test_each_side_grades_every_submission_in_a_course_of_its_own(released, monkeypatch):
    monkeypatch.setattr(bench, "CLASS", [EVERYTHING_RIGHT, UNTOUCHED])
    monkeypatch.setenv("AUTOGRADER_DB_URL", f"sqlite:///{released / 'of_the_real_class.db'}")
    chapter = find_chapter(released, "ch01")
    ours, stock = (measure(released, chapter, 2) for measure in (measure_ours, measure_stock))
    assert ours.marks == {
        "right0000": {"ch01_double_check": 2, "ch01_half_check": 1},
        "untouched0001": {"ch01_double_check": 0, "ch01_half_check": 0},
    }
    assert ratio(ours, stock) == pytest.approx(stock.usage.seconds / ours.usage.seconds)
    assert not (released / "of_the_real_class.db").exists()


@pytest.mark.slow
def test_a_run_that_gave_a_submission_no_marks_is_refused(released, monkeypatch):
    monkeypatch.setattr(bench, "CLASS", [UNTOUCHED, ENDS_PYTHON])
    with pytest.raises(AutograderError, match=r"nbgrader gave no marks to 1 of 2 .*ends_python"):
        measure_stock(released, find_chapter(released, "ch01"), 2)


def test_marks_that_differ_make_no_ratio():
    ours = Measured(Usage(1.0), {"ada": {"a": 1.0}}, ())
    assert ratio(ours, replace(ours, usage=Usage(8.0))) == 8
    with pytest.raises(AutograderError, match="ada: expected the same marks"):
        ratio(ours, replace(ours, marks={"ada": {"a": 0.0}}))
