"""What a person gave, what people.csv says, the student's own code: each where it is read."""

import csv
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from autograder.classroom.late import in_words
from autograder.classroom.marks import plain_csv
from autograder.classroom.paths import class_page_path, feedback_path
from autograder.classroom.people import People
from autograder.classroom.results.gradebook import Book, read_marks
from autograder.classroom.results.report import by_section, class_page, discrimination
from autograder.classroom.results.similarity import clusters
from autograder.classroom.run.grade import no_evidence
from autograder.course.chapter import find_chapter
from autograder.course.errors import AutograderError
from autograder.grading.result import Shown, Status
from autograder.grading.shown import words
from tests.small_class import grade
from tests.small_class import graded as run

from .test_grade import Scripted, handed_in, marks  # noqa: F401  (a fixture)
from .test_report import ANSWERS, RELEASED, result

RIGHT, WRONG = [Status.PASSED, Status.PASSED], [Status.PASSED, Status.WRONG]
CODE = "def double(x):\n    return x + x  # <i>mine</i>"


class Answering(Scripted):
    """A scripted engine that also says what the student wrote."""

    def grade(self, submission):
        return replace(super().grade(submission), shown=Shown({"ch01_double": CODE}))


@pytest.fixture
def graded(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    hand_in("ada", {"ch01_small.ipynb": b"{}", "timestamp.txt": b"2026-11-03 12:00:00 UTC"})
    grade(settings, chapter, Answering(chapter, {"ada": RIGHT}))
    with Book(settings.database, settings.course_id) as book:
        book.book.find_grade(
            "ch01_half_check", chapter.name, chapter.name, "ada"
        ).manual_score = 0.5
        comment = book.book.find_comment("ch01_half", chapter.name, chapter.name, "ada")
        comment.manual_comment = "well argued,\n<b>mostly</b>"
        book.book.db.commit()
    return settings, chapter


def read(path):
    return path.read_text(encoding="utf-8")


def test_a_mark_and_a_comment_by_hand_stand_in_marks_page_report_and_export(graded):
    settings, chapter = graded
    (result,) = grade(settings, chapter, Answering(chapter, {"ada": RIGHT}))
    assert result.points == 2.5, "the table on the screen"
    row = marks(settings, chapter)["ada"]
    assert (row["points"], row["ch01_half"]) == ("2.5", "0.5")
    page = read(feedback_path(settings, "ada", chapter.name))
    assert "2.5 of 3 points" in page and "marked by hand: 0.5 of 1" in page
    assert "well argued,\n&lt;b&gt;mostly" in page
    report = read(class_page_path(settings, chapter.name))
    assert "marked by hand" in report and "&lt;b&gt;mostly" in report
    (exported,) = csv.DictReader(
        plain_csv(chapter, read_marks(settings, chapter)).splitlines(keepends=True)
    )
    assert exported["points"] == "2.5" and exported["comments"].startswith("well argued,\n")


def test_a_mark_by_hand_is_pointed_out_when_the_automatic_one_changes(graded):
    settings, chapter = graded
    assert run(settings, chapter, Answering(chapter, {"ada": RIGHT})).overruled == []
    (one,) = run(settings, chapter, Answering(chapter, {"ada": WRONG})).overruled
    assert (one.student, one.cell, one.given) == ("ada", "ch01_half_check", "0.5 by hand")
    assert one.why == "the automatic mark was 1 and is now 0"
    assert one.why in read(class_page_path(settings, chapter.name))
    with Book(settings.database, settings.course_id) as book:
        given = book.book.find_grade("ch01_half_check", chapter.name, chapter.name, "ada")
        assert given.manual_score == 0.5 and given.needs_manual_grade, "formgrader lists it"


def test_what_was_given_by_hand_is_asked_for_again_when_another_file_is_handed_in(graded):
    settings, chapter = graded
    folder = settings.root / settings.submitted / "ada" / chapter.name
    (folder / f"{chapter.name}.ipynb").write_bytes(b"{} ")
    asked = run(settings, chapter, Answering(chapter, {"ada": RIGHT})).overruled
    assert [(one.cell, one.given) for one in asked] == [
        ("ch01_half_check", "0.5 by hand"),
        ("ch01_half", "a comment"),
    ]
    assert {one.why for one in asked} == {"another file was handed in"}
    assert "another file was handed in" in read(class_page_path(settings, chapter.name))
    assert run(settings, chapter, Answering(chapter, {"ada": RIGHT})).overruled == []
    with Book(settings.database, settings.course_id) as book:
        given = book.book.find_grade("ch01_half_check", chapter.name, chapter.name, "ada")
        assert given.manual_score == 0.5 and given.needs_manual_grade, "formgrader lists it"


def test_what_was_given_by_hand_moves_with_the_gradebook(graded):
    settings, chapter = graded
    moved = replace(settings, db_url=f"sqlite:///{settings.root / 'another.db'}")
    carried = run(moved, chapter, Answering(chapter, {"ada": RIGHT})).overruled
    assert [(one.cell, one.given) for one in carried] == [
        ("ch01_half_check", "0.5 by hand"),
        ("ch01_half", "a comment"),
    ]
    assert marks(moved, chapter)["ada"]["ch01_half"] == "0.5"
    with Book(moved.database, moved.course_id) as book:
        assert book.by_hand(chapter.name)["ada"].comments["ch01_half"].startswith("well argued")
    assert run(moved, chapter, Answering(chapter, {"ada": RIGHT})).overruled == []


def test_a_page_shows_the_students_code_escaped_and_the_section_to_read(graded):
    settings, chapter = graded
    page = read(feedback_path(settings, "ada", chapter.name))
    assert "return x + x  # &lt;i&gt;mine&lt;/i&gt;" in page and "<i>mine" not in page
    assert "handed in 2026-11-03 12:00 UTC" in page
    grade(settings, chapter, Answering(chapter, {"ada": WRONG}))
    page = read(feedback_path(settings, "ada", chapter.name))
    first, second = (
        next(cell.id for cell in chapter.cells if cell.source.startswith(f"## {title}"))
        for title in ("1.1 Doubling", "1.2 Halving")
    )
    assert f'#scrollTo={second}">1.2 Halving</a>' in page and first not in page
    # the release keeps the ids of cells, so that the link leads somewhere
    notebook = settings.root / f"notebooks/{chapter.name}/{chapter.name}.ipynb"
    assert f'"id": "{second}"' in read(notebook)


@pytest.mark.parametrize(
    "said, days",
    [
        ("", "2.0 days late"),
        ("student,extension\nada,1d\n", "1.0 day late"),
        ("student,due\nada,2026-11-05 12:00\n", ""),
        ("student,chapter,submitted\nada,ch01,2026-11-02 13:00 +01:00\n", "1.0 day late"),
        ("student,chapter,submitted\nada,ch02,2026-11-02 12:00\n", "2.0 days late"),
        ("student,extension\nada,47h\n", "1.0 hour late"),
    ],
)
def test_lateness_on_pages_and_report_is_what_people_csv_says(graded, said, days):
    settings, chapter = graded
    if said:
        (settings.root / "people.csv").write_text(said)
    due = datetime(2026, 11, 1, 12)
    grade(settings, chapter, Answering(chapter, {"ada": RIGHT}), due=due)
    page = read(feedback_path(settings, "ada", chapter.name))
    assert (days in page) if days else ("late" not in page)
    report = read(class_page_path(settings, chapter.name))
    assert ('<th class="n">late</th>' in report) == bool(days)
    assert days.removesuffix(" late") in report
    (mark,) = read_marks(settings, chapter)
    assert in_words(mark.seconds_late) == days.removesuffix(" late")


@pytest.mark.parametrize(
    "row, words",
    [
        ("ada,,2026-11-02 12:00", "submitted: expected a chapter"),
        ("ada,ch01,noon", "submitted 'noon': expected"),
    ],
)
def test_a_time_of_handing_in_that_cannot_be_is_refused_with_its_row(graded, row, words):
    table = graded[0].root / "people.csv"
    table.write_text(f"student,chapter,submitted\n{row}\n")
    with pytest.raises(AutograderError, match=f"people.csv:2: {words}"):
        People(table)


def test_nbgraders_own_extension_counts_on_the_page_too(graded):
    settings, chapter = graded
    with Book(settings.database, settings.course_id) as book:
        book.book.find_submission(chapter.name, "ada").extension = timedelta(days=2)
        book.book.db.commit()
    engine = Answering(chapter, {"ada": RIGHT})
    grade(settings, chapter, engine, due=datetime(2026, 11, 1, 12))
    assert "late" not in read(feedback_path(settings, "ada", chapter.name))


def test_the_report_links_to_pages_and_submissions_and_groups_by_section(handed_in):  # noqa: F811
    settings, chapter, hand_in = handed_in
    for student in ("ada", "b c", "dan"):
        hand_in(student, {"ch01_small.ipynb": b"{}"})
    (settings.root / "people.csv").write_text(
        "student,section,dropped\nada,Monday,\nb c,Friday,\ndan,,yes\n"
    )
    statuses = {"ada": RIGHT, "b c": WRONG, "dan": RIGHT}
    grade(settings, chapter, Scripted(chapter, statuses))
    page = read(class_page_path(settings, chapter.name))
    for folder in ("feedback/b%20c/ch01_small/ch01_small.html", "submitted/b%20c/ch01_small/"):
        assert f'href="../{folder}' in page
    assert (settings.root / "marks" / "../feedback/b c/ch01_small/ch01_small.html").exists()
    assert "Monday" in page and "Friday" in page and "dan" not in page
    assert set(marks(settings, chapter)) == {"ada", "b c"}


def test_sections_have_their_own_figures():
    results = [result(s, *both) for s, both in (("a", RIGHT), ("b", WRONG), ("c", RIGHT))]
    sections = {"a": "Mon", "b": "Mon"}
    assert by_section(results, sections) == [("no section", 1, 3, 3), ("Mon", 2, 2.5, 2.5)]
    assert by_section(results, {}) == []


def test_discrimination_is_the_correlation_with_the_rest(course):
    first, second = find_chapter(course, "ch01").exercises
    together = [result(f"s{n}", *(RIGHT if n % 2 else [Status.WRONG] * 2)) for n in range(10)]
    assert discrimination(first, together) == pytest.approx(1)
    against = [result(f"s{n}", RIGHT[0], (WRONG if n % 2 else RIGHT)[1]) for n in range(10)]
    assert discrimination(first, against) is None, "everybody has the first one right"
    odd, even = (Status.PASSED, Status.WRONG), (Status.WRONG, Status.PASSED)
    opposite = [result(f"s{n}", *(odd if n % 2 else even)) for n in range(10)]
    assert discrimination(second, opposite) == pytest.approx(-1)
    page = class_page(find_chapter(course, "ch01"), opposite)
    assert "who is strong elsewhere does worse here" in page and "do alike here" not in page
    assert discrimination(first, together[:9]) is None


def test_a_team_counts_once_in_what_an_exercise_tells(course):
    first = find_chapter(course, "ch01").exercises[0]
    odd, even = (Status.PASSED, Status.WRONG), (Status.WRONG, Status.PASSED)
    alone = [result(f"s{n}", *(odd if n % 2 else even)) for n in range(10)]
    team = [result(f"t{n}", *RIGHT) for n in range(5)] + [result("t5", *[Status.WRONG] * 2)]
    with_them = dict.fromkeys((one.student for one in team), [one.student for one in team])
    once = discrimination(first, [*alone, team[-1]])
    assert discrimination(first, [*alone, *team], with_them) == once
    assert discrimination(first, [*alone, *team]) != once
    assert discrimination(first, alone[:9] + team, with_them) is not None
    assert discrimination(first, alone[:8] + team, with_them) is None


def classroom(count):
    """A class that wrote five answers each, independently."""
    (text,) = ANSWERS["student3"]
    return {
        f"s{n:03}": {
            f"ex{e}": words(text.replace("_3", f"_{n}_{e}").replace("range(2)", f"range({n})"))
            for e in range(5)
        }
        for n in range(count)
    }


def test_three_copied_answers_of_five_are_seen_and_a_class_of_copies_is_one_line():
    own = classroom(300)
    given = {f"ex{e}": RELEASED for e in range(5)}
    assert clusters(own, given) == []
    for copier in ("s007", "s100", "s200"):
        for exercise in ("ex0", "ex2", "ex3"):
            own[copier][exercise] = own["s050"][exercise]
    (found,) = clusters(own, given)
    assert found.students == ("s007", "s050", "s100", "s200")
    assert found.exercises == ("ex0", "ex2", "ex3") and found.share == pytest.approx(1)
    group = dict.fromkeys(found.students, found.students)
    assert clusters(own, given, group) == [], "they handed in as a group"


def test_a_right_answer_of_the_bank_is_no_evidence(course):
    chapter, own = find_chapter(course, "ch01"), classroom(12)
    shared = own["s003"]["ex0"]
    own["s005"]["ex0"] = shared
    renamed = {s: {"ch01_double": texts["ex0"]} for s, texts in own.items()}
    assert len(clusters(renamed, no_evidence(course, chapter))) == 1
    bank = course / "bank" / chapter.name / "double.py"
    bank.parent.mkdir(parents=True)
    bank.write_text(
        f"# %% wrong: one -> no\npass\n\n# %% right: two\n{shared}\n\n# %% wrong: three -> x\nx\n"
    )
    assert clusters(renamed, no_evidence(course, chapter)) == []
