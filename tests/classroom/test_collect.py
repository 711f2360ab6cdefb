"""Exports of every platform are read, whatever is in them, and collecting twice changes nothing."""

import csv
import io
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.build.release import release
from autograder.classroom.collect import collecting
from autograder.classroom.collect.submitted import Notes, find_submissions
from autograder.classroom.people import Roster
from autograder.course.chapter import find_chapter, student_path
from autograder.course.errors import SubmissionError
from autograder.course.settings import load_settings


@pytest.fixture
def ready(course):
    release(course, ["ch01"])
    return load_settings(course), student_path(course, "ch01_small").read_bytes()


def make_zip(path, files, links=()):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(
                (
                    zipfile.ZipInfo(name, (2026, 11, 1, 12, 0, 0))
                    if not isinstance(name, zipfile.ZipInfo)
                    else name
                ),
                content,
                zipfile.ZIP_DEFLATED,
            )
        for name in links:
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, "/etc/passwd")
    return path


def collect(settings, source, *more, dry_run=False, accept=False, **options):
    """The rows of an export, which is written unless it is a dry run."""
    found = collecting.collect(settings, source, *more, **options)
    if not dry_run:
        found.write(accept)
    return found.rows


def outcomes(rows):
    return {row.file: row.outcome for row in rows}


def submitted(settings):
    folder = settings.root / "submitted"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# As Canvas's app/models/content_zipper.rb (zip_assignment) names them: the student's name with all
# but word characters taken out ("_" stays), LATE, user id, attachment id, display name. Resubmitted
# under the same name, display names get "-1", "-2" (app/models/attachment.rb, infer_display_name).
# All entries carry the time at which the zip was built.
CANVAS = {
    "doejane_101_9004_ch01_small-1.ipynb": "older",
    "doejane_101_9005_ch01_small-2.ipynb": "taken",
    "roe_richard_LATE_102_9002_Copy of ch01_small.ipynb": "taken",
    "moemax_103_9003_hw-2026.ipynb": "older",
    "moemax_103_9013_hw.ipynb": "taken",
    "poepat_104_9006_essay.pdf": "skipped",
    "__MACOSX/x": "skipped",
}


def test_canvas_resubmissions_are_told_by_the_attachment_id(ready, tmp_path):
    settings, notebook = ready
    content = dict.fromkeys(CANVAS, notebook)
    content["doejane_101_9005_ch01_small-2.ipynb"] = notebook + b"\n"
    content["moemax_103_9003_hw-2026.ipynb"] = notebook + b"\n"
    content["poepat_104_9006_essay.pdf"] = b"%PDF"
    rows = collect(settings, make_zip(tmp_path / "submissions.zip", content))
    assert outcomes(rows) == CANVAS
    handed_in = settings.root / "submitted"
    assert (handed_in / "101/ch01_small/ch01_small.ipynb").read_bytes() == notebook + b"\n"
    assert (handed_in / "103/ch01_small/ch01_small.ipynb").read_bytes() == notebook
    assert Notes(handed_in)["102/ch01_small"].late is True


@pytest.mark.parametrize(
    "name, late",
    [
        ("anon_a1B2c_9001_ch01.ipynb", False),
        ("anon_a1B2c_LATE_9001_ch01.ipynb", True),
        ("LATE_anon_a1B2c_9001_ch01.ipynb", True),
    ],
)
def test_canvas_names_of_anonymous_assignments_are_read(ready, tmp_path, name, late):
    settings, notebook = ready
    (row,) = collect(settings, make_zip(tmp_path / "c.zip", {name: notebook}))
    assert (row.student, row.outcome, row.late) == ("a1B2c", "taken", late)


def test_the_clock_of_a_zip_or_a_file_says_nothing_about_lateness(ready, tmp_path):
    settings, notebook = ready
    collect(settings, make_zip(tmp_path / "c.zip", {"doejane_101_9001_ch01.ipynb": notebook}))
    (tmp_path / "in/ada").mkdir(parents=True)
    (tmp_path / "in/ada/ch01_small.ipynb").write_bytes(notebook)
    collect(settings, tmp_path / "in")
    found = find_submissions(settings.root / "submitted", "ch01_small")
    assert [(one.student, one.received) for one in found] == [("101", None), ("ada", None)]


