"""What has been proved is left out, and nothing else is."""

import json

import pytest

from tests import proofs

pytest_plugins = "pytester"

CONFTEST = f"""
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
spec = spec_from_file_location("proofs", {proofs.__file__!r})
made = sys.modules["proofs"] = module_from_spec(spec)
spec.loader.exec_module(made)
made.ROOT, made.KINDS, made.EVERYWHERE = Path(__file__).parent, {{"toy": ("data",)}}, ()
def pytest_configure(config):
    config.pluginmanager.register(made, "proofs")
"""
TESTS = """
import pytest

@pytest.mark.proof("toy")
@pytest.mark.parametrize("number", range(40))
def test_costly(number, record_property):
    record_property("counted", str(number))
    assert number != BAD

def test_cheap():
    pass
"""


@pytest.fixture
def course(pytester, monkeypatch):
    """run(bad, draw, words): a run of 40 costly tests and a cheap one; its outcomes."""
    monkeypatch.delenv("AUTOGRADER_ALL", raising=False)
    pytester.path.joinpath("tests").mkdir()
    pytester.path.joinpath("data").write_text("as it was")
    pytester.makeconftest(CONFTEST)

    def run(bad=-1, draw="f", words=()):
        monkeypatch.setenv("AUTOGRADER_DRAW", draw)
        pytester.path.joinpath("test_it.py").write_text(f"BAD = {bad}\n{TESTS}")
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *words).parseoutcomes()

    run.record = pytester.path / "tests" / "proofs.json"
    run.data = pytester.path / "data"
    return run


def test_a_second_run_tries_about_one_in_twenty_and_what_is_cheap(course):
    assert course() == {"passed": 41}
    again = course()
    assert again["passed"] + again["deselected"] == 41 and 1 <= again["passed"] <= 8


def test_another_draw_tries_others(course):
    course()
    assert len({json.dumps(course(draw=draw)) for draw in "abcdefgh"}) > 1


def test_what_it_depends_on_has_changed_so_it_is_tried_whole(course):
    course()
    course.data.write_text("as it is")
    assert course() == {"passed": 41}
    assert course()["deselected"] > 30


def test_words_and_comments_change_no_fingerprint_and_code_does(tmp_path, monkeypatch):
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setitem(proofs.KINDS, "toy", ("source", "notebooks", "autograder", "bank"))

    def seen(path, text):
        tmp_path.joinpath(path).parent.mkdir(exist_ok=True)
        tmp_path.joinpath(path).write_text(text)
        proofs.forget()
        return proofs.fingerprint(tmp_path / "test_it.py", "toy")

    def notebook(words, code):
        cells = [{"cell_type": "markdown", "source": words}, {"cell_type": "code", "source": code}]
        return json.dumps({"cells": cells})

    chapter = "# %% [markdown]\n# {}\n\n# %% tags=[{}]\nx = 1\n\n# %% [markdown]\n# {}\n"
    for path, first, other_words, other_code in [
        ("notebooks/it.ipynb", *(notebook(*one) for one in ("ab", "cb", "ac"))),
        ("source/it.py", *(chapter.format(*one) for one in ("abc", "dbd", "adc"))),
        ("autograder/it.py", '"""A."""\nx = 1  # a', '"""B."""\nx = 1', '"""A."""\nx = 2  # a'),
    ]:
        was = seen(path, first)
        assert seen(path, other_words) == was != seen(path, other_code)
    paired = [seen("source/it.ipynb", notebook("paired", code)) for code in "ab"]  # in no clone
    assert paired[0] == paired[1]
    assert seen("bank/it.py", "# %% right: a\nx") != seen("bank/it.py", "# %% wrong: a\nx")


def test_a_proof_for_another_python_is_another_one(tmp_path, monkeypatch):
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setitem(proofs.KINDS, "toy", ("{chapter}",))
    proofs.forget()
    about = ("toy ch01", "toy ch01 3.12", "toy ch01 3.13", "toy ch02 3.12")
    tmp_path.joinpath("ch02").write_text("another chapter")
    assert len({proofs.fingerprint(tmp_path / "test_it.py", one) for one in about}) == 4
    proofs.forget()


def test_what_is_proved_of_a_chapter_about_a_gpu_depends_on_the_stand_in(tmp_path, monkeypatch):
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    monkeypatch.setitem(proofs.KINDS, "toy", ("{chapter}",))
    chip = tmp_path / "attention_built" / "chip" / "launch.py"
    chip.parent.mkdir(parents=True)
    for chapter, code in (("ch01", "x = 1\n"), ("ch02", "kernel, tl = ab.gpu()\n")):
        tmp_path.joinpath("source", chapter).mkdir(parents=True)
        tmp_path.joinpath("source", chapter, f"{chapter}.py").write_text(code)

    def seen(text):
        chip.write_text(text)
        proofs.forget()
        return [
            proofs.fingerprint(tmp_path / "test_it.py", f"toy {one}") for one in ("ch01", "ch02")
        ]

    (other, about_a_gpu), again = seen("x = 1"), seen("x = 2")
    assert other == again[0] and about_a_gpu != again[1]
    proofs.forget()


def test_what_was_edited_while_it_was_tried_is_not_written_down(course):
    edits = "type('Edits', (), {'__ne__': lambda *_: open('data', 'a').write('x')})()"
    assert course(bad=edits) == {"passed": 41}
    assert not course.record.exists()


@pytest.mark.parametrize(
    "words",
    [
        ("-k", "costly and 1"),
        ("-m", "not slow"),
        ("test_it.py::test_costly",),
        ("-n", "1", "-k", "costly and 1"),  # a worker collects, and the one who started it writes
    ],
)
def test_a_run_of_some_tests_only_writes_down_nothing(course, words):
    assert course(words=words)["passed"]
    assert not course.record.exists()


def test_one_file_of_a_folder_that_is_proved_as_a_whole_writes_down_nothing(course, pytester):
    folder = pytester.mkpydir("folder")
    for number in (1, 2):
        folder.joinpath(f"test_{number}.py").write_text("def test_it():\n    pass\n")
    pytester.path.joinpath("conftest.py").open("a").write("\nmade.FOLDERS = {'folder': 'toy'}\n")
    course(words=["folder/test_1.py"])
    assert not course.record.exists()
    course(words=["folder"])
    assert json.loads(course.record.read_text())["toy"]["tests"] == 2


def test_everything_is_tried_when_asked_for(course, monkeypatch):
    course()
    monkeypatch.setenv("AUTOGRADER_ALL", "1")
    assert course() == {"passed": 41}


def test_a_proof_with_a_test_that_fails_is_not_written_down(course):
    assert course(bad=7) == {"passed": 40, "failed": 1}
    assert not course.record.exists()


def test_an_entry_edited_by_hand_is_refused(course, pytester):
    course()
    text = course.record.read_text()
    course.record.write_text(text.replace('"tests": 40', '"tests": 39'))
    pytester.runpytest_subprocess().stderr.fnmatch_lines(["*the entry 'toy' was edited by hand*"])


def test_a_sealed_entry_that_counts_otherwise_is_found_by_what_is_drawn(course):
    course()
    (entry,) = json.loads(course.record.read_text()).values()
    counted = {name: f"{int(said) + 1}" for name, said in entry["counted"].items()}
    forged = proofs.sealed(entry | {"name": "toy", "counted": counted})
    course.record.write_text(json.dumps({"toy": forged}))
    assert course()["failed"] >= 1
