"""The instructor's page: figures that are right, words that are escaped, look-alikes that are
found.
"""

from autograder.classroom.results.report import about_exercise, class_page, distribution
from autograder.classroom.results.similarity import alike
from autograder.course.chapter import find_chapter
from autograder.grading.result import Result, Status, Verdict
from autograder.grading.shown import words

RELEASED = [words("def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()")]


def result(student, first, second, message="", **more):
    return Result(
        student,
        "ch01_small",
        (
            Verdict(
                "ch01_double_check",
                "ch01_double",
                first,
                2.0 * (first is Status.PASSED),
                2,
                message,
            ),
            Verdict("ch01_half_check", "ch01_half", second, 1.0 * (second is Status.PASSED), 1),
        ),
        **more,
    )


def test_mistakes_that_differ_in_numbers_only_are_counted_together(course):
    chapter = find_chapter(course, "ch01")
    results = [
        result(f"s{n}", Status.WRONG, Status.PASSED, f"{n}.5 was not doubled") for n in range(4)
    ] + [result("t", Status.WRONG, Status.PASSED, "squared")]
    about = about_exercise(chapter.exercises[0], results)
    assert [n for _, n in about.mistakes] == [4, 1] and about.right == 0
    assert about_exercise(chapter.exercises[1], results).rate == 1


def test_every_mark_falls_into_a_bin():
    bins = distribution([0, 0, 1.5, 3, 2.99], 3)
    assert [(label, n) for label, n, _ in bins] == [("0", 2), ("1", 1), ("2", 1), ("3", 1)]


def test_what_students_wrote_is_escaped(course):
    page = class_page(
        find_chapter(course, "ch01"),
        [
            result(
                "<script>alert(1)</script>",
                Status.WRONG,
                Status.PASSED,
                "<img src=x>",
                flags=("<b>hook</b>",),
            )
        ],
    )
    assert "<script>alert" not in page and "<img" not in page and "<b>hook" not in page


def test_the_page_loads_nothing(course):
    page = class_page(find_chapter(course, "ch01"), [result("ada", Status.PASSED, Status.PASSED)])
    assert "http" not in page.replace("http-equiv", "")


ANSWERS = {
    f"student{n}": [
        words(
            f"def double(value_{n}):\n    total_{n} = 0\n    for turn_{n} in range(2):\n        "
            f"total_{n} = total_{n} + value_{n}\n    return total_{n}"
        )
    ]
    for n in range(12)
}


def test_a_copy_is_found_and_independent_answers_are_not():
    copied = {**ANSWERS, "copier": [ANSWERS["student3"][0]]}
    assert [(pair.one, pair.other) for pair in alike(copied, RELEASED)] == [("copier", "student3")]
    assert alike(ANSWERS, RELEASED) == []


def test_untouched_notebooks_are_not_alike():
    assert alike({f"s{n}": RELEASED for n in range(20)}, RELEASED) == []


def test_the_obvious_answer_makes_nobody_suspect():
    obvious = [words("def double(x):\n    return 2 * x")]
    assert alike({f"s{n}": obvious for n in range(20)}, RELEASED) == []
