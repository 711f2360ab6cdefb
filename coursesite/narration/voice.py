"""From words to sound: an offline voice or a recording, then one mono MP3 at an even loudness, the
same bytes every time.

Voices: "kokoro:SPEAKER" (see kokoro.py), "festival" (Debian: festival, festvox-us-slt-hts), "flite"
(Debian: flite), "piper:MODEL.onnx" (piper on the PATH), or "recorded" (a file
``narration/chNN_name/recordings/<segment id>.wav`` or ``.flac``).
"""

import hashlib
import json
import shutil
import subprocess
import wave
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from autograder.course.errors import AutograderError
from coursesite.narration import kokoro

NAME = "festival"  # the voice of the course where no setting says otherwise
RATE, KILOBITS = 24_000, 40  # Hz, kbit/s: at this pair every MP3 frame has 120 bytes and 24 ms
BYTES_PER_SECOND = KILOBITS * 125
LOUDNESS = -18.0  # LUFS, as EBU R 128 measures it
PEAK = 0.84  # of full scale; -1.5 dB leaves room for what the coding adds
EDGE, BETWEEN_SENTENCES, BETWEEN_PARAGRAPHS = 0.15, 0.40, 0.80  # seconds of silence
QUIET = 0.003  # of full scale: below it a voice is not speaking
Paragraphs = tuple[tuple[str, ...], ...]  # of sentences
Sound = tuple[np.ndarray, int]  # samples as int16, and their rate
PACE = {"festival": 0.93, "flite": 0.93}  # of the voice's own speed

NO_TRACES = (  # of the encoder, the day or the machine in an MP3
    f"-c:a libmp3lame -ac 1 -ar {RATE} -map_metadata -1 -fflags +bitexact -flags:a +bitexact"
    " -write_xing 0 -id3v2_version 0"
)

PACKAGES = {"festival": "festival and festvox-us-slt-hts", "flite": "flite", "ffmpeg": "ffmpeg"}


def settings_of(voice: str) -> list[Any]:
    """Everything but the words that decides how a segment sounds."""
    return [
        voice,
        RATE,
        KILOBITS,
        LOUDNESS,
        PEAK,
        EDGE,
        BETWEEN_SENTENCES,
        BETWEEN_PARAGRAPHS,
        PACE.get(voice, 1.0),
    ]


def text_hash(paragraphs: Paragraphs, voice: str) -> str:
    """What decides whether a segment must be spoken again: its words after respelling, and the
    voice with its settings.
    """
    return hashlib.sha256(json.dumps([paragraphs, settings_of(voice)]).encode()).hexdigest()


def seconds(path: Path) -> float:
    """Length of an MP3 of ours: its bit rate is constant and it holds nothing but frames."""
    return Path(path).stat().st_size / BYTES_PER_SECOND


