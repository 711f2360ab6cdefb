"""The way out: pages go back to whose they are, and the term is seen whole."""

import csv
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

from autograder.build.release import release
from autograder.classroom.people import Roster, remember_roster
from autograder.classroom.platforms.moodle import Moodle
from autograder.classroom.results.export import pages_zip
from autograder.classroom.results.term import term, term_csv, term_page
from autograder.cli.console import name_missing
from autograder.course.chapter import chosen_chapters, find_chapter, student_path
from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings
from autograder.grading.result import Status
from tests.small_class import grade

from .test_collect import collect, make_zip, ready  # noqa: F401  (a fixture)
from .test_grade import Scripted, handed_in  # noqa: F401  (a fixture)

RIGHT = [Status.PASSED, Status.PASSED]


class AllRight(Scripted):
    """An engine for which everything is right."""

    def grade(self, submission):
        self.statuses = {submission.student: RIGHT}
        return super().grade(submission)


def pages(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def collected_and_graded(settings, tmp_path, files):
    collect(settings, make_zip(tmp_path / "in.zip", files))
    chapter = find_chapter(settings.root, "ch01")
    grade(settings, chapter, AllRight(chapter, {}))
    return chapter


# infer_comment_context_from_filename (app/models/abstract_assignment.rb) takes the first two parts
# between "_" that are numbers for user and attachment, as the download named them.
def test_canvas_finds_whose_page_it_is_by_the_numbers_of_its_own_download(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    (settings.root / "people.csv").write_text("student,group\n103,team\n104,team\n")
    files = {
        "doejane_LATE_101_9001_ch01_small-1.ipynb": notebook,
        "team_103_9003_ch01.ipynb": notebook,
    }
    chapter = collected_and_graded(settings, tmp_path, files)
    (settings.root / "submitted/by-hand/ch01_small").mkdir(parents=True)
    zipped = pages_zip(settings, chapter, "canvas")
    found = pages(zipped.content)
    assert list(found) == ["doejane_LATE_101_9001_ch01_small-1.html", "team_103_9003_ch01.html"]
    for name, page in found.items():
        numbers = [part for part in name.split("_") if part.isdigit()]
        assert f"Feedback for {numbers[0]}" in page
    assert zipped.reached == ("101", "103", "104") and zipped.missed == ("by-hand: not graded",)
    with pytest.raises(AutograderError, match="did not come from Moodle"):
        pages_zip(settings, chapter, "moodle")


# is_valid_filename_for_import (mod/assign/feedback/file/importziplib.php) splits each part of the
# path at "_" and wants name, participant, assignsubmission, file.
def test_moodle_finds_whose_page_it_is_and_a_teams_by_the_worksheet(ready, tmp_path):  # noqa: F811
    settings, notebook = ready
    (settings.root / "people.csv").write_text("student,group\n11,Team 1\n12,Team 1\n")
    files = {
        "Jane Doe_101_assignsubmission_file/ch01.ipynb": notebook,
        "Max Moe_102_assignsubmission_file_ch01.ipynb": notebook,
        "Team 1_17_assignsubmission_file/ch01.ipynb": notebook,
    }
    chapter = collected_and_graded(settings, tmp_path, files)
    zipped = pages_zip(settings, chapter, "moodle")
    for name, page in pages(zipped.content).items():
        _, participant, kind, plugin, *_ = name.split("/")[0].split("_")
        assert (kind, plugin) == ("assignsubmission", "file") and name.endswith(".html")
        assert f"Feedback for {participant}" in page
    assert zipped.reached == ("101", "102")
    assert [line[:2] for line in zipped.missed] == ["11", "12"]
    assert all("--gradebook" in line for line in zipped.missed)
    # list_participants gives every member of a team, under get_uniqueid_for_user
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(
        'Identifier,"Full name",Grade\nParticipant 11,Ada A,\nParticipant 17,Zoe Z,12\n'
    )
    zipped = pages_zip(settings, chapter, "moodle", sheet)
    assert zipped.reached == ("101", "102", "11")
    assert [line[:2] for line in zipped.missed] == ["12"]
    found = pages(zipped.content)
    assert "Feedback for 11" in found["Participant_11_assignsubmission_file_/feedback.html"]
    assert not any("_17_" in name for name in found)  # the team's number is a stranger's
    sheet.write_text("Name,Grade\nAda,\n")
    with pytest.raises(AutograderError, match="'Participant 123'; got 'Ada'"):
        pages_zip(settings, chapter, "moodle", sheet)


def test_the_worksheet_is_matched_by_the_roster_that_collect_used(tmp_path):
    roster, sheet = tmp_path / "roster.csv", tmp_path / "worksheet.csv"
    roster.write_text("student,moodle,name\nada,501,Ada Lovelace\nben,,Ben B\n")
    sheet.write_text(
        'Teilnehmer/in,"Name",Bewertung\nTeilnehmer/in501,x,\nTeilnehmer/in502,Ben B,\n'
    )
    pages = Moodle().members(sheet, Roster(roster))
    numbers = {student: page.split("_")[1] for student, page in pages.items()}
    assert numbers == {"ada": "501", "ben": "502"}


def test_the_term_shows_who_has_what_and_what_is_missing(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    for student in ("ada", "ben", "<b>"):
        hand_in(student, {"ch01_small.ipynb": b"{}"})
    (settings.root / "people.csv").write_text(
        "student,chapter,section,excused,dropped\n"
        "ben,,Mon,,\ncarl,,,,\ncarl,ch02,,yes,\nold,,,,yes\n"
    )
    roster = settings.root / "roster.csv"
    roster.write_text("student,section\nada,Fri\ndora,\n")
    remember_roster(settings, roster)
    grade(settings, chapter, AllRight(chapter, {}))
    chapters = chosen_chapters(settings.root)
    rows = {row.student: row for row in term(settings, chapters)}
    assert list(rows) == ["<b>", "ada", "ben", "carl", "dora"]
    assert rows["ada"].cells == (3.0, "") and (rows["ada"].points, rows["ada"].of) == (3, 3)
    assert rows["ada"].section == "Fri" and rows["ben"].section == "Mon"
    assert rows["carl"].cells == ("missing", "EX") and rows["dora"].cells == ("missing", "")
    table = list(csv.DictReader(term_csv(chapters, list(rows.values())).splitlines()))
    assert table[1]["ch01_small"] == "3" and table[3]["ch01_small"] == "missing"
    page = term_page(chapters, list(rows.values()))
    assert "<b>" not in page.split("<main>")[1] and page.count('n missing"') == 2
    assert "href" not in page and 'href="ch01_small.html"' in term_page(
        chapters, [], ["ch01_small"]
    )


def test_a_name_of_people_csv_that_the_roster_does_not_know_is_said_and_not_missed(
    handed_in,  # noqa: F811
    capsys,
):
    settings, chapter, _ = handed_in
    (settings.root / "people.csv").write_text("student,extension\nadda,2d\n")
    roster = settings.root / "roster.csv"
    roster.write_text("student,name\nada,Ada\n")
    name_missing(settings, chapter.name, [], roster)
    said = capsys.readouterr()
    assert said.out == "not handed in, ch01_small: ada\n"
    assert "people.csv names adda, whom the roster does not know" in said.err


def test_a_term_without_marks_says_what_to_run(handed_in):  # noqa: F811
    settings, chapter, _ = handed_in
    with pytest.raises(AutograderError, match="autograder grade all"):
        term(settings, [chapter])


def test_what_release_feedback_reads_lies_beside_every_page(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    stamp, secret = b"2026-11-03 12:00:00.123456 UTC", b"ab" * 64
    for student, files in (
        ("ada", {"timestamp.txt": stamp, "submission_secret.txt": secret}),
        ("ben", {}),
    ):
        hand_in(student, {"ch01_small.ipynb": b"{}", **files})
    grade(settings, chapter, AllRight(chapter, {}))
    ada, ben = (settings.root / "feedback" / name / chapter.name for name in ("ada", "ben"))
    assert (ada / "timestamp.txt").read_bytes() == stamp
    assert (ada / "submission_secret.txt").read_bytes() == secret
    own = (ben / "submission_secret.txt").read_bytes()
    assert len(own) == 128 and (ben / "timestamp.txt").exists()
    grade(settings, chapter, AllRight(chapter, {}))
    assert (ben / "submission_secret.txt").read_bytes() == own


def as_nobody():
    """Words before a command that make it another user's, also where Python lies in a home that is
    closed to others: that one is then shown with nothing else in it.
    """
    drop = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    base, home = Path(sys.base_prefix), Path.home()
    if home not in base.parents:
        return drop
    shown = ["--dev-bind", "/", "/", "--tmpfs", str(home), "--ro-bind", str(base), str(base)]
    return ["bwrap", *shown, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", *drop]


@pytest.mark.slow
@pytest.mark.skipif(
    os.getuid() != 0 or not shutil.which("setpriv") or not shutil.which("bwrap"),
    reason="needs root, to act as two users, setpriv and bubblewrap",
)
def test_two_users_walk_from_fetch_to_fetch_feedback(course):
    """A student of another Unix account hands in through the exchange and gets our page back."""
    chapter = "ch01_small"
    release(course, ["ch01"])
    shared = Path(tempfile.mkdtemp(prefix="exchange-"))
    try:
        exchange, home = shared / "exchange", shared / "home"
        for folder, mode in ((shared, 0o755), (exchange, 0o777), (home, 0o700)):
            folder.mkdir(exist_ok=True)
            folder.chmod(mode)
        shutil.chown(home, "nobody")
        lines = (
            f"\nc.Exchange.root = {str(exchange)!r}\nc.CourseDirectory.course_id = 'attention'\n"
        )
        with open(course / "nbgrader_config.py", "a") as config:
            config.write(lines)
        (home / "nbgrader_config.py").write_text(
            f"c = get_config(){lines}c.Exchange.cache = {str(home / 'cache')!r}\n"
        )

        def run(*words, student=False):
            done = subprocess.run(
                [*(as_nobody() if student else ()), sys.executable, "-m", "nbgrader", *words],
                cwd=home if student else course,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(home if student else course),
                    "PYTHONPATH": str(Path(__file__).parents[2]),
                },
                capture_output=True,
                text=True,
                timeout=240,
            )
            assert done.returncode == 0, f"{words}: {done.stderr[-2000:]}"

        run("generate_assignment", chapter, "--force")
        run("release_assignment", chapter)
        run("fetch_assignment", chapter, student=True)
        run("submit", chapter, student=True)
        run("collect", chapter)
        settings, made = load_settings(course), find_chapter(course, "ch01")
        (result,) = grade(settings, made, AllRight(made, {}))
        assert result.student == "nobody"
        run("release_feedback", chapter)
        run("fetch_feedback", chapter, student=True)
        (page,) = (home / chapter / "feedback").rglob("*.html")
        assert "3 of 3 points" in page.read_text(encoding="utf-8")
        assert student_path(course, chapter).is_file()
    finally:
        shutil.rmtree(shared)
