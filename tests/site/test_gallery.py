"""The gallery: every picture differs from the right one and from what the other guesses would have
given; the file's broken rules are one line each; the page holds no answer.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from autograder.course.bank import read_answers, right_answers
from autograder.course.errors import SourceError
from coursesite.site.gallery import entries as reading
from coursesite.site.gallery.entries import FILE, read_entries
from coursesite.site.gallery.numbers import computed, differ, numbers_of
from coursesite.site.gallery.page import place, question
from coursesite.site.gallery.pictures import pictures

from ..conftest import ROOT

ENTRIES = read_entries(ROOT)
KEYS = [entry.key for entry in ENTRIES]
EXERCISES, CHAPTERS = 10, 6  # at least so many


def test_it_shows_at_least_ten_exercises_of_several_chapters():
    assert len({entry.exercise.id for entry in ENTRIES}) >= EXERCISES
    assert len({entry.chapter.name for entry in ENTRIES}) >= CHAPTERS


@pytest.mark.parametrize("entry", ENTRIES, ids=KEYS)
def test_the_mistake_can_be_seen_and_the_other_guesses_are_not_what_happened(entry):
    right, made = computed(entry, entry.right), computed(entry, entry.made.answer)
    assert right.shape == made.shape
    gaps = {"right": np.abs(np.nan_to_num(right) - np.nan_to_num(made)).max()}
    for other in entry.others:
        found = computed(entry, other.answer)
        gaps[other.answer.name] = np.inf
        if found.shape == made.shape:
            gaps[other.answer.name] = np.abs(np.nan_to_num(found) - np.nan_to_num(made)).max()
    assert min(gaps.values()) > 0.02 * np.abs(np.nan_to_num([right, made])).max(), gaps


@pytest.mark.parametrize("entry", ENTRIES, ids=KEYS)
def test_every_right_answer_of_the_bank_gives_the_picture_that_is_expected(entry):
    if entry.exercise.id in ("ch03_attention_dropout", "ch08_sample"):  # draws of its own kind
        pytest.skip("right answers draw differently")
    wanted = computed(entry, entry.right)
    others = right_answers(ROOT, entry.chapter.name, entry.exercise.id)[1:4]
    for answer in others:
        np.testing.assert_allclose(computed(entry, answer), wanted, atol=1e-4, err_msg=answer.name)


def test_the_same_numbers_give_the_same_bytes_and_their_words():
    for entry in ENTRIES[:2]:
        numbers = numbers_of(entry)
        first, second = pictures(entry, numbers), pictures(entry, numbers_of(entry))
        assert first == second and first[0][0] != first[1][0]
        assert first[0][0].startswith(b"\x89PNG")
        told = re.findall(r"−?\d+(?:\.\d+)?", first[1][1].partition("numbers. ")[2])
        assert len(told) >= numbers.made.size and entry.made.says not in first[1][1]


def test_guesses_are_three_with_the_bank_s_phrase_at_no_fixed_place():
    places = [place(entry) for entry in ENTRIES]
    assert max(places.count(one) for one in range(3)) <= 0.6 * len(places)
    for entry in ENTRIES[:3]:
        asked = question(entry, numbers_of(entry))
        assert len(asked.choices) == 3 and asked.place == place(entry)
        assert entry.made.answer.phrase in asked.choices[asked.place].because


def refused(monkeypatch, tmp_path, old, new):
    """What reading the file with one change says."""
    path = tmp_path / "gallery.toml"
    text = (ROOT / FILE).read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(reading, "FILE", str(path))
    with pytest.raises(SourceError) as raised:
        read_entries(ROOT)
    return str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"ch01_why_attention"', '"ch99_none"', "chapter: expected one of ch01_why_attention"),
        ('exercise = "softmax"', 'exercise = "softmex"', "exercise: expected one of"),
        ('wrong = "whole_table"', 'wrong = "whole_tabel"', "got 'whole_tabel'"),
        ('wrong = "whole_table"', 'wrong = "logsumexp"', "got 'logsumexp'"),  # a right answer
        ('wrong = "wrong_axis"', 'wrong = "axis"', "entry 1: other: wrong: expected one of"),
        ('wrong = "wrong_axis"', 'wrong = "whole_table"', "2 other mistakes, different ones"),
        ('draw = "matrix"', 'draw = "pie"', "expected one of matrix, lines, bars"),
        ('call = "softmax(scores)"', "", "'call' is missing"),
        ('rows = "query"', 'row = "query"', "got 'row'"),
        ("\n[[entry]]", "\n[[entry]", "expected TOML in UTF-8"),
    ],
)
def test_a_broken_rule_is_one_line(monkeypatch, tmp_path, old, new, said):
    line = refused(monkeypatch, tmp_path, old, new)
    assert said in line and "gallery.toml" in line and "\n" not in line


def test_guesses_that_look_the_same_and_calls_that_fail_stop_the_build():
    entry = next(one for one in ENTRIES if one.exercise.id == "ch01_softmax")
    twin = replace(entry.others[0], answer=entry.made.answer)
    with pytest.raises(SourceError, match="expected pictures that differ"):
        numbers_of(replace(entry, others=(twin, entry.others[1])))
    with pytest.raises(SourceError, match="could not be run for softmax.missing.: NameError"):
        numbers_of(replace(entry, call="softmax(missing)"))
    with pytest.raises(SourceError, match=r"gives the shape \(4,\)"):
        numbers_of(replace(entry, call="softmax(scores)[0]"))
    assert not differ(np.array([1.0, 2.0]), np.array([1.0, 2.0001]))


@pytest.mark.slow
def test_the_page_holds_no_line_of_an_answer(site):
    page = (site / "gallery.html").read_text(encoding="utf-8")
    assert page.count('class="question"') == len(ENTRIES)
    text = re.sub(r"<[^>]+>", "", page)
    for entry in ENTRIES:
        for answer in read_answers(ROOT, entry.chapter.name, entry.exercise.id):
            lines = [line.strip() for line in answer.text.split("\n")]
            assert not [line for line in lines if len(line) > 14 and line in text], answer.name


@pytest.mark.slow
def test_a_guess_is_made_by_keyboard_and_kept_also_from_a_folder(browser, site):
    context = browser.new_context(viewport={"width": 390, "height": 900})
    page = context.new_page()
    gone = []
    page.on("request", lambda one: one.url.startswith(("file:", "data:")) or gone.append(one.url))
    page.goto((site / "gallery.html").as_uri())
    first = page.locator(".questions").first
    first.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    said = first.locator(".because:visible")
    assert said.count() == 1
    assert said.inner_text().startswith("(A) Right.") == (place(ENTRIES[0]) == 0)
    shown = said.inner_text()
    page.reload()
    assert first.locator(".because:visible").inner_text() == shown
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert gone == []
    context.close()
