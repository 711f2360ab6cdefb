"""Canvas's API: files come with the time at which Canvas took them, marks and pages go back, and
the token goes nowhere else.
"""

import shutil
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.build.release import release
from autograder.classroom.canvas import api, connection
from autograder.classroom.collect.submitted import Notes, find_submissions
from autograder.classroom.late import LateKind, LatePolicy
from autograder.classroom.people import people_of
from autograder.classroom.results.gradebook import read_marks
from autograder.course.chapter import find_chapter, student_path
from autograder.course.settings import load_settings
from autograder.grading.result import Status
from tests.conftest import CHAPTER as SMALL
from tests.conftest import ROOT, write_chapter
from tests.small_class import grade

from .canvas_server import ASSIGNMENT, TOKEN, serving
from .test_grade import Scripted

CHAPTER = "ch01_small"
BOTH = [Status.PASSED, Status.PASSED]
WAITED = []


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A course whose chapter is built, made once."""
    root = tmp_path_factory.mktemp("released")
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root / name)
    write_chapter(root, CHAPTER, SMALL)
    release(root, ["ch01"])
    return root


@pytest.fixture
def course(released, tmp_path):
    return Path(shutil.copytree(released, tmp_path / "course"))


@pytest.fixture
def canvas(course, monkeypatch):
    """A course that is set up for a Canvas with three students, two of whom handed in."""
    monkeypatch.chdir(course)
    WAITED.clear()
    monkeypatch.setattr(api, "Connection", partial(connection.Connection, wait=WAITED.append))
    with serving() as fake:
        monkeypatch.setenv("AUTOGRADER_CANVAS_URL", fake.address)
        monkeypatch.setenv("AUTOGRADER_CANVAS_COURSE", "42")
        monkeypatch.setenv("AUTOGRADER_CANVAS_ASSIGNMENTS", "ch01=7")
        monkeypatch.setenv(connection.TOKEN, TOKEN)
        fake.notebook = student_path(course, CHAPTER).read_bytes()
        fake.sections = [{"id": 1, "name": "Monday"}, {"id": 2, "name": "Friday"}]
        fake.student(101, "Doe, Ada")
        fake.student(102, "Roe, Ben", section=2)
        fake.student(103, "Moe, Carl")
        fake.hand_in(101, fake.notebook, "2026-11-20T22:59:00Z", 9001)
        fake.hand_in(102, fake.notebook + b"\n", "2026-11-21T12:00:00Z", 9002)
        fake.submissions[103] = {"user_id": 103, "submitted_at": None, "excused": True}
        yield fake


def everything_on_disk(course):
    return b"".join(path.read_bytes() for path in course.rglob("*") if path.is_file())


def graded(course, **statuses):
    settings, chapter = load_settings(course), find_chapter(course, "ch01")
    names = {name.removeprefix("s"): given for name, given in statuses.items()}
    grade(settings, chapter, Scripted(chapter, names))
    return settings, chapter


def late(settings, chapter):
    marks = read_marks(settings, chapter, LatePolicy(LateKind.PER_DAY, 10))
    return {mark.student: mark.seconds_late for mark in marks}


def test_files_come_with_canvass_own_time_page_after_page(canvas, course, capsys):
    assert main(["canvas", "collect", "ch01"]) == 0
    (found,) = find_submissions(course / "submitted", CHAPTER, ["101"])
    assert found.path.read_bytes() == canvas.notebook
    assert found.received == datetime(2026, 11, 20, 22, 59)
    assert canvas.paths("GET").count(f"{ASSIGNMENT}/submissions") == 2, "two pages of two"
    assert late(*graded(course, s101=BOTH, s102=BOTH)) == {"101": 0, "102": 13 * 3600}
    assert "read 2 student(s) in 1 chapter(s): 2 taken" in capsys.readouterr().out
    table = (course / "submitted/canvas-people.csv").read_text()
    assert "103,ch01_small,2026-11-20 23:00:00,yes,,Monday" in table
    for name in (b"Doe", b"Ben"):
        assert name not in (course / "submitted/canvas-people.csv").read_bytes()


def test_a_dry_run_writes_nothing_and_the_gate_holds(canvas, course, capsys):
    assert main(["canvas", "collect", "ch01", "--dry-run"]) == 0
    assert not (course / "submitted").exists()
    (course / "roster.csv").write_text("student,login\nada,doe\ncarl,moe\n")
    assert main(["canvas", "collect", "ch01", "--roster", "roster.csv"]) == 1
    assert not (course / "submitted").exists()
    assert "1 notebook(s) of nobody known" in capsys.readouterr().err
    assert main(["canvas", "collect", "ch01", "--roster", "roster.csv", "--yes"]) == 0
    assert sorted(path.name for path in (course / "submitted").glob("*/")) == ["ada"]


@pytest.mark.parametrize(
    "override, seconds",
    [
        ({"student_ids": [102], "due_at": "2026-11-21T11:00:00Z"}, 3600),
        ({"course_section_id": 2, "due_at": "2026-11-23T00:00:00Z"}, 0),
        ({"course_section_id": 1, "due_at": "2026-11-23T00:00:00Z"}, 13 * 3600),
        ({"student_ids": [102], "due_at": None}, 0),  # no due date for them
        ({"student_ids": [102], "unlock_at": "2026-11-01T00:00:00Z"}, 13 * 3600),
    ],
)
def test_overrides_are_extensions(canvas, course, override, seconds):
    canvas.overrides = [{"id": 4, "assignment_id": 7, "title": "more time", **override}]
    if seconds == 0:  # so Canvas says itself, by the override
        canvas.submissions[102] |= {"late": False, "seconds_late": 0}
    main(["canvas", "collect", "ch01"])
    assert late(*graded(course, s101=BOTH, s102=BOTH))["102"] == seconds


@pytest.mark.parametrize("status, said, seconds", [("none", 0, 0), ("late", 7200, 7200)])
def test_what_a_person_says_of_lateness_in_canvas_counts(canvas, course, status, said, seconds):
    canvas.submissions[102] |= {"late_policy_status": status, "seconds_late": said, "late": False}
    main(["canvas", "collect", "ch01"])
    assert late(*graded(course, s101=BOTH, s102=BOTH))["102"] == seconds


def test_people_csv_goes_before_what_canvas_says(canvas, course):
    (course / "people.csv").write_text(
        "student,due,extension,section\n101,2026-11-20 22:00,,\n102,,12h,Sunday\n"
    )
    main(["canvas", "collect", "ch01"])
    settings, chapter = graded(course, s101=BOTH, s102=BOTH)
    assert late(settings, chapter) == {"101": 59 * 60, "102": 3600}
    people = people_of(settings)
    assert people.about("102", CHAPTER).section == "Sunday"
    assert people.about("101", CHAPTER).section == "Monday"
    assert people.about("103", CHAPTER).excused


def test_a_file_of_a_group_reaches_every_member_once(canvas, course):
    group = {"id": 5, "name": "Team_1"}
    for number in (101, 102, 103):
        canvas.hand_in(number, canvas.notebook, "2026-11-20T12:00:00Z", 9009, group=group)
    assert main(["canvas", "collect", "ch01"]) == 0
    assert canvas.paths("GET", "files") == ["/stored/9009"]
    for number in ("101", "102", "103"):
        about = Notes(course / "submitted")[f"{number}/{CHAPTER}"]
        assert about.together == ("101", "102", "103")


def test_anonymous_submissions_keep_their_ids_and_are_marked_under_them(canvas, course, capsys):
    one = canvas.submissions.pop(101)
    del one["user_id"]
    canvas.submissions = {"a1B2c": {**one, "anonymous_id": "a1B2c"}}
    assert main(["canvas", "collect", "ch01"]) == 0
    graded(course, sa1B2c=BOTH)
    assert main(["canvas", "send", "ch01", "--yes"]) == 0
    assert canvas.submissions["a1B2c"]["score"] == 6
    assert canvas.paths("PUT") == [f"{ASSIGNMENT}/anonymous_submissions/a1B2c"]
    assert "takes no file while names are hidden" in capsys.readouterr().err


def test_the_token_goes_to_canvas_alone_and_stands_nowhere(canvas, course, capsys):
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=BOTH)
    assert main(["canvas", "send", "ch01", "--yes"]) == 0
    said = {
        host: {token for where, _, _, token in canvas.asked if where == host}
        for host in ("canvas", "files")
    }
    assert said == {"canvas": {f"Bearer {TOKEN}"}, "files": {None}}
    canvas.answers = [(500, {}, {"errors": f"Bearer {TOKEN}"})] * 5
    assert main(["canvas", "collect", "ch01"]) == 1
    shown = "".join(capsys.readouterr())
    assert TOKEN not in shown and "secret" not in shown
    assert TOKEN.encode() not in everything_on_disk(course)


def test_a_next_page_elsewhere_is_not_asked(canvas, capsys):
    link = f'<{canvas.elsewhere}/api/v1/x?page=2>; rel="next"'
    canvas.answers = [(200, {}, canvas.assignment), (200, {"Link": link}, [])]
    assert main(["canvas", "collect", "ch01"]) == 1
    assert "it is not asked" in capsys.readouterr().err
    assert canvas.paths("GET", "files") == []


@pytest.mark.parametrize(
    "answer, waited",
    [
        ((403, {}, b"403 Forbidden (Rate Limit Exceeded)"), [1]),
        ((429, {"Retry-After": "7"}, b""), [7]),
        ((503, {}, b""), [1]),
    ],
)
def test_it_waits_where_canvas_asks_to(canvas, answer, waited):
    canvas.answers = [answer]
    assert main(["canvas", "collect", "ch01"]) == 0
    assert waited == WAITED


@pytest.mark.parametrize(
    "answer, said",
    [
        ((401, {"WWW-Authenticate": "Bearer"}, {}), "does not accept the token"),
        ((401, {}, {"status": "unauthorized"}), "expected a teacher of the course"),
        ((403, {}, {"status": "unauthorized"}), "expected a teacher of the course"),
        ((404, {}, {}), "check canvas_url, canvas_course"),
        ((200, {"Content-Type": "text/html"}, b"<html>"), "is canvas_url right?"),
        ((422, {}, {"errors": [{"message": "too odd"}]}), "answered 422: too odd"),
        ((429, {"Retry-After": "4000"}, b""), "for 4000 s; try again then"),
    ],
)
def test_every_no_is_one_line(canvas, capsys, answer, said):
    canvas.answers = [answer]
    assert main(["canvas", "collect", "ch01"]) == 1
    (line,) = filter(None, capsys.readouterr().err.splitlines())
    assert said in line and line.startswith("error: ")


@pytest.mark.parametrize(
    "name, value, said",
    [
        ("AUTOGRADER_CANVAS_URL", "", "Canvas's API is off"),
        ("AUTOGRADER_CANVAS_URL", "http://canvas.example.edu", "expected https"),
        ("AUTOGRADER_CANVAS_ASSIGNMENTS", "ch02=8", "names no assignment for ch01_small"),
        (connection.TOKEN, "", "it is not set"),
        (connection.TOKEN, "two words", "no token of Canvas"),
    ],
)
def test_it_is_off_until_it_is_set_up(canvas, capsys, monkeypatch, name, value, said):
    monkeypatch.setenv(name, value)
    assert main(["canvas", "collect", "ch01"]) == 1
    assert said in capsys.readouterr().err and canvas.asked == []


def test_a_file_that_cannot_be_had_stops_the_run(canvas, course, capsys):
    canvas.submissions[102]["attachments"][0]["url"] = f"{canvas.address}/files/gone"
    assert main(["canvas", "collect", "ch01"]) == 1
    assert not (course / "submitted").exists()
    assert "could not be downloaded" in capsys.readouterr().err
    assert main(["canvas", "collect", "ch01", "--yes"]) == 0
    assert not (course / "submitted/102").exists()


def test_nothing_is_sent_before_it_was_seen_and_a_persons_mark_stays(canvas, course, capsys):
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=[Status.PASSED, Status.WRONG])
    canvas.submissions[102] |= {"score": 5.5, "entered_score": 5.5}
    capsys.readouterr()
    assert main(["canvas", "send", "ch01"]) == 0
    said = capsys.readouterr()
    assert "102: 5.5 stays (typed there), ours is 4" in said.out
    assert "to send: 1 mark(s), 2 page(s)" in said.out and "nothing was sent" in said.out
    assert canvas.paths("PUT") == canvas.paths("POST") == []
    assert main(["canvas", "send", "ch01", "--yes"]) == 0
    assert canvas.submissions[101]["score"] == 6, "3 of 3 points, on a scale of 6"
    assert canvas.submissions[102]["score"] == 5.5
    assert [number for number, _, _ in canvas.comments] == [101, 102]
    page = (course / "feedback/101" / CHAPTER / f"{CHAPTER}.html").read_bytes()
    assert canvas.uploads[900] == page and canvas.comments[0][2] == [900]


def test_what_was_sent_is_ours_and_is_sent_once(canvas, course, capsys):
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=BOTH)
    main(["canvas", "send", "ch01", "--yes"])
    before = len(canvas.comments)
    capsys.readouterr()
    main(["canvas", "send", "ch01", "--yes"])
    assert "to send: 0 mark(s), 0 page(s)" in capsys.readouterr().out
    assert len(canvas.comments) == before
    graded(course, s101=BOTH, s102=[Status.PASSED, Status.WRONG])
    main(["canvas", "send", "ch01", "--only", "marks", "--yes"])
    assert "102: 6 becomes 4" in capsys.readouterr().out
    assert canvas.submissions[102]["score"] == 4 and len(canvas.comments) == before


def test_excused_stays_and_goes(canvas, course):
    main(["canvas", "collect", "ch01"])
    (course / "people.csv").write_text("student,excused\n101,yes\n")
    graded(course, s101=BOTH, s102=BOTH)
    canvas.submissions[102]["excused"] = True
    main(["canvas", "send", "ch01", "--only", "marks", "--overwrite", "--yes"])
    assert canvas.submissions[101]["excused"] and canvas.submissions[101]["score"] is None
    assert canvas.submissions[102]["excused"] and canvas.paths("PUT") == [
        f"{ASSIGNMENT}/submissions/101"
    ]


@pytest.mark.parametrize("facts", [{"grading_type": "letter_grade"}, {"points_possible": None}])
def test_letters_and_assignments_without_points_are_refused(canvas, course, capsys, facts):
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=BOTH)
    canvas.assignment |= facts
    assert main(["canvas", "send", "ch01", "--yes"]) == 1
    assert "expected an assignment with points" in capsys.readouterr().err
    assert canvas.paths("PUT") == []


def test_one_mark_for_a_group_is_not_given_where_members_have_two(canvas, course, capsys):
    canvas.assignment |= {"group_category_id": 3, "grade_group_students_individually": False}
    for number in (101, 102):
        canvas.hand_in(number, canvas.notebook, "2026-11-20T12:00:00Z", 9009, group={"id": 5})
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=[Status.PASSED, Status.WRONG])
    assert main(["canvas", "send", "ch01", "--yes"]) == 1
    assert "student individually" in capsys.readouterr().err and canvas.paths("PUT") == []


def test_a_mark_that_canvas_does_not_keep_is_named(canvas, course, capsys):
    main(["canvas", "collect", "ch01"])
    graded(course, s101=BOTH, s102=BOTH)
    del canvas.submissions[102]
    canvas.answers = []
    kept = dict(canvas.submissions[101])

    class Stubborn(dict):
        def __setitem__(self, name, value):
            super().__setitem__(name, value if name != "entered_score" else 1.0)

    canvas.submissions[101] = Stubborn(kept)
    assert main(["canvas", "send", "ch01", "--only", "marks", "--yes"]) == 1
    assert "101: sent 6, Canvas holds 1" in capsys.readouterr().err
