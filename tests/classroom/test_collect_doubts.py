"""Files that belong to several students, to nobody, or to who knows whom, are not guessed at."""

import io
import random
import subprocess
import tarfile
import zipfile
from datetime import datetime

import pytest

from autograder.__main__ import main
from autograder.classroom.collect import archive, collecting
from autograder.classroom.collect.submitted import find_submissions
from autograder.classroom.people import Roster, student_id
from autograder.course.errors import SubmissionError

from .test_collect import collect, make_zip, ready  # noqa: F401  (a fixture)


def people(settings, text):
    (settings.root / "people.csv").write_text(text, encoding="utf-8")


def placed(rows):
    return {(row.student, row.outcome) for row in rows}


# app/models/content_zipper.rb: get_user_name takes the group's name for a group's assignment, the
# file name is [name, LATE, user id] and the attachment's id joined by "_", and sanitize_file_name
# leaves "_" in names.
@pytest.mark.parametrize("known", ["group", "roster"])
def test_a_canvas_group_is_no_student_called_1(ready, tmp_path, known):  # noqa: F811
    settings, notebook = ready
    export = make_zip(tmp_path / "c.zip", {"team_1_101_9001_ch01.ipynb": notebook})
    with pytest.raises(SubmissionError, match="of nobody known"):
        collect(settings, export)
    (row,) = collect(settings, export, dry_run=True)
    assert "user 1 or user 101" in row.reason
    roster = None
    if known == "group":
        people(settings, "student,group\n101,Team_1\n102,Team_1\n103,Team_2\n")
    else:
        roster = tmp_path / "roster.csv"
        roster.write_text("student,canvas,group\na,101,Team_1\nb,102,Team_1\nc,103,Team_2\n")
    rows = collect(settings, export, roster=roster)
    both = {"101", "102"} if known == "group" else {"a", "b"}
    assert placed(rows) == {(one, "taken") for one in both}
    assert {f.student for f in find_submissions(settings.root / "submitted", "ch01_small")} == both


