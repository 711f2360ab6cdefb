"""What was graded is not graded again without need, and never taken for what it is not."""

import csv
import json

import pytest

from autograder.classroom.paths import changes_path, journal_path, marks_path
from autograder.classroom.results.gradebook import Book
from autograder.classroom.run.dispatch import Reply
from autograder.classroom.run.grade import GradeOptions
from autograder.classroom.run.grade import grade as grade_with
from autograder.classroom.run.journal import Journal, JournalEntry
from autograder.course.errors import AutograderError
from autograder.grading.result import Status
from tests.small_class import Classroom, Counting, grade, graded
from tests.small_class import scores as book_scores


@pytest.fixture
def room(course):
    return Classroom(course)


def run(room, engine, students=(), only_changed=True, **more):
    return {
        r.student: r.points
        for r in grade(
            room.settings, room.chapter, engine, students, only_changed=only_changed, **more
        )
    }


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def scores(room):
    with Book(room.settings.database, room.settings.course_id) as book:
        return {
            student: points for student, (points, _) in book_scores(book, room.chapter.name).items()
        }


def test_only_new_and_changed_submissions_are_graded_when_asked_so(room):
    room.hand_in("ada")
    room.hand_in("ben")
    run(room, Counting(room))
    room.hand_in("ben", half="return x * 0.5")
    room.hand_in("chloe")
    second = Counting(room)
    assert run(room, second) == {"ada": 3, "ben": 3, "chloe": 3}
    assert second.graded == ["ben", "chloe"]


def test_everything_is_graded_again_when_not_asked_otherwise(room):
    room.hand_in("ada")
    run(room, Counting(room))
    second = Counting(room, Status.WRONG)
    assert run(room, second, only_changed=False) == {"ada": 0} and scores(room) == {"ada": 0}


def test_after_a_test_is_changed_only_its_exercise_gets_new_verdicts(room):
    room.hand_in("ada")
    run(room, Counting(room))
    room.edit_source("assert half(7.0) == 3.5", "assert half(9.0) == 4.5")
    engine = Counting(room, Status.WRONG)
    found = graded(room.settings, room.chapter, engine, only_changed=True)
    assert [r.points for r in found.results] == [2] and scores(room) == {"ada": 2}
    assert [(c.student, c.exercise, c.before, c.after, c.reason) for c in found.changes] == [
        ("ada", "ch01_half", 1, 0, "graded again")
    ]
    assert rows(changes_path(room.settings, room.chapter.name)) == [
        {
            "student": "ada",
            "exercise": "ch01_half",
            "before": "1",
            "after": "0",
            "of": "1",
            "reason": "graded again",
        }
    ]


def test_a_failure_does_not_outlive_a_change_of_an_earlier_exercise(room):
    room.hand_in("ada")
    run(room, Counting(room, Status.WRONG))
    room.edit_source("for number in (-5.0, -7.0)", "for number in (-5.0, -8.0)")
    assert run(room, Counting(room)) == {"ada": 3}


def test_a_changed_figure_or_text_grades_nothing_again(room):
    room.hand_in("ada")
    run(room, Counting(room))
    room.edit_source("print(sum(range(10)))", "print(sum(range(11)))")
    room.edit_source("# Its question.", "# Its better question.")
    second = Counting(room)
    run(room, second)
    assert second.graded == []


def test_a_changed_reference_grades_what_stands_below_it_again(room):
    room.hand_in("ada")
    run(room, Counting(room))
    room.edit_source("half_of_the_input = x / 2", "half_of_the_input = 0.5 * x")
    second = Counting(room, Status.WRONG)
    assert run(room, second) == {"ada": 2}


def test_a_run_that_was_stopped_goes_on_where_it_stood(room):
    for student in ("ada", "ben", "chloe", "dmitri"):
        room.hand_in(student)
    with pytest.raises(KeyboardInterrupt):
        run(room, Counting(room, stop_after=2), only_changed=False)
    second = Counting(room)
    run(room, second, only_changed=False)
    assert second.graded == ["chloe", "dmitri"]
    assert scores(room) == dict.fromkeys(("ada", "ben", "chloe", "dmitri"), 3)
    assert len(rows(marks_path(room.settings, room.chapter.name))) == 4


