"""What was heard against what was written: error rates, terms, and what the recogniser expects.

None of this needs the recogniser, but for the slow test, which hears one segment of the course.
"""

import importlib.util
import math
import re
import shutil
import tomllib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.course.errors import AutograderError
from coursesite.narration import listen
from coursesite.narration.heard import (
    Miss,
    Place,
    Report,
    errors,
    pairs,
    places,
    sound_alike,
    summary,
    words,
)
from coursesite.narration.language import arpa
from coursesite.narration.script import segments

from ..conftest import ROOT

INSTALLED = importlib.util.find_spec("pocketsphinx") is not None
PIN = re.compile(r"^([a-z0-9-]+)==\S+ .*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n?)+)", re.M)
TEXT = st.lists(st.sampled_from("abcd"), max_size=6)
NAMES = sorted(path.name for path in (ROOT / "narration").glob("ch*"))


def test_words_are_small_without_stops_and_parted_at_hyphens():
    assert words("The “key–value” pair: don’t stop, log-sum.") == (
        ["the", "key", "value", "pair", "don't", "stop", "log", "sum"]
    )


@pytest.mark.parametrize("text", ["the square root of 64", "Q times Kᵀ", "naïve"])
def test_what_is_no_word_is_refused(text):
    with pytest.raises(ValueError, match="expected words only"):
        words(text)


def test_every_kind_of_error_counts_once():
    matched = pairs("one query asks every key".split(), "one worry asks for every".split())
    assert matched == [
        ("one", "one"),
        ("query", "worry"),
        ("asks", "asks"),
        ("", "for"),
        ("every", "every"),
        ("key", ""),
    ]
    assert errors(matched) == 3


@given(TEXT, TEXT)
def test_no_other_pairing_has_fewer_errors(expected, heard):
    @cache
    def fewest(row, column):
        if not row or not column:
            return row + column
        put = fewest(row - 1, column - 1) + (expected[row - 1] != heard[column - 1])
        return min(put, fewest(row - 1, column) + 1, fewest(row, column - 1) + 1)

    matched = pairs(expected, heard)
    assert errors(matched) == fewest(len(expected), len(heard))
    assert [word for word, _ in matched if word] == expected
    assert [word for _, word in matched if word] == heard


def test_words_that_sound_alike_are_no_error_and_others_are():
    same = sound_alike({"weight": {"W EY T"}, "wait": {"W EY T"}, "white": {"W AY T"}})
    assert errors(pairs(["weight"], ["wait"], same), same) == 0
    assert errors(pairs(["weight"], ["white"], same), same) == 1
    assert errors(pairs(["softmax"], ["logits"], same), same) == 1  # no sound is known of either


def test_a_term_is_heard_only_whole_and_what_came_instead_is_told():
    expected = "the dot product and a dot product then softmax softmax".split()
    heard = "the dot product and a dot or product then soft max softmax".split()
    found = list(places(pairs(expected, heard), ["dot product", "softmax", "logits"]))
    assert found == [
        Place("dot product", 1, "dot product"),
        Place("dot product", 5, "dot or product"),
        Place("softmax", 8, "soft max"),
        Place("softmax", 9, "softmax"),
    ]
    assert [place.missed for place in found] == [False, True, True, False]


def test_a_term_that_was_swallowed_is_missed():
    assert [p.heard for p in places(pairs(["a", "mask"], ["a"]), ["mask"])] == ["nothing"]


def test_the_report_names_place_and_cure_of_a_term_never_heard_and_clears_the_others():
    report = Report(rates={"a.mp3": (3, 20), "b.mp3": (1, 20)})
    report.said.update({"logits": 2, "softmax": 2, "mask": 1})
    report.heard.update({"softmax": 1, "mask": 1})
    report.misses += [
        Miss("a.mp3", 62.4, "logits", "low bits", "low"),
        Miss("b.mp3", 1.0, "logits", "nothing", "limits"),
        Miss("b.mp3", 4.0, "softmax", "max", "softmax"),
    ]
    assert report.never == ["logits"]
    assert report.rate == 0.1
    text = summary(report)
    assert "3 terms at 5 places: 2 in the transcription, 1 more at a second look, 2 missed" in text
    assert "a.mp3 1:02: expected 'logits', heard 'low bits', at a second look 'low'" in text
    assert "'logits' was never heard (2 place(s)): listen to it" in text
    assert "expected 'softmax'" not in text


def test_after_every_word_the_chances_of_all_words_add_up_to_one():
    vocabulary = ["a", "key", "mask", "query", "token"]
    texts = [["a", "query", "a", "key"], ["a", "query"], ["strange", "mask"]]
    model = arpa(texts, vocabulary)
    ones, twos = re.search(r"1-grams:\n(.*?)\n\n\\2-grams:\n(.*?)\n\n", model, re.S).groups()
    single = {w: (10 ** float(p), 10 ** float(b)) for p, w, b in map(str.split, ones.splitlines())}
    double = {(h, w): 10 ** float(p) for p, h, w in map(str.split, twos.splitlines())}
    follow = [*vocabulary, "</s>"]
    for before in ["<s>", *vocabulary]:
        chances = [
            double.get((before, word), single[before][1] * single[word][0]) for word in follow
        ]
        assert math.isclose(sum(chances), 1, abs_tol=2e-3), before
    assert double["a", "query"] > double["a", "key"] > single["token"][0] > 0
    assert ("strange", "mask") not in double and "strange" not in single


def test_each_term_is_spoken_somewhere_and_no_pronunciation_is_left_over():
    table = tomllib.loads((ROOT / "narration" / "listen.toml").read_text(encoding="utf-8"))
    texts = [words(segment.text) for name in NAMES for segment in segments(ROOT, name)]
    said = {place.term for text in texts for place in places(pairs(text, text), table["terms"])}
    assert [term for term in table["terms"] if term not in said] == []
    assert set(table["pronounced"]) <= {word for text in texts for word in text}
    assert len(table["terms"]) == len(set(table["terms"])) > 50


def test_every_package_that_listens_is_pinned_with_hashes():
    text = (ROOT / "narration" / "listen.txt").read_text(encoding="utf-8")
    pinned = [name for name, _ in PIN.findall(text)]
    assert "pocketsphinx" in pinned
    assert len(pinned) == len(re.findall("^[a-z]", text, re.M))


@pytest.mark.skipif(INSTALLED, reason="the recogniser is installed here")
def test_without_the_recogniser_listening_says_what_to_run():
    with pytest.raises(AutograderError, match="needs the package pocketsphinx.*Run 'make listen'"):
        listen.listen(ROOT, NAMES[:1])


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="the recogniser is not here: make listen")
@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="ffmpeg is not here")
def test_the_second_look_hears_a_term_and_refuses_the_same_sound_as_another_word(tmp_path):
    ear = listen.Ear(ROOT, tmp_path)
    name = "ch02_single_head"
    segment = segments(ROOT, name)[0]
    sentence = words(segment.sentences[0][0])
    sound = listen.samples(ROOT / segment.audio)
    piece = sound[: 2 * round((segment.starts[1] - listen.EDGE) * listen.RATE)]
    slot = max(range(len(sentence)), key=lambda place: len(sentence[place]))
    assert ear.choose(piece, sentence, [slot]) == sentence[slot]
    wrong = [*sentence[:slot], "softmax", *sentence[slot + 1 :]]
    assert ear.choose(piece, wrong, [slot]) != "softmax"
