"""What listeners are owed: a voice that says what the script says now, at a bearable loudness, and
no player without sound.

Making audio needs a voice and ffmpeg; these tests need neither, but for the slow one that decodes
what is committed.
"""

import html
import json
import re
import shutil
import subprocess
from dataclasses import replace
from urllib.parse import unquote

import numpy as np
import pytest

from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError
from autograder.course.settings import Settings, load_settings
from coursesite.narration.audio import respelling, spoken
from coursesite.narration.cells import SOUND_ID, narration_cells, sound_cell
from coursesite.narration.manifest import file_hash, read_manifest
from coursesite.narration.script import KINDS, position, script_path, segments
from coursesite.narration.voice import RATE, seconds, text_hash

from ..conftest import ROOT, real_chapters

SHORTEST, LONGEST = 20, 60  # seconds
LARGEST = 40 * 2**20  # bytes, all audio together
FRAME = 120  # bytes
PLAYER = re.compile(r'<audio[^>]*\ssrc="([^"]+)"')

every_chapter = pytest.mark.parametrize("name", real_chapters())
spoken_chapter = pytest.mark.parametrize(
    "name", [name for name in real_chapters() if script_path(ROOT, name).exists()]
)

SCRIPT = """## introduction: A beginning
at: # 1 · A small chapter

The first. It has "two" sentences & a softmax.

## code: A check
at: before ch01_double_check
cue: step:scores

Second paragraph.

And another.
"""


@pytest.fixture
def narrated(course):
    """The small course with a script of two segments, the first of which has sound."""
    script = script_path(course, "ch01_small")
    script.parent.mkdir(parents=True)
    script.write_text(SCRIPT, encoding="utf-8")
    (script.parent / "01-introduction.mp3").write_bytes(b"sound")
    (course / "narration" / "manifest.json").write_text(
        json.dumps({"ch01_small": {"01-introduction": {"seconds": 61.7, "starts": [0.1, 0.9]}}})
    )
    (course / "narration" / "respelling.toml").write_text(
        '[words]\n"softmax" = "soft max"\n', encoding="utf-8"
    )
    return course


@spoken_chapter
def test_every_segment_has_the_audio_of_its_present_words(name):
    made = read_manifest(ROOT).get(name, {})

    def as_spoken(segment):
        voice = made[segment.id]["voice"]
        return text_hash(spoken(segment, respelling(ROOT, voice)), voice)

    stale = [
        s.id
        for s in segments(ROOT, name)
        if s.id not in made or made[s.id]["text_sha256"] != as_spoken(s)
    ]
    assert stale == [], f"spoken otherwise than written: run make narration ({', '.join(stale)})"


@spoken_chapter
def test_every_audio_file_is_the_one_that_was_made(name):
    for segment in segments(ROOT, name):
        path, entry = ROOT / segment.audio, read_manifest(ROOT)[name][segment.id]
        assert path.is_file(), f"{segment.audio} is missing: run make narration"
        assert file_hash(path) == entry["audio_sha256"], f"{segment.audio} was changed by hand"
        assert entry["seconds"] == pytest.approx(seconds(path), abs=0.01)


def test_no_file_and_no_entry_is_left_over():
    asked = {segment.audio for name in real_chapters() for segment in segments(ROOT, name)}
    assert {
        path.relative_to(ROOT).as_posix() for path in ROOT.glob("narration/*/*.mp3")
    } - asked == set()
    assert {
        f"narration/{name}/{id}.mp3" for name, made in read_manifest(ROOT).items() for id in made
    } - asked == set()


@spoken_chapter
def test_a_segment_lasts_between_twenty_and_sixty_seconds(name):
    assert {
        s.id: s.seconds for s in segments(ROOT, name) if not SHORTEST <= s.seconds <= LONGEST
    } == {}


@spoken_chapter
def test_sentences_start_one_after_the_other_within_the_segment(name):
    for segment in segments(ROOT, name):
        if segment.starts:
            assert len(segment.starts) == sum(map(len, segment.sentences)), segment.id
            assert (
                0 < segment.starts[0]
                and list(segment.starts) == sorted(set(segment.starts))
                and segment.starts[-1] < segment.seconds
            ), segment.id