def mp3(
    paragraphs: Paragraphs, voice: str, folder: Path, recording: Path, root: Path = Path()
) -> tuple[bytes, list[float]]:
    """Speak ((sentence, ...), ...) and return the MP3 as bytes, and the second at which each
    sentence starts.

    folder: an empty one to work in; recording: path without suffix of the file that "recorded"
    takes; root: the course's, below which a voice's own files lie. Raises AutograderError where a
    program, a model or a recording is missing.
    """
    if voice == "recorded":
        return _encode(_recorded(recording), 1.0, folder), []
    sentences = [sentence for paragraph in paragraphs for sentence in paragraph]
    waves = _spoken(sentences, voice, folder, root)
    first = {sum(map(len, paragraphs[:n])) for n in range(len(paragraphs))}
    pace = PACE.get(voice, 1.0)
    pieces, starts, length = [], [], 0
    for number, (samples, rate) in enumerate(waves):
        pause = (
            EDGE if number == 0 else BETWEEN_PARAGRAPHS if number in first else BETWEEN_SENTENCES
        )
        pieces += [np.zeros(round(pause * pace * rate), np.int16), samples]
        starts.append(round((length + len(pieces[-2])) / rate / pace, 2))
        length += len(pieces[-2]) + len(pieces[-1])
    pieces.append(np.zeros(round(EDGE * rate), np.int16))
    joined = folder / "joined.wav"
    with wave.open(str(joined), "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(np.concatenate(pieces).astype("<i2").tobytes())
    return _encode(joined, pace, folder), starts


def loudness(path: Path) -> tuple[float, float]:
    """(integrated LUFS, true peak in dBFS) of any audio file, measured by ffmpeg."""
    listen = "-af loudnorm=print_format=json -f null -".split()
    said = _run(["ffmpeg", "-hide_banner", "-nostdin", "-i", path, *listen]).stderr
    measured = json.loads(said[said.rindex("{") : said.rindex("}") + 1])
    return float(measured["input_i"]), float(measured["input_tp"])


def _encode(path: Path, pace: float, folder: Path) -> bytes:
    """Bring a sound file to LOUDNESS and below PEAK, as MP3 bytes without tags, dates or encoder's
    name.
    """
    shaped, target = folder / "shaped.wav", folder / "done.mp3"
    ffmpeg = "ffmpeg -hide_banner -loglevel error -nostdin -y -threads 1 -i".split()
    mono = f"-ac 1 -ar {RATE} -bitexact".split()
    _run([*ffmpeg, path, "-af", f"highpass=f=60,atempo={pace}", *mono, shaped])
    loud = f"volume={LOUDNESS - loudness(shaped)[0]:.2f}dB,alimiter=limit={PEAK}:level=0"
    _run([*ffmpeg, shaped, "-af", loud, *f"-b:a {KILOBITS}k {NO_TRACES}".split(), target])
    return target.read_bytes()


def _spoken(sentences: list[str], voice: str, folder: Path, root: Path) -> list[Sound]:
    """[(samples, rate)] of each sentence, without the silence at its ends."""
    paths = [folder / f"{number:03d}.wav" for number in range(len(sentences))]
    engine, _, model = voice.partition(":")
    if engine == "kokoro":
        return [_without_silence(*sound) for sound in kokoro.speak(sentences, model, root)]
    if engine == "festival":
        program = ["(voice_cmu_us_slt_arctic_hts)"]
        for sentence, path in zip(sentences, paths, strict=False):
            quoted = sentence.replace("\\", " ").replace('"', "")
            program.append(
                f'(utt.save.wave (utt.synth (Utterance Text "{quoted}")) "{path}" \'riff)'
            )
        (folder / "say.scm").write_text("\n".join(program), encoding="utf-8")
        _run(["festival", "-b", folder / "say.scm"])
    elif engine == "flite":
        for sentence, path in zip(sentences, paths, strict=False):
            _run(["flite", "-voice", "slt", "-t", sentence, "-o", path])
    elif engine == "piper" and model:
        for sentence, path in zip(sentences, paths, strict=False):
            steady = "--noise_scale 0 --noise_w 0 --output_file".split()
            _run(["piper", "--model", model, *steady, path], input=sentence)
    else:
        raise AutograderError(
            "pyproject.toml: voice: expected kokoro:SPEAKER, festival, flite, piper:MODEL.onnx or"
            f" recorded; got {voice!r}."
        )
    missing = [
        sentence for sentence, path in zip(sentences, paths, strict=False) if not path.is_file()
    ]
    if missing:
        raise AutograderError(
            f"the voice {voice} gave no sound for {missing[0][:60]!r}. Is it installed whole"
            f" ({PACKAGES.get(engine, engine)})?"
        )
    return [_trimmed(path) for path in paths]


def _trimmed(path: Path) -> Sound:
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return _without_silence(samples, file.getframerate())


def _without_silence(samples: np.ndarray, rate: int) -> Sound:
    """(samples, rate) without what is quiet at both ends."""
    loud = np.flatnonzero(np.abs(samples.astype(np.int32)) > QUIET * 32768)
    margin = round(0.03 * rate)
    return (
        (samples[max(loud[0] - margin, 0) : loud[-1] + margin], rate)
        if len(loud)
        else (samples, rate)
    )


def _recorded(path: Path) -> Path:
    for suffix in (".wav", ".flac"):
        if Path(f"{path}{suffix}").is_file():
            return Path(f"{path}{suffix}")
    raise AutograderError(
        f"voice 'recorded': expected {path}.wav or .flac; there is none. Record it, or choose"
        " another voice in pyproject.toml."
    )


def _run(command: Sequence[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    program = str(command[0])
    if not shutil.which(program):
        way = (
            f"on Debian: apt-get install {PACKAGES[program].replace(' and', '')}"
            if program in PACKAGES
            else "or choose another voice in pyproject.toml"
        )
        raise AutograderError(
            f"{program} is needed to make narration and is not on the PATH. Install it, {way}."
        )
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **options
    )
    if done.returncode:
        raise AutograderError(
            f"{program} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}"
        )
    return done
