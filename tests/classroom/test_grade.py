"""Results reach the gradebook, the marks and the feedback page, whatever was handed in."""

import ast
import csv
import html
import json
import re

import pytest

from autograder.build.release import release
from autograder.classroom.collect.submitted import find_submissions
from autograder.classroom.paths import feedback_path, marks_path
from autograder.classroom.results import feedback
from autograder.classroom.results.gradebook import Book
from autograder.course.chapter import find_chapter, student_path
from autograder.course.settings import load_settings
from autograder.grading.result import Result, Status, Verdict
from autograder.grading.verdicts import refused
from tests.conftest import ROOT, real_chapters
from tests.small_class import grade
from tests.small_class import scores as book_scores


class Scripted:
    """An engine that gives each student the statuses we say."""

    def __init__(self, chapter, statuses):
        self.chapter, self.statuses = chapter, statuses

    def grade(self, submission):
        checks = [
            (check, exercise) for exercise in self.chapter.exercises for check in exercise.checks
        ]
        verdicts = [
            Verdict(
                check.grade_id,
                exercise.id,
                status,
                check.points if status is Status.PASSED else 0.0,
                check.points,
                message="<b>no</b>",
            )
            for (check, exercise), status in zip(
                checks, self.statuses[submission.student], strict=True
            )
        ]
        return Result(submission.student, submission.chapter, tuple(verdicts))


@pytest.fixture
def handed_in(course):
    release(course, ["ch01"])
    settings, chapter = load_settings(course), find_chapter(course, "ch01")

    def hand_in(student, files):
        folder = course / "submitted" / student / chapter.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)

    return settings, chapter, hand_in


