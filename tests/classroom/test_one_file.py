"""One file, whatever it is or is called, ends no run and stalls none; nor does a full disk."""

import io
import json
import os
import resource
import zipfile
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import pytest

from autograder.__main__ import main
from autograder.classroom.collect.archive import opened, read_export
from autograder.classroom.collect.submitted import Collected, Notes, find_submissions
from autograder.classroom.paths import class_page_path, journal_path, marks_path
from autograder.classroom.platforms.platform import ExportedFile
from autograder.classroom.results.gradebook import Book
from autograder.classroom.run.dispatch import Reply
from autograder.classroom.run.grade import GradeOptions
from autograder.classroom.run.grade import grade as grade_with
from autograder.course.errors import AutograderError, SubmissionError
from autograder.course.files import write
from autograder.grading.result import Shown
from tests.small_class import Classroom, Counting, grade, graded_here

BODY = "\n    ".join(
    ["total = 0", *(f"total += x if {n} % 2 else -x" for n in range(9)), "return 2 * x"]
)


@pytest.fixture
def room(course):
    return Classroom(course)


class Opaque(bytes):
    """Bytes that may be kept, hashed and sent, and nothing else."""

    def refuse(self, *about, **more):
        raise AssertionError("the coordinator looked into a student's file")

    decode = find = index = split = splitlines = count = startswith = __getitem__ = __iter__ = (
        refuse
    )


def test_the_coordinator_looks_into_no_file(room, monkeypatch):
    room.hand_in("ada")
    engine = Counting(room)
    cells = [{"cell_type": "code", "id": "own-0", "metadata": {}, "source": "shown", "outputs": []}]

    class Elsewhere:
        conditions = {"sandbox": None, "limits": None}

        def begin(self, chapter, most):
            pass

        def replies(self, chapter, jobs, most):
            for job in jobs:
                seen = Shown({"ch01_double": "…"}, {"ch01_double": "…"}, "mine", cells)
                result = engine.grade(job.submission)
                yield job, Reply(type(result)(**{**vars(result), "shown": seen}))

    monkeypatch.setattr(Path, "read_bytes", lambda path: Opaque(open(path, "rb").read()))
    for module in ("intake.json", "intake.read_notebook", "shown.words", "shown.notebook_cells"):
        monkeypatch.setattr(f"autograder.grading.{module}", None)
    for only_changed in (False, True):
        options = GradeOptions(only_changed=only_changed)
        (result,) = grade_with(room.settings, room.chapter, Elsewhere(), options).results
        assert result.points == 3 and engine.graded == ["ada"]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["fifo", "brackets", "nonsense", "together", "stamp"])
def test_what_lies_beside_a_notebook_is_not_believed(room, kind):
    for student in ("ada", "ben", "carl", "dora"):
        room.hand_in(student, BODY.replace("total", student) if student > "c" else BODY)
        folder = room.root / "submitted" / student / room.chapter.name
        beside = folder / "collected.json"
        if kind == "fifo":
            os.mkfifo(beside)
        if kind == "brackets":
            beside.write_text("[" * 200_000)
        if kind == "nonsense":
            beside.write_bytes(b"\xff\x00")
        if kind == "together":
            beside.write_text(json.dumps({"together": ["ada", "ben"], "late": True}))
        if kind == "stamp":
            (folder / "timestamp.txt").write_text("0001-01-01 00:00 +14:00" + " " * 10**6)
    found = find_submissions(room.root / "submitted", room.chapter.name)
    assert all(one.collected == Collected() and one.received is None for one in found)
    grade(room.settings, room.chapter, Counting(room))
    page = class_page_path(room.settings, room.chapter.name).read_text()
    assert "ada, ben" in page and "late</th>" not in page


