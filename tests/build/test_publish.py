"""The public copy: all that students open, nothing that is secret, and nothing else is touched."""

import pytest

from autograder.build.publish import publish
from autograder.build.release import release
from autograder.course.chapter import student_path
from autograder.course.errors import AutograderError, LeakError
from autograder.course.settings import load_settings

PAGE = "site/interactive/pages/ch01_small.html"


@pytest.fixture
def built(course):
    """A released course with sound and an interactive page for its first chapter."""
    release(course)
    for name, content in {
        "source/ch01_small/unnamed.json": "[3]",
        "narration/ch01_small/01-introduction.mp3": "sound",
        "narration/ch01_small/script.md": "spoken",
        PAGE: "<p>A page.</p>",
        "site/interactive/pages/my_attention.html": "<p>For tensors.</p>",
        "site/interactive/pages/unnamed.html": "<p>No notebook opens it.</p>",
        "LICENSE": "MIT",
    }.items():
        path = course / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    release(course)
    return course


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_copy_is_what_students_open_at_the_paths_where_notebooks_look(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    written = publish(load_settings(built), folder)
    assert files(folder) == {path.relative_to(folder).as_posix() for path in written}
    assert files(folder) == {
        "README.md",
        "LICENSE",
        "notebooks/ch01_small/ch01_small.ipynb",
        "notebooks/ch02_carries/ch02_carries.ipynb",
        "narration/ch01_small/01-introduction.mp3",
        PAGE,
        "site/interactive/pages/my_attention.html",
    }
    notebook = folder / "notebooks/ch01_small/ch01_small.ipynb"
    assert notebook.read_bytes() == student_path(built, "ch01_small").read_bytes()
    assert "ch01_small.ipynb" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_folder_that_holds_no_site_ends_it(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    with pytest.raises(AutograderError, match="a built course site was expected"):
        publish(load_settings(built), folder, (), folder / "nowhere")
    assert files(folder) == set()


def test_a_built_site_goes_along_if_no_line_of_it_is_secret(built, tmp_path_factory):
    folder, site = (tmp_path_factory.mktemp(name) for name in ("public", "site"))
    (site / "_static").mkdir()
    (site / "index.html").write_text("<p>The course.</p>")
    (site / ".made-from").write_text("its sources")
    (site / "_static" / "style.css").write_text("p { color: teal }")
    publish(load_settings(built), folder, (), site)
    assert {"docs/index.html", "docs/_static/style.css"} <= files(folder)
    publish(load_settings(built), folder)
    assert not (folder / "docs").exists()
    for shown in (
        "half_of_the_input = x / 2",
        "<span>    </span><i>half_of_the_input</i> <b>=</b> x <b>/</b> 2",  # coloured
    ):
        (site / "index.html").write_text(f"<pre>\n{shown}\n</pre>")
        with pytest.raises(LeakError, match="docs/index.html.*half_of_the_input = x"):
            publish(load_settings(built), folder, (), site)
    (site / "index.html").write_text("<p>The course.</p>")
    (site / "a.ipynb").write_text('{"cells": [{"source": ["half_of_the_input = x / 2"]}]}')
    with pytest.raises(LeakError, match="docs/a.ipynb.*half_of_the_input = x"):
        publish(load_settings(built), folder, (), site)


def test_a_folder_docs_that_no_site_left_is_somebodys_own(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("thesis")
    (folder / "docs").mkdir()
    (folder / "docs" / "chapter.md").write_text("years of work")
    with pytest.raises(AutograderError, match="docs, which is no part of a public copy"):
        publish(load_settings(built), folder)
    assert files(folder) == {"docs/chapter.md"}


def test_links_to_another_repository_end_it(built, tmp_path_factory):
    folder, path = tmp_path_factory.mktemp("public"), built / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('# repository = "owner/name" ', 'repository = "me/public" '))
    with pytest.raises(
        AutograderError, match="its links lead to .*, and the setting repository names me/public"
    ):
        publish(load_settings(built), folder)
    assert load_settings(built).repository == "me/public" and files(folder) == set()


def test_a_release_that_is_not_what_the_source_gives_ends_it(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    student_path(built, "ch01_small").unlink()
    with pytest.raises(AutograderError, match="^notebooks/ch01_small/ch01_small.ipynb is not what"):
        publish(load_settings(built), folder)
    assert files(folder) == set()


def test_a_clone_is_brought_up_to_date_and_keeps_its_history(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    publish(load_settings(built), folder)
    publish(load_settings(built), folder, ["ch02"])
    assert files(folder) == {
        ".git/HEAD",
        "README.md",
        "LICENSE",
        "notebooks/ch02_carries/ch02_carries.ipynb",
        "site/interactive/pages/my_attention.html",
    }
    assert not (folder / "narration").exists() or not files(folder / "narration")


def test_a_folder_that_is_no_copy_is_left_alone(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("thesis")
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(AutograderError, match="thesis.tex, which is no part of a public copy"):
        publish(load_settings(built), folder)
    for inside in (built, built / "public", built.parent):
        with pytest.raises(AutograderError, match="outside of"):
            publish(load_settings(built), inside)
    assert files(folder) == {"thesis.tex"}


def test_a_secret_line_in_any_file_ends_it_before_anything_is_written(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    (built / PAGE).write_text("<p>A page.</p>\ntwice_the_input = 2 * x\n")
    with pytest.raises(LeakError, match="small.html: holds the line 'twice_the_input = 2"):
        publish(load_settings(built), folder, ["ch01"])
    assert files(folder) == set()
    publish(load_settings(built), folder)  # chapter 2 carries the line: students have it
    assert PAGE in files(folder)


def test_a_copy_is_headed_and_linked_as_the_settings_say(built, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_COURSE", "Attention at our place")
    monkeypatch.setenv("AUTOGRADER_ADDRESS", "https://example.edu/course")
    settings, folder = load_settings(built), tmp_path_factory.mktemp("public")
    assert settings.pages_url == "https://example.edu/course/interactive/"
    release(built)
    publish(settings, folder)
    assert (folder / "README.md").read_text().startswith("# Attention at our place\n")
