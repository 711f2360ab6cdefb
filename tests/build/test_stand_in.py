"""What is made of a chapter that asks for the stand-in of a GPU is made anew where that changed."""

import json

import nbformat

from autograder.build import known_mistakes, stand_in
from autograder.build.known_mistakes import table_path
from autograder.build.release import code_hash
from autograder.course.chapter import find_chapter
from tests.build.test_known_mistakes import with_cases


def changed(monkeypatch, tmp_path, text):
    """The stand-in's modules are one with this text."""
    monkeypatch.setattr(stand_in, "TABLES", tmp_path / "tables")
    tmp_path.joinpath("chip").mkdir(exist_ok=True)
    tmp_path.joinpath("chip", "launch.py").write_text(text)


def asking(course):
    """The small chapter, which asks for the stand-in."""
    chapter = with_cases(course)
    imports = "import attention_built as ab\n"
    text = chapter.path.read_text().replace(imports, f"{imports}kernel, tl = ab.gpu()\n", 1)
    chapter.path.write_text(text)
    return find_chapter(course, "ch01")


def test_a_chapter_that_does_not_ask_has_the_table_that_it_had(course):
    chapter = with_cases(course)
    assert stand_in.table_bytes(course, chapter) == known_mistakes.table_bytes(course, chapter)


def test_a_chapter_that_asks_has_another_key_and_the_same_table(course, monkeypatch, tmp_path):
    chapter, tables = asking(course), []
    for text in ("x = 1", "x = 2"):
        changed(monkeypatch, tmp_path, text)
        tables.append(json.loads(stand_in.table_bytes(course, chapter)))
    keys = [table.pop("key") for table in tables]
    assert keys[0] != keys[1] and tables[0] == tables[1]
    path = table_path(course, chapter)
    path.parent.mkdir(parents=True)
    path.write_bytes(stand_in.table_bytes(course, chapter))
    monkeypatch.setattr(stand_in, "_points", None)  # the committed one is used again
    assert stand_in.table_bytes(course, chapter) == path.read_bytes()


def test_a_notebook_that_asks_is_executed_anew_where_the_stand_in_changed(monkeypatch, tmp_path):
    def hashes():
        return [
            code_hash(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)]))
            for text in ("x = 1", "kernel, tl = ab.gpu()")
        ]

    changed(monkeypatch, tmp_path, "x = 1")
    before = hashes()
    changed(monkeypatch, tmp_path, "x = 2")
    assert [one == other for one, other in zip(before, hashes(), strict=True)] == [True, False]