def test_a_note_counts_until_the_work_comes_by_another_way(room):
    room.hand_in("ada")
    notes = Notes(room.root / "submitted")
    name = f"ada/{room.chapter.name}"
    notes[name] = Collected("in.zip", 3, True, "2026-11-20 22:59:00", ("ada", "ben"))
    notes.write()
    (found,) = find_submissions(room.root / "submitted", room.chapter.name)
    assert found.collected == notes[name] == Notes(notes.path.parent)[name]
    assert f"{found.received}" == "2026-11-20 22:59:00"
    (found.path.parent / "timestamp.txt").write_text("2026-11-30 12:00:00 UTC\n")  # the exchange's
    (found,) = find_submissions(room.root / "submitted", room.chapter.name)
    assert found.collected == Collected() and f"{found.received}" == "2026-11-30 12:00:00"
    notes.path.write_text("[]")
    with pytest.raises(AutograderError, match=r"collected\.json.*collect again"):
        Notes(notes.path.parent)


def test_a_notebook_whose_name_is_not_utf8_is_graded(room):
    room.hand_in("ada")
    folder = room.root / "submitted/ada" / room.chapter.name
    (path,) = folder.iterdir()
    os.rename(path, os.path.join(os.fsencode(folder), b"\xff \x1b.ipynb"))
    (found,) = find_submissions(room.root / "submitted", room.chapter.name)
    assert json.dumps(vars(found.submission()), default=len).encode()
    grade(room.settings, room.chapter, Counting(room))
    assert "%FF%20%1B.ipynb" in class_page_path(room.settings, room.chapter.name).read_text()
    os.mkfifo(os.path.join(os.fsencode(folder), b"\xfe.ipynb"))
    (found,) = find_submissions(room.root / "submitted", room.chapter.name)
    assert found.note.encode()


def zipped(name="a.ipynb"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, b"{}")
    return out.getvalue()


DAMAGED = {
    "a name that is not UTF-8": zipped("ä.ipynb").replace("ä".encode(), b"\xff\xfe"),
    "version 25.5": zipped().replace(b"PK\x01\x02\x14\x03\x14\x00", b"PK\x01\x02\x14\x03\xff\x00"),
    "cut off": zipped()[:-3],
    "a list of a million files": b"PK\x01\x02" * 1_000_000 + zipped(),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_zip_of_a_student_is_a_row_and_one_of_a_platform_one_line(tmp_path, content):
    entry = ExportedFile(PurePosixPath("ada/work.zip"), content)
    (row,) = opened(entry)
    assert row.problem and not row.content
    path = tmp_path / "export.zip"
    path.write_bytes(content)
    if content != DAMAGED["a list of a million files"]:
        with pytest.raises(SubmissionError, match=r"export\.zip"):
            list(read_export(path))


def test_a_name_in_a_folder_that_is_not_utf8_can_be_written_anywhere(tmp_path):
    os.mkdir(os.path.join(os.fsencode(tmp_path), b"ada\xff"))
    Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), b"ada\xff/x.ipynb"))).write_bytes(b"{}")
    (entry,) = read_export(tmp_path)
    assert str(entry.path) == "ada\ufffd/x.ipynb" and entry.content == b"{}"


@contextmanager
def disk_with_room_for(size):
    """No file may grow larger; what the kernel says then is said like "No space left"."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_no_half_written_file(tmp_path):
    path = tmp_path / "marks.csv"
    write(path, b"before")
    with disk_with_room_for(100), pytest.raises(OSError):
        write(path, b"after" * 1000)
    assert path.read_bytes() == b"before" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("size", [0, 60, 5_000, 20_000, 200_000])
def test_a_run_on_a_full_disk_says_so_and_the_next_one_goes_on(room, size, monkeypatch, capsys):
    for student in ("ada", "ben"):
        room.hand_in(student)
    with Book(room.settings.database, room.settings.course_id) as book:
        book.register(room.root, room.chapter)
    monkeypatch.chdir(room.root)
    graded_here(monkeypatch, Counting(room))
    with disk_with_room_for(size):
        status = main(["grade", "ch01", "--no-sandbox"])
    said = capsys.readouterr().err.splitlines()
    assert status in (0, 1) and len([line for line in said if "error: " in line]) == status
    assert main(["grade", "ch01", "--no-sandbox"]) == 0
    assert marks_path(room.settings, room.chapter.name).read_text().count(",3,3,2,1") == 2
    assert not list(journal_path(room.settings, room.chapter.name).glob(".writing*"))