@spoken_chapter
def test_audio_is_nothing_but_whole_frames_of_one_kind(name):
    for segment in segments(ROOT, name):
        content = (ROOT / segment.audio).read_bytes()
        assert len(content) % FRAME == 0, segment.audio
        assert {content[n : n + 2] for n in range(0, len(content), FRAME)} == {b"\xff\xf3"}, (
            f"{segment.audio}: not MPEG-2 layer 3 at 40 kbit/s"
        )


def test_all_audio_together_stays_small():
    assert sum(path.stat().st_size for path in ROOT.glob("narration/*/*.mp3")) < LARGEST


@spoken_chapter
def test_every_segment_has_its_place_in_the_chapter_in_the_order_of_the_script(name):
    chapter = find_chapter(ROOT, name)
    places = [
        position(chapter, segment, script_path(ROOT, name)) for segment in segments(ROOT, name)
    ]
    assert places == sorted(places), "the script's order is the chapter's"


@spoken_chapter
def test_a_voice_gets_only_what_it_can_say(name):
    table = respelling(ROOT, load_settings(ROOT).voice)
    for segment in segments(ROOT, name):
        strange = re.findall(
            r"[^A-Za-z0-9 ,.;:?!'\-]", " ".join(sum(spoken(segment, table), ())).replace('"', "")
        )
        assert strange == [], f"{segment.id}: write in words or add to respelling.toml"


@spoken_chapter
def test_every_cue_is_one_that_the_interactive_page_understands(name):
    page = json.loads(
        (ROOT / "site" / "interactive" / "cues.json").read_text(encoding="utf-8")
    ).get(name, {"scenes": [], "fields": {}})
    for segment in segments(ROOT, name):
        for cue in segment.cue.split():
            word, _, value = cue.partition(":")
            options = (
                page["scenes"]
                if word == "scene"
                else page["fields"].get(word, {"options": []}).get("options", [value])
            )
            assert value in options, (
                f"{segment.id}: the page has no {cue!r}; site/interactive/cues.json lists what"
                " it has"
            )


@every_chapter
def test_every_player_in_a_notebook_has_its_sound(name):
    for folder in ("notebooks", "solutions"):
        path = ROOT / folder / name / f"{name}.ipynb"
        if path.is_file():
            for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
                for source in (
                    PLAYER.findall("".join(cell["source"]))
                    if cell["cell_type"] == "markdown"
                    else ()
                ):
                    assert (path.parent / unquote(source)).is_file(), f"{path}: {source}"


@spoken_chapter
def test_every_segment_becomes_one_cell(name):
    cells = [
        cell
        for _, cell in narration_cells(
            Settings(ROOT, repository="owner/name"), find_chapter(ROOT, name)
        )
    ]
    assert sorted(cell.id for cell in cells) == [
        f"listen-{segment.id}" for segment in segments(ROOT, name)
    ]


def test_a_chapter_without_a_script_has_no_players(course):
    assert (
        narration_cells(Settings(course, repository="owner/name"), find_chapter(course, "ch02"))
        == []
    )


def test_a_segment_without_sound_gets_no_player(narrated):
    ((place, cell),) = narration_cells(
        Settings(narrated, repository="owner/name"), find_chapter(narrated, "ch01")
    )
    assert (place, cell.id) == (1, "listen-01-introduction")


def test_a_player_shows_title_length_link_and_transcript(narrated):
    ((_, cell),) = narration_cells(
        Settings(narrated, repository="owner/name"), find_chapter(narrated, "ch01")
    )
    assert "**Listen · A beginning** · 1:02" in cell.source
    assert PLAYER.findall(cell.source) == ["../../narration/ch01_small/01-introduction.mp3"]
    assert (
        "](https://raw.githubusercontent.com/owner/name/main/narration/ch01_small/01-introduction.mp3)"
        in cell.source
    )
    assert html.escape('It has "two" sentences & a softmax.', quote=False) in cell.source


