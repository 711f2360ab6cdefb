"""Marks leave in the form each platform takes in, with lateness counted as the policy says."""

import csv
from datetime import datetime

import pytest

from autograder.__main__ import main
from autograder.classroom.collect.submitted import Collected, Notes
from autograder.classroom.late import LateKind, LatePolicy
from autograder.classroom.people import not_handed_in
from autograder.classroom.results.export import export
from autograder.classroom.results.gradebook import read_marks
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


def test_lateness_is_counted_from_the_due_date(graded):
    settings, chapter = graded
    marks = read_marks(settings, chapter, LatePolicy(LateKind.PER_DAY, 10), DUE)
    assert [(m.student, m.points, m.before_late) for m in marks] == [("101", 3, 3), ("102", 1.6, 2)]


def test_a_file_the_platform_called_late_counts_as_a_day(graded):
    settings, chapter = graded
    notes = Notes(settings.root / "submitted")
    notes["101/ch01_small"] = Collected(late=True)
    notes.write()
    (settings.root / "submitted/101/ch01_small/timestamp.txt").unlink()
    marks = read_marks(settings, chapter, LatePolicy(LateKind.PER_DAY, 10))
    assert marks[0].points == pytest.approx(2.7) and marks[1].points == 2


# As Canvas writes it (app/models/gradebook_exporter.rb): assignment columns end in the assignment's
# id, "Points Possible" is indented, excused cells hold EX, a last row may be the test student.
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,ch01 Small (77),Final Score
    Points Possible,,,,,6.00,(read only)