def test_blackboard_and_brightspace_names_are_read(ready, tmp_path):
    settings, notebook = ready
    # Blackboard, "Assignment File Download": <assignment>_<user>_attempt_<time>_<file>
    blackboard = {
        "Homework 1_jdoe_attempt_2026-11-02-12-30-15_ch01.ipynb": notebook,
        "Homework 1_jdoe_attempt_2026-11-02-13-30-15_ch01.ipynb": notebook + b"\n",
    }
    rows = collect(settings, make_zip(tmp_path / "b.zip", blackboard))
    assert [(row.student, row.outcome) for row in rows] == [("jdoe", "older"), ("jdoe", "taken")]
    # Brightspace, Assignments → Download: a folder per attempt
    brightspace = {
        "1234-567 - Jane Doe - Nov 2, 2026 930 AM/ch01.ipynb": notebook,
        "1234-567 - Jane Doe - Nov 2, 2026 1215 PM/ch01.ipynb": notebook,
    }
    rows = collect(settings, make_zip(tmp_path / "d.zip", brightspace))
    assert [row.outcome for row in rows] == ["taken", "older"]


def test_clones_of_students_repositories_are_read_without_their_git_folders(ready, tmp_path):
    settings, notebook = ready
    clone = tmp_path / "in" / "ch01-octocat"
    (clone / ".git/objects/00").mkdir(parents=True)
    (clone / ".git/objects/00/abc").write_bytes(b"x")
    (clone / "ch01_small.ipynb").write_bytes(notebook)
    rows = collect(settings, tmp_path / "in")
    assert [(row.student, row.outcome) for row in rows] == [("octocat", "taken")]


def test_a_dry_run_writes_nothing(ready, tmp_path):
    settings, notebook = ready
    export = make_zip(tmp_path / "c.zip", {"doejane_101_9001_ch01.ipynb": notebook})
    assert [row.outcome for row in collect(settings, export, dry_run=True)] == ["taken"]
    assert not (settings.root / "submitted").exists()


def test_moodle_folders_are_read(ready, tmp_path):
    settings, notebook = ready
    export = make_zip(
        tmp_path / "moodle.zip",
        {
            "Jane Doe_123456_assignsubmission_file_/ch01_small.ipynb": notebook,
            "Zoë Ångström_123457_assignsubmission_file/Untitled.ipynb": notebook,
            "李 明_123458_assignsubmission_file_ch01.ipynb": notebook,
        },
    )
    assert set(outcomes(collect(settings, export)).values()) == {"taken"}
    assert {path.parent.parent.name for path in (settings.root / "submitted").rglob("*.ipynb")} == {
        "123456",
        "123457",
        "123458",
    }


def test_gradescope_metadata_gives_student_and_time(ready, tmp_path):
    settings, notebook = ready
    metadata = (
        "---\nsubmission_7:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '42'\n    :email: "
        "jane@example.org\n"
        "  :created_at: 2026-11-01 13:00:00.5 +01:00\n"
    )
    export = make_zip(
        tmp_path / "g.zip",
        {
            "assignment_1_export/submission_metadata.yml": metadata,
            "assignment_1_export/submission_7/ch01_small.ipynb": notebook,
            "assignment_1_export/submission_8/ch01_small.ipynb": notebook,
        },
    )
    with pytest.raises(SubmissionError, match="1 notebook.* of nobody known: submission_8"):
        collect(settings, export)
    rows = outcomes(collect(settings, export, accept=True))
    assert rows["submission_7/ch01_small.ipynb"] == "taken"
    assert rows["submission_8/ch01_small.ipynb"] == "not placed"
    assert (
        Notes(settings.root / "submitted")["42/ch01_small"].received == "2026-11-01 12:00:00.500000"
    )


def test_a_bomb_of_yaml_aliases_is_refused(ready, tmp_path):
    settings, _ = ready
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nsubmission_1: *b\n"
    with pytest.raises(SubmissionError, match="aliases"):
        collect(settings, make_zip(tmp_path / "g.zip", {"submission_metadata.yml": bomb}))


def test_a_plain_folder_is_read(ready, tmp_path):
    settings, notebook = ready
    for name in ("ada/ch01_small.ipynb", "ben/ch01_small/ch01_small.ipynb", "chloe.ipynb"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook)
    assert set(outcomes(collect(settings, tmp_path / "in")).values()) == {"taken"}
    assert sorted(
        path.name for path in (settings.root / "submitted").iterdir() if path.is_dir()
    ) == ["ada", "ben", "chloe"]


