"""Marks leave in the form each platform takes in, with lateness counted as the policy says."""

import csv
import json
from datetime import datetime

import pytest

from autograder.classroom.results.export import export, parse_due, read_marks
from autograder.classroom.results.late import DAY, LatePolicy, parse_policy
from autograder.course.errors import AutograderError
from autograder.grading.result import Status

from .test_grade import Scripted, grade, handed_in  # noqa: F401  (a fixture)


@pytest.fixture
def graded(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    for student, received in (
        ("101", "2026-11-01 12:00:00 UTC"),
        ("102", "2026-11-03 13:00:00 UTC"),
    ):
        hand_in(student, {"ch01_small.ipynb": b"{}", "timestamp.txt": received.encode()})
    grade(
        settings,
        chapter,
        Scripted(
            chapter, {"101": [Status.PASSED, Status.PASSED], "102": [Status.PASSED, Status.WRONG]}
        ),
    )
    return settings, chapter


DUE = datetime(2026, 11, 2, 12, 0)


@pytest.mark.parametrize(
    "policy, late, points",
    [
        ("none", 10 * DAY, 10),
        ("zero", 60, 0),
        ("10%", 0, 10),
        ("10%", 60, 9),
        ("10%", DAY, 9),
        ("10%", DAY + 1, 8),
        ("10%", 30 * DAY, 0),
        ("25%", 2 * DAY, 5),
    ],
)
def test_late_policies(policy, late, points):
    assert parse_policy(policy).mark(10, late) == pytest.approx(points)


def test_grace_costs_nothing_and_then_the_whole_delay_counts():
    policy = parse_policy("10%", "15m")
    assert policy.mark(10, 15 * 60) == 10
    assert policy.mark(10, 15 * 60 + 1) == 9


@pytest.mark.parametrize("text", ["110%", "half", "-5%", ""])
def test_an_unknown_policy_is_named(text):
    with pytest.raises(AutograderError, match="expected none, zero"):
        parse_policy(text)


def test_lateness_is_counted_from_the_due_date(graded):
    settings, chapter = graded
    marks = read_marks(settings, chapter, LatePolicy("per-day", 10), DUE)
    assert [(m.student, m.points, m.before_late) for m in marks] == [("101", 3, 3), ("102", 1.6, 2)]


def test_a_file_the_platform_called_late_counts_as_a_day(graded):
    settings, chapter = graded
    (settings.root / "submitted/101/ch01_small/collected.json").write_text('{"late": true}')
    marks = read_marks(settings, chapter, LatePolicy("per-day", 10))
    assert marks[0].points == pytest.approx(2.7) and marks[1].points == 2


def test_canvas_gets_its_id_columns_back(graded, tmp_path):
    settings, chapter = graded
    gradebook = tmp_path / "canvas.csv"
    gradebook.write_text(
        'Student,ID,SIS User ID,SIS Login ID,Section,"ch01 Small (77)",Final Score\n'
        '    Points Possible,,,,,3,(read only)\n"Doe, Jane",101,s1,jane,A,,\n"Roe, '
        '=1+1",102,s2,rick,A,,\n"New, Nat",103,s3,nat,A,,\n',
        encoding="utf-8",
    )
    path, unknown = export(
        settings, chapter, "canvas", read_marks(settings, chapter), tmp_path / "out.csv", gradebook
    )
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ch01 Small (77)"]
    assert [row[-1] for row in rows[1:]] == ["3", "3", "2", ""] and unknown == []


def test_students_whom_the_platform_does_not_know_are_named(graded, tmp_path):
    settings, chapter = graded
    gradebook = tmp_path / "canvas.csv"
    gradebook.write_text("Student,ID\nDoe,101\n")
    assert export(
        settings, chapter, "canvas", read_marks(settings, chapter), tmp_path / "out.csv", gradebook
    )[1] == ["102"]


def test_moodle_gets_its_worksheet_back_scaled_to_its_maximum(graded, tmp_path):
    settings, chapter = graded
    sheet = tmp_path / "moodle.csv"
    sheet.write_text(
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
        "Participant 101,Jane Doe,jane@x.org,Submitted,,100.00,\nParticipant 999,Nat "
        "New,nat@x.org,No submission,,100.00,\n"
    )
    path, _ = export(
        settings, chapter, "moodle", read_marks(settings, chapter), tmp_path / "out.csv", sheet
    )
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["Grade"] for row in rows] == ["100.00", ""]


def test_gradescope_gets_a_result_for_each_student(graded, tmp_path):
    settings, chapter = graded
    export(settings, chapter, "gradescope", read_marks(settings, chapter), tmp_path / "g")
    result = json.loads((tmp_path / "g/102/results.json").read_text())
    assert result["score"] == 2 and [t["status"] for t in result["tests"]] == ["passed", "failed"]


def test_csv_holds_every_check(graded, tmp_path):
    settings, chapter = graded
    path, _ = export(settings, chapter, "csv", read_marks(settings, chapter), tmp_path / "m.csv")
    assert list(csv.DictReader(path.read_text().splitlines()))[1]["ch01_half_check"] == "0"


@pytest.mark.parametrize(
    "platform, text, says",
    [
        ("canvas", "a,b\n1,2\n", "columns Student and ID"),
        ("moodle", "a,b\n", "Identifier and Grade"),
        ("canvas", "", "is empty"),
    ],
)
def test_a_wrong_template_says_what_was_expected(graded, tmp_path, platform, text, says):
    settings, chapter = graded
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AutograderError, match=says):
        export(
            settings,
            chapter,
            platform,
            read_marks(settings, chapter),
            tmp_path / "o.csv",
            tmp_path / "t.csv",
        )


def test_exporting_before_grading_says_what_to_run(handed_in):  # noqa: F811
    settings, chapter, _ = handed_in
    with pytest.raises(AutograderError, match="autograder grade ch01"):
        read_marks(settings, chapter)


def test_a_due_date_that_is_none_is_refused():
    with pytest.raises(AutograderError, match="expected YYYY-MM-DD"):
        parse_due("tomorrow")