"Doe, Jane",101,s1,jane,A,,80
"Roe, =1+1",102,s2,rick,A,{roe},
"New, Nat",103,s3,nat,A,4.5,
"""


def exported_to_canvas(graded, folder, text, **options):
    settings, chapter = graded
    (folder / "canvas.csv").write_text(text, encoding="utf-8")
    marks = read_marks(settings, chapter)
    done = export(chapter, "canvas", marks, folder / "out.csv", folder / "canvas.csv", **options)
    done.write()
    return done, list(csv.reader(done.path.read_text(encoding="utf-8").splitlines()))


def test_canvas_gets_its_id_columns_back_with_points_of_its_scale(graded, tmp_path):
    done, rows = exported_to_canvas(graded, tmp_path, CANVAS.format(roe=""))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ch01 Small (77)"]
    assert [row[-1] for row in rows[1:]] == ["6.00", "6", "4", "4.5"], "Nat's mark is left alone"
    assert rows[3][0] == "Roe, =1+1" and done.unknown == ()


@pytest.mark.parametrize("typed, overwrite, after", [("5", False, "5"), ("5", True, "4")])
def test_a_mark_typed_on_canvas_stays_unless_told_otherwise(
    graded, tmp_path, typed, overwrite, after
):
    done, rows = exported_to_canvas(graded, tmp_path, CANVAS.format(roe=typed), overwrite=overwrite)
    assert rows[3][-1] == after
    change = next(change for change in done.changes if change.student == "102")
    stays = "" if overwrite else "typed there"
    assert (change.before, change.after, change.stays) == (typed, "4", stays)


def test_excused_students_stay_excused_on_canvas(graded, tmp_path):
    assert (
        exported_to_canvas(graded, tmp_path, CANVAS.format(roe="EX"), overwrite=True)[1][3][-1]
        == "EX"
    )


def test_what_we_exported_last_time_is_replaced(graded, tmp_path):
    exported_to_canvas(graded, tmp_path, CANVAS.format(roe=""))
    out = (tmp_path / "out.csv").read_text(encoding="utf-8")
    (tmp_path / "out.csv").write_text(out.replace("A,4\n", "A,2\n"), encoding="utf-8")
    assert exported_to_canvas(graded, tmp_path, CANVAS.format(roe="2"))[1][3][-1] == "4"


@pytest.mark.parametrize(
    "old, new, says",
    [
        ("ch01 Small (77)", "Homework 1 (77)", "Homework 1"),
        ("6.00", "(read only)", "letters or scales"),
        ("6.00", "0", "0 points possible, so every mark would be 0.*ours are 3"),
    ],
)
def test_a_column_that_is_not_there_or_takes_no_points_is_refused(graded, tmp_path, old, new, says):
    with pytest.raises(AutograderError, match=says):
        exported_to_canvas(graded, tmp_path, CANVAS.format(roe="").replace(old, new))


def test_students_whom_the_platform_does_not_know_are_named(graded, tmp_path):
    done, _ = exported_to_canvas(graded, tmp_path, "Student,ID,ch01\nDoe,101,\n")
    assert done.unknown == ("102",)


def test_what_would_change_is_said_before_anything_is_written(graded, tmp_path):
    settings, chapter = graded
    (tmp_path / "canvas.csv").write_text(CANVAS.format(roe=""))
    marks = read_marks(settings, chapter)
    target = tmp_path / "out.csv"
    done = export(chapter, "canvas", marks, target, tmp_path / "canvas.csv")
    assert [change.after for change in done.changes] == ["6", "4"] and not target.exists()


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_gradebook_that_excel_saved_is_read(graded, tmp_path, encoding):
    settings, chapter = graded
    rows = csv.reader(CANVAS.format(roe="").replace("Jane", "Zoë").splitlines())
    text = "\n".join(map(";".join, rows))
    (tmp_path / "excel.csv").write_bytes(text.encode(encoding))
    done = export(
        chapter, "canvas", read_marks(settings, chapter), tmp_path / "o.csv", tmp_path / "excel.csv"
    )
    assert "Doe, Zoë;101;s1;jane;A;6" in done.content.decode().replace('"', "")


# As mod/assign/gradingtable.php writes the worksheet; a German site puts semicolons and its own
# words.
MOODLE = {
    "english": (
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
        'Participant 101,Jane Doe,jane@x.org,Submitted,,100.00,"Two\nlines, kept"\n'
        "Participant 999,Nat New,nat@x.org,No submission,,100.00,\n"
    ),
    "german": (
        "\ufeffID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Beste "
        "Bewertung;Kommentar\n"
        'Teilnehmer/in 101;Jane Doe;jane@x.org;Abgegeben;;100,00;"Two\nlines, kept"\n'
        "Teilnehmer/in 999;Nat New;nat@x.org;-;;100,00;\n"
    ),
}


@pytest.mark.parametrize("language", MOODLE)
def test_moodle_gets_its_worksheet_back_scaled_with_comments_whole(graded, tmp_path, language):
    settings, chapter = graded
    sheet = tmp_path / "moodle.csv"
    sheet.write_text(MOODLE[language], encoding="utf-8")
    done = export(chapter, "moodle", read_marks(settings, chapter), tmp_path / "out.csv", sheet)
    done.write()
    with open(done.path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=";" if language == "german" else ","))
    assert [row[4] for row in rows[1:]] == ["100.00", ""] and rows[1][6] == "Two\nlines, kept"


def test_moodles_maximum_stands_behind_the_grade_and_a_locked_grade_stays(graded, tmp_path):
    settings, chapter = graded
    sheet = tmp_path / "moodle.csv"
    sheet.write_text(
        "Tunniste,Koko nimi,Arvosana,Suurin arvosana,Arvosanaa voi muuttaa\n"
        "Osallistuja 101,Jane Doe,,100.00,No\nOsallistuja 102,Max Roe,,100.00,Yes\n"
    )
    marks = read_marks(settings, chapter)
    done = export(chapter, "moodle", marks, tmp_path / "o.csv", sheet, column="Arvosana")
    assert [row[2] for row in csv.reader(done.content.decode().splitlines())][1:] == ["", "66.67"]
    assert [(change.student, change.stays) for change in done.changes] == [
        ("101", "locked there"),
        ("102", ""),
    ]


def test_people_csv_gives_dates_excuses_and_who_left(graded, tmp_path):
    settings, chapter = graded
    (settings.root / "people.csv").write_text(
        "student,chapter,due,extension,excused,dropped\n"
        "102,,,2d,,\n101,ch01,,,yes,\n103,,,,,\n104,,,,,yes\n105,ch01,,,yes,\n",
        encoding="utf-8",
    )
    marks = read_marks(settings, chapter, LatePolicy(LateKind.PER_DAY, 10), DUE)
    assert [(mark.student, mark.points, mark.excused) for mark in marks] == [
        ("101", 3, True),
        ("102", 2, False),
    ]
    assert not_handed_in(settings, chapter.name, {"101", "102"}) == ["103"]
    assert not_handed_in(settings, chapter.name, {"103"}, ["102", "106"]) == ["102", "106"]
    (settings.root / "people.csv").write_text("student,due\n101,tomorrow\n")
    with pytest.raises(AutograderError, match="people.csv:2: due date 'tomorrow'"):
        read_marks(settings, chapter)


def test_csv_holds_every_check(graded, tmp_path):
    settings, chapter = graded
    made = export(chapter, "csv", read_marks(settings, chapter), tmp_path / "m.csv")
    assert list(csv.DictReader(made.content.decode().splitlines()))[1]["ch01_half_check"] == "0"


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
            chapter,
            platform,
            read_marks(settings, chapter),
            tmp_path / "o.csv",
            tmp_path / "t.csv",
        )


def test_exporting_before_grading_says_what_to_run(handed_in, monkeypatch, capsys):  # noqa: F811
    settings, _, _ = handed_in
    monkeypatch.chdir(settings.root)
    assert main(["export", "ch01"]) == 1
    assert "autograder grade ch01' first" in capsys.readouterr().err
