"""Where the machine was too busy to grade something, it is tried once more alone; then it stays
open, is said to be open, and the next run grades it.
"""

import csv
import types
from dataclasses import replace

import pytest

from autograder.__main__ import main
from autograder.classroom.paths import class_page_path, feedback_path, marks_path
from autograder.classroom.results.gradebook import read_marks
from autograder.classroom.run import dispatch
from autograder.classroom.run.dispatch import Dispatch, Job, Reply
from autograder.course.errors import AutograderError
from autograder.grading.result import Status, Submission
from tests.small_class import Classroom, Counting, grade, graded_here


class Busy(Counting):
    """An engine whose machine is too busy for everything but the first exercise."""

    def grade(self, submission):
        result = super().grade(submission)
        first, *others = result.verdicts
        late = (replace(one, status=Status.BUSY, points=0.0) for one in others)
        return replace(result, verdicts=(first, *late))


@pytest.fixture
def room(course):
    return Classroom(course)


@pytest.mark.parametrize("second", ["done", "busy"])
def test_what_was_not_graded_is_tried_once_more_when_nothing_else_is_under_way(
    room, monkeypatch, second
):
    submissions = [Submission(name, room.chapter.name, b"") for name in ("ada", "ben")]
    busy, done = (Reply(engine(room).grade(submissions[0])) for engine in (Busy, Counting))
    replies, sent = iter([busy, done, done if second == "done" else busy]), []

    class Everyone:
        root = room.root

        def submit(self, most, grade_bytes, course, student, *about):
            sent.append(student)
            return types.SimpleNamespace(key=f"{len(sent)}", add_done_callback=self.ended)

        def ended(self, tell):
            tell(types.SimpleNamespace(key=f"{len(sent)}"))

        def threads(self):
            return 2

    monkeypatch.setattr(dispatch, "_reply_of", lambda future: next(replies))
    got = Dispatch(Everyone(), room.chapter, map(Job, submissions), 2).replies()
    assert [(job.submission.student, reply.is_open) for job, reply in got] == [
        ("ben", False),
        ("ada", second == "busy"),
    ]
    assert sent == ["ada", "ben", "ada"]


def test_what_was_not_graded_is_said_and_the_next_run_grades_it_alone(room, monkeypatch, capsys):
    room.hand_in("ada")
    room.hand_in("ben")
    grade(room.settings, room.chapter, Counting(room), ["ben"])
    monkeypatch.chdir(room.root)
    graded_here(monkeypatch, Busy(room))
    assert main(["grade", "ch01", "--no-sandbox", "--student", "ada"]) == 0
    said = capsys.readouterr()
    assert "machine too busy" in said.out and "machine was too busy: ada" in said.err
    name = room.chapter.name
    with open(marks_path(room.settings, name), newline="") as file:
        assert [
            (row["student"], row["points"], row["problem"]) for row in csv.DictReader(file)
        ] == [
            ("ada", "2", "not graded: machine too busy"),
            ("ben", "3", ""),
        ]
    assert "the machine was too busy" in class_page_path(room.settings, name).read_text()
    assert "it is graded in the next run" in feedback_path(room.settings, "ada", name).read_text()
    with pytest.raises(AutograderError, match="ada handed in is not graded to the end"):
        read_marks(room.settings, room.chapter)
    again = Counting(room)
    graded = grade(room.settings, room.chapter, again, only_changed=True)
    assert {one.student: one.points for one in read_marks(room.settings, room.chapter)} == {
        "ada": 3,
        "ben": 3,
    }
    assert {one.student: one.points for one in graded} == {"ada": 3, "ben": 3}
    assert again.graded == ["ada"]
