"""The pages that students and instructors read after grading: usable by all, in light and dark, and
loading nothing.
"""

import pytest

from autograder.classroom.results.feedback import page as feedback_page
from autograder.classroom.results.report import AboutClass, class_page
from autograder.classroom.results.similarity import Cluster
from autograder.course.chapter import find_chapter
from autograder.grading.result import Result, Status, Verdict

from ..conftest import ROOT
from .conftest import LOOKS
from .test_every_page import AXE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.parametrize("width, theme", LOOKS),
]
ENDINGS = [
    Status.WRONG,
    Status.ERROR,
    Status.UNTOUCHED,
    Status.MISSING,
    Status.TIMEOUT,
    Status.MEMORY,
    Status.DIED,
    Status.PASSED,
]
LONG = (
    "ValueError: "
    + "x" * 300
    + "\n\nMismatched elements: 4 / 4 (100.0%)\nexpected tensor([[1.0000, 0.0000]])"
)


def verdicts(chapter, start=0):
    """Every way in which a check can end, one after the other."""
    checks = [(exercise, check) for exercise in chapter.exercises for check in exercise.checks]
    for number, (exercise, check) in enumerate(checks, start):
        status = ENDINGS[number % len(ENDINGS)]
        passed = status is Status.PASSED
        yield Verdict(
            check.grade_id,
            exercise.id,
            status,
            check.points * passed,
            check.points,
            "" if passed else LONG,
            "a row with nothing to attend to gives zeros" if status is Status.WRONG else "",
            status is Status.WRONG,
            ("ch03_causal_mask",) if passed else (),
        )


@pytest.fixture(scope="module")
def chapter():
    return find_chapter(ROOT, "ch03")


def results(chapter):
    made = [
        Result(
            f"student{n}",
            chapter.name,
            tuple(verdicts(chapter, n)),
            flags=("reads /proc: 'open(\"/proc/self\")'",) * (n == 2),
            repairs=("two cells with the same id: the second one got a new one",) * (n == 1),
            seconds=1.5 + n,
        )
        for n in range(len(ENDINGS))
    ]
    return [
        *made,
        Result(
            "unreadable",
            chapter.name,
            tuple(verdicts(chapter, 3)),
            problem="This is no notebook: line 1 is not JSON.",
        ),
    ]


def serious(page, width):
    """What axe finds with every detail open, and whether the page scrolls sideways."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    lines = [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    return lines + ["the page scrolls sideways"] * (
        page.evaluate("document.documentElement.scrollWidth") > width
    )


def test_a_feedback_page_is_accessible_and_loads_nothing(chapter, theme, width, open_page):
    for result in (results(chapter)[1], results(chapter)[-1]):
        page = open_page(
            "",
            width=width,
            theme=theme,
            content=feedback_page(chapter, result, "https://example.org/notebook"),
        )
        assert page.locator("section").count() == len(chapter.exercises)
        assert serious(page, width) == []


def test_a_class_report_is_accessible_and_loads_nothing(chapter, theme, width, open_page):
    page = open_page(
        "",
        width=width,
        theme=theme,
        content=class_page(
            chapter,
            results(chapter),
            [Cluster(("ada", "bob"), (chapter.exercises[0].id,), 0.8, "total = weights . sum")],
            AboutClass(late={"student1": 86400.0}, pages={"student1": "../feedback/x.html"}),
        ),
    )
    assert page.locator("table.sortable tbody tr").count() == len(results(chapter)) + 1
    assert serious(page, width) == []