def test_a_run_that_goes_on_takes_no_result_of_other_bytes(room):
    room.hand_in("ada")
    room.hand_in("ben")
    with pytest.raises(KeyboardInterrupt):
        run(room, Counting(room, stop_after=1), only_changed=False)
    room.hand_in("ada", double="return x")
    assert run(room, Counting(room, Status.WRONG), only_changed=False) == {"ada": 0, "ben": 0}
    assert scores(room) == {"ada": 0, "ben": 0}


def test_a_run_after_one_that_ended_does_not_go_on_from_it(room):
    room.hand_in("ada")
    run(room, Counting(room), only_changed=False)
    second = Counting(room)
    run(room, second, only_changed=False)
    assert second.graded == ["ada"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"submission": 3}', b"\xff\xfe"])
def test_an_entry_that_cannot_be_read_is_no_entry(room, content):
    room.hand_in("ada")
    run(room, Counting(room))
    (journal_path(room.settings, room.chapter.name) / "ada.json").write_bytes(content)
    second = Counting(room)
    assert run(room, second) == {"ada": 3} and second.graded == ["ada"]


def test_an_entry_as_it_has_always_been_written_is_read_and_written_alike(room):
    verdict = {
        "check": "ch01_half_check",
        "exercise": "ch01_half",
        "failed_property": "",
        "hidden": False,
        "instead_of_earlier": ["ch01_double"],
        "max_points": 1,
        "message": "",
        "points": 1.0,
        "status": "passed",
    }
    result = {
        "chapter": "ch01_small",
        "flags": [],
        "problem": "",
        "repairs": ["one"],
        "seconds": 0.5,
        "student": "ada",
        "verdicts": [verdict],
    }
    entry = {
        "answers": {"ch01_half": "…"},
        "words": {"ch01_half": "…"},
        "open_task": "mine",
        "before": {"ch01_half": 0.0},
        "exercises": {"ch01_half": "fingerprint"},
        "reason": "handed in again",
        "result": result,
        "run": "run",
        "submission": "hash",
    }
    read = JournalEntry.from_json(json.dumps(entry))
    assert read.result.verdicts[0].status is Status.PASSED and read.before == {"ch01_half": 0}
    assert json.loads(read.to_json()) == entry
    del entry["words"], entry["open_task"]  # earlier versions did not write them
    assert JournalEntry.from_json(json.dumps(entry)).result == read.result


def test_a_second_run_of_the_same_chapter_is_refused(room):
    with (
        Journal(journal_path(room.settings, room.chapter.name), room.chapter, {}),
        pytest.raises(AutograderError, match="another run"),
    ):
        run(room, Counting(room))


def test_a_submission_that_kills_every_worker_replaces_the_mark_and_is_tried_again_next_time(room):
    room.hand_in("ada")
    run(room, Counting(room))
    room.hand_in("ada", double="return 3")

    class Dying:
        conditions = {"sandbox": None, "limits": None}

        def begin(self, chapter, most):
            pass

        def replies(self, chapter, jobs, most):
            for job in jobs:
                yield job, Reply(None, lost="the worker died")

    options = GradeOptions(only_changed=True)
    (result,) = grade_with(room.settings, room.chapter, Dying(), options).results
    assert result.problem == "the worker died" and scores(room) == {"ada": 0}
    second = Counting(room)
    assert run(room, second) == {"ada": 3} and second.graded == ["ada"]


def test_grading_one_student_keeps_the_rows_of_the_others(room):
    room.hand_in("ada")
    room.hand_in("ben")
    run(room, Counting(room))
    run(room, Counting(room, Status.WRONG), students=["ben"], only_changed=False)
    assert {
        row["student"]: row["points"] for row in rows(marks_path(room.settings, room.chapter.name))
    } == {"ada": "3", "ben": "0"}


def test_a_student_id_too_long_for_a_file_name_is_kept_too(room):
    student = "ü" * 120
    room.hand_in(student)
    run(room, Counting(room))
    second = Counting(room)
    assert run(room, second) == {student: 3} and second.graded == []


def test_a_failed_exercise_above_one_that_is_graded_again_comes_along(room):
    room.hand_in("ada")
    run(room, Counting(room, Status.WRONG))
    with Journal(journal_path(room.settings, room.chapter.name), room.chapter, {}) as journal:
        first, second = journal.read("ada").result.verdicts
        assert journal.to_grade({first.check: first}) == ("ch01_double", "ch01_half")
        assert journal.to_grade({second.check: second}) == ("ch01_double",)