def test_a_number_in_a_files_own_name_is_no_attachment(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    name = "doejane_101_9001_2026_ch01.ipynb"
    (row,) = collect(settings, make_zip(tmp_path / "c.zip", {name: notebook}))
    assert (row.student, row.outcome) == ("101", "taken")


# mod/assign/classes/downloader.php, get_student_prefix: a team's folder carries the team's name and
# the number of the team, which may also be a participant's; or "Default group" without a number.
def test_a_moodle_team_reaches_every_member(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    people(settings, "student,group\n11,Team 1\n12,Team 1\n17,Team 2\n")
    export = make_zip(
        tmp_path / "m.zip", {"Team 1_17_assignsubmission_file/ch01_small.ipynb": notebook}
    )
    assert placed(collect(settings, export)) == {("11", "taken"), ("12", "taken")}


def test_a_moodle_default_group_is_nobody(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    roster = tmp_path / "roster.csv"
    roster.write_text("student,moodle\nada,11\n")
    name = "Default group_assignsubmission_file/ch01_small.ipynb"
    with pytest.raises(SubmissionError, match="of nobody known: Default group"):
        collect(settings, make_zip(tmp_path / "m.zip", {name: notebook}), "moodle", roster)


# submission_metadata.yml lists everybody who submitted together under :submitters
# (help.gradescope.com, "Group submissions"; the keys as in exports of 2026).
def test_gradescopes_further_submitters_get_the_file_too(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    metadata = (
        "---\nsubmission_7:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '42'\n"
        "  - :name: Max Moe\n    :sid: '43'\n  :created_at: 2026-11-01 13:00:00 +01:00\n"
    )
    files = {"submission_metadata.yml": metadata, "submission_7/ch01_small.ipynb": notebook}
    rows = collect(settings, make_zip(tmp_path / "g.zip", files))
    assert {row.student for row in rows if row.outcome == "taken"} == {"42", "43"}
    found = find_submissions(settings.root / "submitted", "ch01_small")
    assert [one.received for one in found] == [datetime(2026, 11, 1, 12)] * 2


@pytest.mark.parametrize("outer", ["submissions", "submissions/again", "export.zip"])
def test_a_folder_or_zip_around_an_export_is_no_student(ready, tmp_path, outer):  # noqa: F811
    settings, notebook = ready
    files = {f"{name}_9001_ch01.ipynb": notebook for name in ("doejane_101", "roerick_102")}
    if outer.endswith(".zip"):
        inner = make_zip(tmp_path / "inner.zip", files).read_bytes()
        export = make_zip(tmp_path / "c.zip", {outer: inner, "__MACOSX/._x": b""})
    else:
        export = make_zip(tmp_path / "c.zip", {f"{outer}/{name}": b for name, b in files.items()})
    rows = collect(settings, export)
    assert {row.student for row in rows if row.outcome == "taken"} == {"101", "102"}


# Google Classroom puts the copy that it makes for a student into the assignment's Drive folder as
# "<student's name> - <title>" (support.google.com/edu/classroom, "Create an assignment").
def test_a_drive_folder_is_no_student(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    files = {f"HW 1/{name} - ch01.ipynb": notebook for name in ("Jane Doe", "Max Moe")}
    export = make_zip(tmp_path / "HW 1-001.zip", files)
    assert {row.student for row in collect(settings, export)} == {"Jane Doe", "Max Moe"}
    files |= {"HW 1/ch01.ipynb": notebook}
    nameless = make_zip(tmp_path / "b.zip", files)
    found = collecting.collect(settings, nameless, chapter="ch01")
    assert "1 notebook(s) of nobody known: ch01.ipynb" in found.doubts


def test_one_student_with_two_chapters_stays_one_student(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    files = {"ada/ch01_small.ipynb": notebook, "ada/ch02_carries.ipynb": b"{}"}
    rows = collect(settings, make_zip(tmp_path / "a.zip", files))
    assert {(row.student, row.chapter) for row in rows} == {
        ("ada", "ch01_small"),
        ("ada", "ch02_carries"),
    }


def test_many_files_under_one_name_are_asked_about(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    files = {f"hw/ch01_{n}.ipynb": notebook + b" " * n for n in range(40)}
    files["ada/ch01.ipynb"] = notebook
    export = make_zip(tmp_path / "f.zip", files)
    with pytest.raises(SubmissionError, match="'hw' has 40 notebooks of ch01_small.*a folder arou"):
        collect(settings, export)
    assert not (settings.root / "submitted").exists()
    assert len(collect(settings, export, accept=True)) == 41


def test_a_clone_says_when_it_was_committed_whatever_the_files_date_is(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    clone = tmp_path / "in" / "ch01-octocat"
    clone.mkdir(parents=True)
    (clone / "ch01_small.ipynb").write_bytes(notebook)
    git = ["git", "-c", "user.name=o", "-c", "user.email=o@example.org"]
    when = {"GIT_COMMITTER_DATE": "2026-11-01T23:30:00+02:00", "PATH": "/usr/bin:/bin"}
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "done"]):
        subprocess.run([*git, *words], cwd=clone, env=when, check=True)
    collect(settings, tmp_path / "in")
    (found,) = find_submissions(settings.root / "submitted", "ch01_small")
    assert (found.student, found.received) == ("octocat", datetime(2026, 11, 1, 21, 30))


def test_a_hostile_clone_runs_nothing(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    clone, witness = tmp_path / "in" / "ch01-eve", tmp_path / "ran"
    clone.mkdir(parents=True)
    (clone / "ch01_small.ipynb").write_bytes(notebook)
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {witness}\n")
    program.chmod(0o755)
    git = ["git", "-c", "user.name=o", "-c", "user.email=o@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "done"]):
        subprocess.run([*git, *words], cwd=clone, check=True)
    settings_of_clone = {
        "core.fsmonitor": program,
        "core.pager": program,
        "pager.rev-list": program,
        "log.showSignature": "true",
        "gpg.program": program,
        "diff.external": program,
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }
    for name, value in settings_of_clone.items():
        subprocess.run(["git", "config", name, str(value)], cwd=clone, check=True)
    for path in (clone / ".git/objects").glob("??/*"):  # what git lacks it would fetch
        if path.stat().st_size > 300:
            path.unlink()
    assert [row.outcome for row in collect(settings, tmp_path / "in")] == ["taken"]
    assert not witness.exists()


@pytest.mark.parametrize(
    "encoding, delimiter",
    [("utf-8", ","), ("utf-8-sig", ";"), ("utf-16", "\t"), ("cp1252", ";")],
)
def test_a_roster_is_read_however_a_spreadsheet_saved_it(tmp_path, encoding, delimiter):
    rows = [["student", "name", "Section"], ["s1", "Zoë Ångström", "A"], ["s2", "Max Moe", "A"]]
    text = "\r\n".join(delimiter.join(row) for row in rows) + "\r\n"
    (tmp_path / "r.csv").write_bytes(text.encode(encoding))
    roster = Roster(tmp_path / "r.csv")
    assert roster.student(["zoë ångström"]) == "s1" and roster.student(["A"]) == ""
    assert roster.column("section") == {"s1": "A", "s2": "A"}


def test_two_people_of_one_name_are_told_apart_by_another_column(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    (tmp_path / "r.csv").write_text(
        "student,moodle,name\ns1,11,Jane Doe\ns2,12,Jane Doe\n", encoding="utf-8"
    )
    roster = Roster(tmp_path / "r.csv")
    assert roster.student(["12", "Jane Doe"]) == "s2" and roster.student(["Jane Doe"]) == ""
    name = "1-2 - Jane Doe - Nov 2, 2026 930 AM/ch01.ipynb"
    export = make_zip(tmp_path / "b.zip", {name: notebook})
    (row,) = collect(settings, export, roster=tmp_path / "r.csv", dry_run=True)
    assert "'Jane Doe' stands for s1 (line 2) and s2 (line 3)" in row.reason


@pytest.mark.parametrize(
    "text, says",
    [
        ("student,name\ns1,A\n\n,B\n", r"r.csv:4: no student id"),
        ("student,name\ns1,A\ns1,B\n", r"r.csv:3: the student id 's1' stands in line 2 too"),
        ("student,name\n", "it is empty"),
    ],
)
def test_what_is_missing_in_a_roster_is_said_with_the_line(tmp_path, text, says):
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(SubmissionError, match=says):
        Roster(tmp_path / "r.csv")


def test_names_that_are_not_utf8_end_nothing(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "j\udce4ne.ipynb").write_bytes(notebook)
    (folder / "ben.ipynb").write_bytes(notebook)
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("xqz.ipynb", notebook)
        archive.writestr("ben.ipynb", notebook)
    damaged = (tmp_path / "z.zip").read_bytes().replace(b"xqz.ipynb", b"x\xe4z.ipynb")
    (tmp_path / "z.zip").write_bytes(damaged)
    for source in (folder, tmp_path / "z.zip"):
        rows = collect(settings, source)
        assert len([row for row in rows if row.outcome in ("taken", "unchanged")]) == 2
    assert student_id("j\udce4ne") == "j?ne"


@pytest.mark.parametrize(
    "name",
    ["Copy of ch01_small", "Kopie von ch01_small", "ch01_small - Copy", "ch01-Copy1", "ch01 (2)"],
)
def test_a_copy_that_is_named_for_the_chapter_is_nobodys(ready, tmp_path, name):  # noqa: F811
    settings, notebook = ready
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / f"{name}.ipynb").write_bytes(notebook)
    with pytest.raises(SubmissionError, match="nothing was written: 1 notebook"):
        collect(settings, tmp_path / "in")


@pytest.mark.parametrize(
    "taken, other, student",
    [
        ("jdoe@uni.example_10_handin.ipynb", "jdoe@uni.example_9_handin.ipynb", "jdoe@uni.example"),
        ("Jane Doe/HW 1/Version 10/a.ipynb", "Jane Doe/HW 1/Version 9/a.ipynb", "Jane Doe"),
        ("Doe, Jane(jdoe)/a.ipynb", "Roe, Max(mroe)/a.ipynb", "jdoe"),
        ("ch01-ada-l/a.ipynb", "ch01_small-ben/a.ipynb", "ada-l"),
        ("Copy of Jane Doe - ch01.ipynb", "Max Roe - ch01 (1).ipynb", "Jane Doe"),
        ("Submissions/Doe_Jane_j_doe_17/a.ipynb", "Submissions/Roe_Max_mroe_18/a.ipynb", "j_doe"),
        ("Team 1/Doe_Jane_jdoe_17/a.ipynb", "Roe_Max_mroe_18/a.ipynb", "jdoe"),
        ("Doe_Jane_jdoe_17/a.ipynb", "max/a.ipynb", "Doe_Jane_jdoe_17"),
        ("ada/ch01_small_copy_2/a.ipynb", "ben/ch01_small_copy_2/a.ipynb", "ada"),
    ],
)
def test_names_of_autolab_teams_sakai_drive_and_ilias_are_read(
    ready,  # noqa: F811
    tmp_path,
    taken,
    other,
    student,
):
    settings, notebook = ready
    for name in (taken, other):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook.replace(b"Its question", name.encode()))
    rows = collect(settings, tmp_path / "in")
    assert student in [r.student for r in rows if taken.endswith(r.file) and r.outcome == "taken"]


def test_the_names_in_a_macs_zip_are_read(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    make_zip(tmp_path / "c.zip", {"Zoë Müller - ch01.ipynb": notebook})
    data = bytearray((tmp_path / "c.zip").read_bytes())
    for sign, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # as Archive Utility leaves them
        at = data.find(sign) + place
        data[at : at + 2] = bytes(2)
    (tmp_path / "c.zip").write_bytes(data)
    (row,) = collect(settings, tmp_path / "c.zip")
    assert row.student == "Zoë Müller"


@pytest.mark.parametrize("packed", ["gz", ""])
def test_a_tar_is_read_as_a_zip_is(ready, tmp_path, packed):  # noqa: F811
    settings, notebook = ready
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "ch01.ipynb").write_bytes(notebook)
    (tmp_path / "ada" / "._ch01.ipynb").write_bytes(b"of a Mac")
    (tmp_path / "ada" / "link.ipynb").symlink_to("/etc/passwd")
    with tarfile.open(tmp_path / "inner.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "ada" / "ch01.ipynb", "work/ch01.ipynb")
    with tarfile.open(tmp_path / "export.tar", f"w:{packed}") as archive:
        archive.add(tmp_path / "ada", "ada")
        archive.add(tmp_path / "inner.tar.gz", "ben/handin.tar.gz")
    rows = collect(settings, tmp_path / "export.tar")
    assert {r.student for r in rows if r.outcome == "taken"} == {"ada", "ben"}
    assert "symbolic link" in "".join(row.reason for row in rows)


def only_reason(settings, tmp_path, entries):
    """Why a student's tar with entries (name, type, zero bytes) is not taken."""
    with tarfile.open(tmp_path / "one.tar.gz", "w:gz", format=tarfile.GNU_FORMAT) as archive:
        for name, kind, size in entries:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, size
            archive.fileobj.write(info.tobuf(tarfile.GNU_FORMAT))
            archive.fileobj.write(bytes(size + -size % 512))
    files = {"ada/a.tar.gz": (tmp_path / "one.tar.gz").read_bytes()}
    return "".join(row.reason for row in collect(settings, make_zip(tmp_path / "d.zip", files)))


def test_a_tar_that_unpacks_to_a_thousand_times_its_size_is_no_homework(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    with tarfile.open(tmp_path / "bomb.tar.gz", "w:gz") as archive:
        for n in range(9):
            huge = tarfile.TarInfo(f"{n}.bin")
            huge.size = 2**26
            archive.addfile(huge, io.BytesIO(bytes(2**26)))
    files = {"ada/a.tar.gz": (tmp_path / "bomb.tar.gz").read_bytes(), "ben/b.7z": b"7z"}
    rows = collect(settings, make_zip(tmp_path / "c.zip", {**files, "eve/ch01.ipynb": notebook}))
    assert {r.student for r in rows if r.outcome == "taken"} == {"eve"}
    reasons = "".join(row.reason for row in rows)
    assert "many times its size" in reasons and "7z archive" in reasons
    with pytest.raises(SubmissionError, match="a damaged tar .it unpacks"):
        collect(settings, tmp_path / "bomb.tar.gz")
    assert "many times its size" in only_reason(settings, tmp_path, [("1.bin", b"0", 2**28)])
    for kind in (b"L", b"x", b"S"):
        reason = only_reason(settings, tmp_path, [("1", kind, 2**17), ("2", b"0", 9)])
        assert "names or holes" in reason, kind
    (tmp_path / "cut.tar.gz").write_bytes((tmp_path / "bomb.tar.gz").read_bytes()[:400])
    with pytest.raises(SubmissionError, match="Download it again"):
        collect(settings, tmp_path / "cut.tar.gz")


def test_a_students_zip_that_unpacks_to_too_much_ends_nobody_elses(
    ready,  # noqa: F811
    tmp_path,
    monkeypatch,
):
    settings, notebook = ready
    monkeypatch.setattr(archive, "LARGEST_INSIDE", 2**20)
    body = random.Random(0).randbytes(2**17) * 4  # shrinks, but not as a bomb does
    bomb = make_zip(tmp_path / "b.zip", {f"{n}.ipynb": body for n in range(9)}).read_bytes()
    nested = make_zip(tmp_path / "n.zip", {f"{n}/{n}.zip": bomb for n in range(2)}).read_bytes()
    files = {"ada_1_51_ch01_small.ipynb": notebook, "zoe_4_54_ch01_small.ipynb": notebook}
    files |= {"mallory_2_52_work.zip": bomb, "mal_3_53_work.zip": nested}
    for export in (
        make_zip(tmp_path / "c.zip", files),
        make_zip(tmp_path / "o.zip", {"c.zip": make_zip(tmp_path / "i.zip", files).read_bytes()}),
    ):
        rows = collect(settings, export, dry_run=True)
        assert {row.student for row in rows if row.outcome == "taken"} == {"1", "4"}
        reasons = {row.file.rpartition("/")[2]: row.reason for row in rows if row.reason}
        assert reasons.keys() == {"mallory_2_52_work.zip", "mal_3_53_work.zip"}
        assert all(reason.startswith("unpacks to more than 1 MB") for reason in reasons.values())


def test_a_plain_notebook_may_be_as_large_as_one_may_be(ready, tmp_path, monkeypatch):  # noqa: F811
    settings, notebook = ready
    monkeypatch.setattr(archive, "LARGEST_INSIDE", 1000)
    files = {f"{name}/ch01_small.ipynb": notebook for name in ("ada", "ben")}
    rows = collect(settings, make_zip(tmp_path / "c.zip", files), dry_run=True)
    assert [row.outcome for row in rows] == ["taken", "taken"]


def test_what_nobody_sees_in_a_name_is_written_by_its_number(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    name = "ada\u202ebnypi"
    export = make_zip(tmp_path / "c.zip", {f"{name}/ch01_small.ipynb": notebook, "ben/x.txt": b""})
    collect(settings, export)
    (settings.root / "submitted" / name / "ch01_small").mkdir(parents=True)
    table = (settings.root / "submitted/collected.csv").read_text(encoding="utf-8")
    found = find_submissions(settings.root / "submitted", "ch01_small")
    said = table + "".join(one.student + one.problem for one in found)
    assert "\u202e" not in said and "\\u202e" in table
    assert {one.student for one in found} == {"ada_u202ebnypi", "ada%E2%80%AEbnypi"}


def test_a_stray_file_makes_nobody_doubtful(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    files = {f"{name}/ch01_small.ipynb": notebook for name in ("ada", "ben", "eve")}
    files |= {"collected.json": b'{"ada/ch01_small": {"attempt": 1}}', "eve/data.json": b"{}"}
    files["eve/Doe_1234_assignsubmission_file_a.ipynb"] = b"{}"
    files["eve/submission_7/submission_metadata.yml"] = b"---"
    rows = collect(settings, make_zip(tmp_path / "f.zip", files), dry_run=True)
    assert {row.student for row in rows if row.outcome == "taken"} == {"ada", "ben", "eve"}
    assert [row.doubt for row in rows if row.doubt] == ["chapter"]


def test_doubts_are_settled_one_by_one(ready, tmp_path, monkeypatch):  # noqa: F811
    settings, notebook = ready
    files = {"ada/ch01.ipynb": notebook, "ch01.ipynb": notebook, "ben/a.ipynb": notebook}
    files["ben/b.ipynb"] = notebook + b" "
    export = make_zip(tmp_path / "f.zip", files)
    found = collecting.collect(settings, export)
    assert len(found.doubts) == 2
    with pytest.raises(SubmissionError, match="'ben' has 2 notebooks") as caught:
        found.write(settled=["ch01.ipynb"])
    assert "of nobody known" not in str(caught.value)
    monkeypatch.chdir(settings.root)
    assert main(["collect", str(export), "--accept", "ben", "--accept", "ch01.ipynb"]) == 0
    assert {f.student for f in find_submissions(settings.root / "submitted", "ch01_small")} == {
        "ada",
        "ben",
    }