def marks(settings, chapter):
    with open(marks_path(settings, chapter.name), newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def test_every_folder_becomes_a_row_and_bad_ones_say_why(handed_in):
    settings, chapter, hand_in = handed_in
    hand_in("ada", {"ch01_small.ipynb": b"{}"})
    hand_in("empty", {})
    hand_in("word", {"essay.docx": b"PK"})
    hand_in("two", {"a.ipynb": b"{}", "b.ipynb": b"{}"})
    hand_in("renamed", {"ch01_small (1).ipynb": b"{}"})
    passed = [Status.PASSED, Status.PASSED]
    grade(settings, chapter, Scripted(chapter, {"ada": passed, "renamed": passed}))
    rows = marks(settings, chapter)
    assert {student: row["points"] for student, row in rows.items()} == {
        "ada": "3",
        "empty": "0",
        "word": "0",
        "two": "0",
        "renamed": "3",
    }
    assert (
        "essay.docx" in rows["word"]["problem"]
        and "several notebooks" in rows["two"]["problem"]
        and "empty folder" in rows["empty"]["problem"]
    )


def test_of_several_notebooks_the_finished_one_counts_and_the_report_says_so(handed_in):
    settings, chapter, hand_in = handed_in
    untouched = student_path(settings.root, chapter.name).read_bytes()
    finished = untouched.replace(b'raise NotImplementedError()"', b'return 2 * x"')
    scratch, name = b'{"cells": []}', f"{chapter.name}.ipynb"
    hand_in("ada", {name: untouched, "ch01 FINAL.ipynb": finished, "Untitled.ipynb": scratch})
    hand_in("ben", {name: finished, "ch01 before.ipynb": untouched})
    hand_in("cleo", {"a.ipynb": untouched, "b.ipynb": finished})
    hand_in("dora", {"a.ipynb": finished, "b.ipynb": finished})
    found = {
        one.student: one for one in find_submissions(settings.root / "submitted", chapter.name)
    }
    counts = {student: one.path and one.path.name for student, one in found.items()}
    assert counts == {"ada": "ch01 FINAL.ipynb", "ben": name, "cleo": "b.ipynb", "dora": None}
    results = grade(settings, chapter, Scripted(chapter, dict.fromkeys(found, [Status.PASSED] * 2)))
    assert "ch01 FINAL.ipynb counts" in results[0].repairs[0]
    assert f"{name} counts" in results[1].repairs[0]


def test_a_resubmission_replaces_the_mark_and_keeps_what_a_person_gave(handed_in):
    settings, chapter, hand_in = handed_in
    hand_in("ada", {"ch01_small.ipynb": b"{}"})
    grade(settings, chapter, Scripted(chapter, {"ada": [Status.PASSED, Status.PASSED]}))
    with Book(settings.database, settings.course_id) as book:
        given = book.book.find_grade("ch01_half_check", chapter.name, chapter.name, "ada")
        given.manual_score = 0.5
        comment = book.book.find_comment("ch01_half", chapter.name, chapter.name, "ada")
        comment.manual_comment = "well argued"
        book.book.db.commit()
    grade(settings, chapter, Scripted(chapter, {"ada": [Status.DIED, Status.TIMEOUT]}))
    with Book(settings.database, settings.course_id) as book:
        by_name = {
            name: book.book.find_grade(name, chapter.name, chapter.name, "ada")
            for name in ("ch01_double_check", "ch01_half_check")
        }
        assert (
            by_name["ch01_double_check"].auto_score == 0
            and by_name["ch01_half_check"].auto_score == 0
        )
        assert by_name["ch01_half_check"].manual_score == 0.5
        assert (
            book.book.find_comment("ch01_half", chapter.name, chapter.name, "ada").comment
            == "well argued"
        )


def test_a_chapter_that_gained_and_lost_a_check_after_submissions_is_registered(handed_in, course):
    settings, chapter, hand_in = handed_in
    hand_in("ada", {"ch01_small.ipynb": b"{}"})
    grade(settings, chapter, Scripted(chapter, {"ada": [Status.PASSED, Status.PASSED]}))
    chapter.path.write_text(chapter.path.read_text().replace("ch01_half", "ch01_halved"))
    chapter = find_chapter(course, "ch01")
    grade(settings, chapter, Scripted(chapter, {"ada": [Status.PASSED, Status.WRONG]}))
    with Book(settings.database, settings.course_id) as book:
        assert book_scores(book, chapter.name) == {"ada": (2.0, 3.0)}


def test_feedback_escapes_what_students_wrote(handed_in):
    settings, chapter, hand_in = handed_in
    hand_in("ada", {"ch01_small.ipynb": b"{}"})
    results = grade(settings, chapter, Scripted(chapter, {"ada": [Status.WRONG, Status.PASSED]}))
    text = feedback_path(settings, results[0].student, chapter.name).read_text(encoding="utf-8")
    assert "&lt;b&gt;no&lt;/b&gt;" in text and "<b>no</b>" not in text
    assert "-5.0" not in text, "a line of a hidden test stands in the feedback"
    assert "1.1 Doubling" in text


@pytest.mark.parametrize("name", real_chapters())
def test_a_page_says_the_whole_sentence_of_what_a_check_claims(name):
    chapter = find_chapter(ROOT, name)
    page = " ".join(html.unescape(feedback.page(chapter, refused(chapter, "ada", "no"))).split())
    for check in (check for exercise in chapter.exercises for check in exercise.checks):
        said = " ".join(ast.get_docstring(ast.parse(check.text)).split())
        assert re.sub(r"^Exercise [\d.]+[:,] ", "", said) in page, check.grade_id


def test_a_name_that_is_a_formula_stays_text(handed_in):
    settings, chapter, hand_in = handed_in
    hand_in("=1+1", {"ch01_small.ipynb": b"{}"})
    grade(settings, chapter, Scripted(chapter, {"=1+1": [Status.PASSED, Status.PASSED]}))
    assert list(marks(settings, chapter)) == ["'=1+1"]


def test_a_result_survives_the_way_through_json(course):
    result = refused(find_chapter(course, "ch01"), "ada", "not a notebook")
    assert Result.from_data(json.loads(json.dumps(result.to_data()))) == result
    assert result.to_data()["verdicts"][0]["status"] == "missing"