def test_a_roster_maps_names_to_ids_and_strangers_are_not_placed(ready, tmp_path):
    settings, notebook = ready
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "student,canvas id,name\ns1,101,Jane Doe\ns2,102,Richard Roe\n", encoding="utf-8"
    )
    export = make_zip(
        tmp_path / "c.zip", {"doejane_101_1_ch01.ipynb": notebook, "x_999_2_ch01.ipynb": notebook}
    )
    with pytest.raises(SubmissionError, match="nothing was written: 1 notebook.*x_999"):
        collect(settings, export, roster=roster)
    assert not (settings.root / "submitted").exists()
    rows = collect(settings, export, roster=roster, accept=True)
    assert [(row.student, row.outcome) for row in rows] == [("s1", "taken"), ("", "not placed")]


@pytest.mark.parametrize(
    "text, says",
    [
        ("jdoe,Jane Doe,101\nmroe,Max Roe,102\n", "expected a header.*got '101'"),
        ("jdoe@x.edu;Jane\nmroe@x.edu;Max\n", "expected a header.*got 'jdoe@x.edu'"),
        ("Student,ID,SIS User ID,SIS Login ID\n    Points Possible,,,\n", "Canvas's gradebook"),
    ],
)
def test_a_table_that_is_no_roster_makes_no_students(tmp_path, text, says):
    (tmp_path / "roster.csv").write_text(text)
    with pytest.raises(SubmissionError, match=says):
        Roster(tmp_path / "roster.csv")


def test_zeros_in_front_that_excel_keeps_belong_to_the_number(tmp_path):
    (tmp_path / "roster.csv").write_text('student,number\njdoe,="00123"\n')
    assert Roster(tmp_path / "roster.csv").student(["00123"]) == "jdoe"


def test_collecting_twice_changes_nothing(ready, tmp_path):
    settings, notebook = ready
    export = make_zip(
        tmp_path / "c.zip",
        {"doejane_101_1_ch01-1.ipynb": notebook, "doejane_101_2_ch01-2.ipynb": notebook},
    )
    collect(settings, export)
    before = submitted(settings)
    rows = collect(settings, export)
    assert outcomes(rows) == {
        "doejane_101_1_ch01-1.ipynb": "older",
        "doejane_101_2_ch01-2.ipynb": "unchanged",
    }
    after = submitted(settings)
    assert {k: v for k, v in after.items() if k != "collected.csv"} == {
        k: v for k, v in before.items() if k != "collected.csv"
    }


def test_an_older_export_does_not_replace_a_newer_attempt(ready, tmp_path):
    settings, notebook = ready
    collect(
        settings, make_zip(tmp_path / "new.zip", {"doejane_101_3_ch01-3.ipynb": notebook + b"\n"})
    )
    rows = collect(
        settings, make_zip(tmp_path / "old.zip", {"doejane_101_2_ch01-2.ipynb": notebook})
    )
    assert rows[0].outcome == "older"
    assert (
        settings.root / "submitted/101/ch01_small/ch01_small.ipynb"
    ).read_bytes() == notebook + b"\n"


@pytest.mark.parametrize(
    "name",
    [
        "../../evil_1_1_ch01.ipynb",
        "/etc/cron.d/x_1_1_ch01.ipynb",
        "..\\..\\x_1_1_ch01.ipynb",
        "C:/x_1_1_ch01.ipynb",
        ".",
        "",
    ],
)
def test_paths_that_climb_out_are_skipped(ready, tmp_path, name):
    settings, notebook = ready
    rows = collect(
        settings,
        make_zip(tmp_path / "c.zip", {name: notebook, "doejane_101_1_ch01.ipynb": notebook}),
        "canvas",
    )
    assert sorted(row.outcome for row in rows) in (["not placed", "taken"], ["skipped", "taken"])
    assert {path.name for path in settings.root.iterdir()} >= {"submitted"} and not (
        tmp_path.parent / "evil_1_1_ch01.ipynb"
    ).exists()


