"""A platform is one class: what is registered once is collected from and exported to everywhere."""

import pytest

from autograder.__main__ import command_line, main
from autograder.build.release import release
from autograder.classroom.platforms.registry import find_platform, platforms
from autograder.course.chapter import find_chapter, student_path
from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings
from autograder.grading.result import Status
from tests.small_class import grade

from .test_grade import Scripted

TOY = """
from autograder.classroom.platforms.platform import HandedIn, Platform, scaled


class Toy(Platform):
    name, title = "toy", "Toy"
    takes_marks = takes_pages = True

    def owns(self, path):
        return path.name == "toy.ini"

    def recognises(self, notebooks):
        return any(path.name.startswith("toy!") for path in notebooks)

    def read(self, entry):
        _, student, file = entry.path.name.split("!")
        return [HandedIn((student,), file)]

    def fill(self, sheet, filling, chapter, column):
        for row in sheet.rows[1:]:
            mark = filling.find([row[0]])
            row[1] = filling.cell(mark, row[1], "", scaled(mark, chapter.points))

    def page_name(self, file):
        return file.replace(".ipynb", ".html") if file.startswith("toy!") else ""
"""


@pytest.fixture
def plug_in(tmp_path_factory, monkeypatch):
    """Installs a package that registers a platform, as pip would: a module and an entry point."""

    def install(name, source, value):
        folder = tmp_path_factory.mktemp("site-packages")
        (folder / f"{name}_platform.py").write_text(source)
        about = folder / f"{name}_platform-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-platform\n")
        (about / "entry_points.txt").write_text(f"[autograder.platforms]\n{name} = {value}\n")
        monkeypatch.syspath_prepend(folder)

    return install


def test_a_platform_of_another_package_is_collected_from_exported_to_and_given_pages(
    course, tmp_path, monkeypatch, capsys, plug_in
):
    plug_in("toy", TOY, "toy_platform:Toy")
    release(course, ["ch01"])
    monkeypatch.chdir(course)
    (tmp_path / "in").mkdir()
    (tmp_path / "in/toy!ada!ch01.ipynb").write_bytes(
        student_path(course, "ch01_small").read_bytes()
    )
    (tmp_path / "in/toy.ini").write_text("")
    assert main(["collect", str(tmp_path / "in")]) == 0, "it is recognised"
    assert main(["collect", str(tmp_path / "in"), "--from", "toy"]) == 0
    said = capsys.readouterr().out
    assert "1 unchanged, 1 skipped" in said and "toy.ini: belongs to the platform" in said
    settings, chapter = load_settings(course), find_chapter(course, "ch01")
    grade(settings, chapter, Scripted(chapter, {"ada": [Status.PASSED, Status.WRONG]}))
    (tmp_path / "sheet.csv").write_text("who,grade\nada,\n")
    sheet = ["--gradebook", str(tmp_path / "sheet.csv")]
    assert main(["export", "ch01", "--to", "toy", *sheet]) == 0
    assert (course / "marks/ch01_small-toy.csv").read_text() == "who,grade\nada,2\n"
    assert main(["return", "ch01", "--to", "toy"]) == 0
    assert (course / "marks/ch01_small-feedback-toy.zip").is_file()


def test_the_help_of_the_commands_names_the_platforms_that_there_are(plug_in, capsys):
    plug_in("toy", TOY, "toy_platform:Toy")
    known = platforms()
    assert "toy" in [one.name for one in known]
    for command, names in (
        ("collect", [*(one.name for one in known), "auto"]),
        ("export", [*(one.name for one in known if one.takes_marks), "csv"]),
        ("return", [one.name for one in known if one.takes_pages]),
    ):
        with pytest.raises(SystemExit):
            command_line().parse_args([command, "--help"])
        assert ", ".join(names) in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("value", ["nowhere:Toy", "toy_platform:Missing", "toy_platform:broken"])
def test_a_plug_in_that_cannot_be_loaded_is_one_line_that_names_it(plug_in, value, capsys):
    plug_in("toy", TOY + "\ndef broken():\n    raise ValueError\n", value)
    with pytest.raises(AutograderError, match=f"platform toy: {value} cannot be loaded"):
        platforms()
    with pytest.raises(SystemExit, match="2"):
        main(["collect", "x.zip", "--from", "canvas"])
    assert "error: platform toy: " in capsys.readouterr().err.splitlines()[-1]


def test_a_platform_that_nobody_knows_is_refused_with_those_that_there_are():
    with pytest.raises(AutograderError, match="expected one of gradescope, .*; got 'chalk'"):
        find_platform("chalk")
    with pytest.raises(SystemExit, match="2"):
        command_line().parse_args(["collect", "x.zip", "--from", "chalk"])
