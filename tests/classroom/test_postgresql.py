"""The gradebook in PostgreSQL, on a server that the test starts itself."""

from dataclasses import replace

import pytest

from autograder.classroom.paths import class_page_path
from autograder.classroom.results.gradebook import Book
from autograder.course.errors import AutograderError
from tests.small_class import Classroom, Counting, grade
from tests.small_class import scores as book_scores

from .postgresql import INITDB, MISSING, Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(INITDB is None, reason=MISSING),
]


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


def test_marks_reach_postgresql_and_manual_marks_stay(course, server):
    room, url = Classroom(course), server.url()
    settings = replace(room.settings, db_url=url)
    for student in ("ada", "ünal 'quoted'"):
        room.hand_in(student)
    grade(settings, room.chapter, Counting(room))
    with Book(url, settings.course_id) as book:
        book.book.find_grade(
            "ch01_half_check", room.chapter.name, room.chapter.name, "ada"
        ).manual_score = 0.5
        book.book.db.commit()
    room.edit_source("ch01_double", "ch01_twice")
    grade(settings, room.chapter, Counting(room))
    with Book(url, settings.course_id) as book:
        assert book_scores(book, room.chapter.name) == {"ada": (2.5, 3), "ünal 'quoted'": (3, 3)}


def test_what_a_person_gave_moves_along_and_is_asked_for_again(course, server):
    room, url = Classroom(course), server.create("moved")
    name = room.chapter.name
    room.hand_in("ada")
    grade(room.settings, room.chapter, Counting(room))
    with Book(room.settings.database, room.settings.course_id) as book:
        (notebook,) = book.book.find_submission(name, "ada").notebooks
        notebook.grades[0].manual_score = 0.5
        next(c for c in notebook.comments).manual_comment = "well put"
        given, total = notebook.grades[0].name, notebook.score
        book.book.db.commit()
    moved = replace(room.settings, db_url=url)
    grade(moved, room.chapter, Counting(room))
    with Book(url, moved.course_id) as book:
        assert book_scores(book, name) == {"ada": (total, 3)}
        assert book.by_hand(name)["ada"].points[given] == 0.5
        assert "well put" in book.by_hand(name)["ada"].comments.values()
        assert book.book.find_grade(given, name, name, "ada").needs_manual_grade
    page = class_page_path(moved, name).read_text()
    assert "taken over from the gradebook of this folder" in page
    grade(moved, room.chapter, Counting(room))
    with Book(url, moved.course_id) as book:
        assert book_scores(book, name) == {"ada": (total, 3)}, "it is taken over once"


def test_a_server_that_goes_away_in_the_middle_is_one_line_and_the_next_run_goes_on(course, server):
    room = Classroom(course)
    settings = replace(room.settings, db_url=server.url())
    room.hand_in("ada")
    room.hand_in("ben")

    class Stopping(Counting):
        def grade(self, submission):
            server.stop()
            return super().grade(submission)

    first = Stopping(room)
    with pytest.raises(AutograderError, match="gradebook"):
        grade(settings, room.chapter, first)
    second = Counting(room)
    grade(replace(settings, db_url=""), room.chapter, second)
    assert sorted(first.graded + second.graded) == ["ada", "ben"]
    with Book(room.settings.database, settings.course_id) as book:
        assert book_scores(book, room.chapter.name) == {"ada": (3, 3), "ben": (3, 3)}