def test_a_chapter_without_the_package_has_no_cell_that_plays(narrated):
    settings = Settings(narrated, repository="owner/name")
    assert sound_cell(settings, find_chapter(narrated, "ch01")) is None


def test_below_the_set_up_a_cell_plays_the_sound_by_its_address_where_there_is_any(
    narrated, package_course
):
    settings = Settings(narrated, repository="owner/name")
    chapter = find_chapter(narrated, "ch01")
    (_, (place, cell)) = narration_cells(settings, chapter, for_students=True)
    assert (place, cell.id) == (2, SOUND_ID)
    web = "https://raw.githubusercontent.com/owner/name/main/narration/ch01_small/"
    assert f'ab.listen("{web}")' in cell.source
    assert len(narration_cells(settings, chapter)) == 1
    assert sound_cell(settings, find_chapter(narrated, "ch02")) is None


def test_a_script_gives_kind_place_cue_and_paragraphs(narrated):
    first, second = segments(narrated, "ch01_small")
    assert (first.kind, first.cue, len(first.sentences[0])) == ("introduction", "", 2)
    assert (second.id, second.at, second.cue, second.paragraphs) == (
        "02-code",
        "before ch01_double_check",
        "step:scores",
        ("Second paragraph.", "And another."),
    )


def test_a_place_beside_a_check_cell_is_found(narrated):
    chapter = find_chapter(narrated, "ch01")
    second = segments(narrated, "ch01_small")[1]
    check = chapter.cells.index(chapter.by_grade_id["ch01_double_check"])
    assert position(chapter, second) == check
    assert position(chapter, replace(second, at="after ch01_double_check")) == check + 1


def test_a_place_that_is_gone_is_named_with_its_line(narrated):
    lost = replace(segments(narrated, "ch01_small")[1], at="## 1.9 Gone")
    with pytest.raises(SourceError, match=r"script.md:6: at: .*'## 1.9 Gone'"):
        position(find_chapter(narrated, "ch01"), lost)


@pytest.mark.parametrize(
    "wrong",
    [
        "## song: A title\nat: # 1\n\nWords.",
        "## code: A title\n\nWords.",
        "## code: A title\nat: # 1\n",
        "## code A title\nat: # 1\n\nWords.",
    ],
)
def test_a_script_that_breaks_its_form_is_refused(narrated, wrong):
    script_path(narrated, "ch01_small").write_text(wrong, encoding="utf-8")
    with pytest.raises(SourceError, match=r"script.md:1: "):
        segments(narrated, "ch01_small")


def test_respelling_changes_what_is_spoken_and_not_what_is_shown(narrated):
    first = segments(narrated, "ch01_small")[0]
    assert (
        spoken(first, respelling(narrated, "festival"))[0][1]
        == 'It has "two" sentences & a soft max.'
    )
    assert "softmax" in first.text


def test_kinds_are_those_a_listener_knows():
    assert {s.kind for name in real_chapters() for s in segments(ROOT, name)} <= set(KINDS)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("ffmpeg"), reason="decoding needs ffmpeg")
@spoken_chapter
def test_no_audio_is_silent_or_clipped(name):
    for segment in segments(ROOT, name):
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", ROOT / segment.audio, "-f", "f32le", "-"],
            capture_output=True,
            check=True,
        ).stdout
        sound = np.frombuffer(raw, "<f4")
        assert len(sound) / RATE == pytest.approx(segment.seconds, abs=0.2), segment.audio
        assert np.abs(sound).max() < 1.0, f"{segment.audio} is clipped"
        pieces = sound[: len(sound) // RATE * RATE].reshape(-1, RATE)
        level = np.sqrt((pieces**2).mean(axis=1))
        assert level[:-1].min() > 0.003, (
            f"{segment.audio} is silent for a second, at second {level[:-1].argmin()}"
        )
        assert 0.05 < np.sqrt((sound**2).mean()) < 0.25, (
            f"{segment.audio} is far from the course's loudness"
        )