def test_links_bombs_and_damaged_members_are_skipped_with_a_reason(ready, tmp_path):
    settings, notebook = ready
    export = make_zip(
        tmp_path / "c.zip",
        {"bomb_1_1_ch01.ipynb": b"0" * 30_000_000, "doejane_101_1_ch01.ipynb": notebook},
        links=["link_2_1_ch01.ipynb"],
    )
    rows = {row.file: row for row in collect(settings, export)}
    assert "times its size" in rows["bomb_1_1_ch01.ipynb"].reason
    assert "symbolic link" in rows["link_2_1_ch01.ipynb"].reason
    assert rows["doejane_101_1_ch01.ipynb"].outcome == "taken"


def test_a_zip_that_a_student_handed_in_is_opened(ready, tmp_path):
    settings, notebook = ready
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("homework/ch01_small.ipynb", notebook)
    rows = collect(
        settings,
        make_zip(tmp_path / "c.zip", {"doejane_101_1_work.zip": inner.getvalue()}),
        "canvas",
    )
    assert [row.outcome for row in rows] == ["taken"]


def test_a_symlink_in_a_folder_is_not_followed(ready, tmp_path):
    settings, _ = ready
    (tmp_path / "in/eve").mkdir(parents=True)
    (tmp_path / "in/eve/ch01_small.ipynb").symlink_to("/etc/passwd")
    rows = collect(settings, tmp_path / "in")
    assert [(row.outcome, row.reason) for row in rows] == [
        ("skipped", "a symbolic link; not followed")
    ]


def test_the_report_is_a_table_that_spreadsheets_do_not_run(ready, tmp_path):
    settings, notebook = ready
    collect(settings, make_zip(tmp_path / "c.zip", {"=cmd_1_1_ch01.ipynb": notebook}))
    rows = list(
        csv.DictReader((settings.root / "submitted/collected.csv").read_text().splitlines())
    )
    assert rows[0]["file"].startswith("'=")


def test_what_is_no_export_is_one_line(ready, tmp_path):
    settings, _ = ready
    Path(tmp_path / "x.zip").write_bytes(b"not a zip")
    for source in ("x.zip", "missing"):
        with pytest.raises(SubmissionError, match="expected a folder, a zip or a tar"):
            collect(settings, tmp_path / source)


def test_the_chapter_is_told_by_the_cells_even_under_another_name(ready, tmp_path, course):
    settings, notebook = ready
    rows = collect(
        settings,
        make_zip(tmp_path / "c.zip", {"doejane_101_1_Untitled7.ipynb": notebook}),
        "canvas",
    )
    assert rows[0].chapter == find_chapter(course, "ch01").name


@pytest.mark.parametrize("name", ["deeper.ipynb", "deeper (1).ipynb", "deeper-1.ipynb"])
def test_the_optional_notebook_beside_a_chapter_is_left_out(ready, tmp_path, name):
    settings, notebook = ready
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("ch01_small/my answers.ipynb", notebook)
        archive.writestr(f"ch01_small/{name}", b'{"nbformat": 4, "cells": []}')
    files = {
        "doejane_101_1_ch01.zip": inner.getvalue(),
        "roerichard_102_2_ch01_small.ipynb": notebook,
        f"roerichard_102_3_{name}": b'{"nbformat": 4, "cells": []}',
    }
    rows = collect(settings, make_zip(tmp_path / "c.zip", files), "canvas")
    assert sorted(row.outcome for row in rows) == ["skipped", "skipped", "taken", "taken"]
    assert {row.student for row in rows if row.outcome == "taken"} == {"101", "102"}


def test_answers_in_a_file_of_that_name_are_not_lost(ready, tmp_path):
    settings, notebook = ready
    files = {"doejane_101_1_deeper.ipynb": notebook}
    (row,) = collect(settings, make_zip(tmp_path / "c.zip", files), "canvas")
    assert (row.outcome, row.student, row.chapter) == ("taken", "101", "ch01_small")


def test_the_optional_notebook_is_not_taken_for_an_answer_where_a_folder_is_graded(ready):
    settings, notebook = ready
    folder = settings.root / "submitted" / "jane" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "my answers.ipynb").write_bytes(notebook)
    (folder / "deeper.ipynb").write_bytes(b'{"nbformat": 4, "cells": []}')
    (found,) = find_submissions(settings.root / "submitted", "ch01_small")
    assert found.path.name == "my answers.ipynb"
