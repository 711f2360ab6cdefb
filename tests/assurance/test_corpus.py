"""The corpus of hostile and broken submissions in chapters of the course: whole in one, a sample in
another, and whole in all of them where AUTOGRADER_ALL is set.
"""

import shutil
from dataclasses import replace

import pytest

from autograder.grading import Engine
from tests.conftest import EVERYTHING, ROOT, real_chapters
from tests.hostile import corpus
from tests.hostile.trial import LIMITS

CASES = {case.name: case for case in corpus.read_cases(ROOT)}
OF_ONE_CHAPTER = sorted(name for name, case in CASES.items() if case.chapter)
# of how many cases one is taken; a case is three notebooks graded, which are long in chapter 7
CHAPTERS = {"ch02_single_head": 1, "ch07_encoder_decoder": 6}
if EVERYTHING:
    CHAPTERS = dict.fromkeys(real_chapters(), 1)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


@pytest.fixture(scope="module")
def real_engine():
    with Engine(ROOT, limits=replace(LIMITS, cell_seconds=8, check_seconds=15)) as warm:
        yield warm


@pytest.mark.proof("odd")
@pytest.mark.parametrize("name", OF_ONE_CHAPTER)
def test_a_case_of_one_chapter_holds_there(name, real_engine):
    rows = list(corpus.run(real_engine, ROOT, [CASES[name].chapter], [name]))
    assert [(row.case, row.faults) for row in rows if row.faults] == [] and len(rows) == 1


@pytest.mark.proof("corpus")
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_corpus_holds_in_a_chapter_of_the_course(chapter, real_engine, record_property):
    cases = sorted(CASES.keys() - OF_ONE_CHAPTER)[:: CHAPTERS[chapter]]
    rows = list(corpus.run(real_engine, ROOT, [chapter], cases))
    record_property("counted", f"{len(rows)} cases")
    assert len(rows) == len(cases) >= 15
    assert [(row.case, row.faults) for row in rows if row.faults] == []
