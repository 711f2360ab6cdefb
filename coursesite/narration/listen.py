"""A speech recogniser listens to the narration: is every term of the course heard?

Recogniser: pocketsphinx with the English model that its package carries; it runs offline. Its
word-pair model comes from the other chapters alone, so it cannot recite the text that it hears; its
dictionary has all words of the course. A term that the transcription misses gets a second look:
its sentence is given, but for one word, for which every word of the dictionary is as likely; only
the sound decides. `make listen` installs the package and runs this; nobody needs it to read, test
or grade.
"""

import re
import subprocess
import tempfile
import tomllib
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from autograder.course.errors import AutograderError
from coursesite.narration.heard import (
    Miss,
    Place,
    Report,
    Same,
    errors,
    pairs,
    places,
    sound_alike,
    words,
)
from coursesite.narration.language import arpa
from coursesite.narration.script import Segment, segments

RATE = 16_000  # Hz, of the recogniser's model
EDGE = 0.1  # seconds before a sentence's start that belong to its piece of sound
SPEECH = 3  # how often a spoken sentence counts, beside the prose of the other chapters
INSTALL = "Run 'make listen' once; it installs what is pinned in narration/listen.txt."


class Ear:
    """The recogniser with the course's words.

    Raises AutograderError where pocketsphinx or ffmpeg is missing, and where a spoken word has no
    pronunciation.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        """root: the course's; folder: an empty one for dictionary and word-pair models."""
        self.root, self.folder = root, folder
        self._decoder, model = _pocketsphinx()
        self.model = Path(model, "en-us")
        table = tomllib.loads(Path(root, "narration", "listen.toml").read_text(encoding="utf-8"))
        self.terms: list[str] = table["terms"]
        self.sounds = _sounds(self.model / "cmudict-en-us.dict", table["pronounced"])
        names = sorted(path.name for path in Path(root, "narration").glob("ch*"))
        self.spoken = {
            name: [words(x) for s in segments(root, name) for p in s.sentences for x in p]
            for name in names
        }
        self.prose = {name: list(_prose(root, name)) for name in names}
        everything = [*self.spoken.values(), *self.prose.values()]
        self.vocabulary = sorted(
            {word for texts in everything for text in texts for word in text if word in self.sounds}
        )
        missing = {w for texts in self.spoken.values() for t in texts for w in t} - {*self.sounds}
        if missing:
            raise AutograderError(
                f"narration/listen.toml: expected a pronunciation of {', '.join(sorted(missing))};"
                " there is none here nor in the recogniser's dictionary. Add it to [pronounced]."
            )
        self.same: Same = sound_alike(self.sounds)
        lines = [
            f"{word}{f'({number})' if number > 1 else ''} {sound}\n"
            for word in self.vocabulary
            for number, sound in enumerate(sorted(self.sounds[word]), 1)
        ]
        (folder / "words.dict").write_text("".join(lines), encoding="ascii")
        self._closer = self._make(lm=None)
        self._free: dict[str, Any] = {}

    def transcribe(self, sound: bytes, name: str) -> list[str]:
        """The words of a segment of chapter ``name``; sound: int16 samples at RATE."""
        if name not in self._free:
            others = [n for n in self.spoken if n != name]
            texts = [t for n in others for t in self.prose[n] + self.spoken[n] * SPEECH]
            path = self.folder / f"{name}.lm"
            path.write_text(arpa(texts, self.vocabulary), encoding="ascii")
            self._free = {name: self._make(lm=str(path))}  # one at a time: each takes memory
        return _run(self._free[name], sound)

    def choose(self, sound: bytes, sentence: Sequence[str], slots: Sequence[int]) -> str:
        """What stands in the slots of a sentence whose other words are given; "nothing" where
        the sentence as a whole cannot be heard in the sound.
        """
        steps = []
        for place, word in enumerate(sentence):
            for other in self.vocabulary if place in slots else [word]:
                steps.append((place, place + 1, 1 / len(self.vocabulary), other))
        grammar = self._closer.create_fsg("sentence", 0, len(sentence), steps)
        self._closer.add_fsg("sentence", grammar)
        self._closer.activate_search("sentence")
        heard = _run(self._closer, sound)
        if len(heard) != len(sentence):
            return "nothing"
        return " ".join(
            sentence[place] if self.same(sentence[place], heard[place]) else heard[place]
            for place in slots
        )

    def _make(self, lm: str | None) -> Any:
        return self._decoder(
            samprate=RATE, loglevel="FATAL", dict=str(self.folder / "words.dict"), lm=lm
        )


def listen(
    root: Path,
    names: Sequence[str],
    progress: Callable[[str, Report], None] = lambda *_: None,
) -> Report:
    """Hear the sound of the named chapters, and compare it with their scripts."""
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        ear = Ear(root, Path(folder))
        for name in names:
            for segment in segments(root, name):
                sound, expected = samples(root / segment.audio), words(segment.text)
                matched = pairs(expected, ear.transcribe(sound, name), ear.same)
                report.rates[segment.audio] = (errors(matched, ear.same), len(expected))
                found = list(places(matched, ear.terms, ear.same))
                for place in found:
                    report.said[place.term] += 1
                    report.heard[place.term] += not place.missed
                missed = [place for place in found if place.missed]
                report.misses += _second_look(ear, segment, sound, missed)
                progress(segment.audio, report)
    return report


def samples(path: Path) -> bytes:
    """The sound of a file as int16 at RATE, mono."""
    command = ["ffmpeg", "-loglevel", "error", "-nostdin", "-i", str(path)]
    try:
        return subprocess.run(
            [*command, "-f", "s16le", "-ac", "1", "-ar", str(RATE), "-"],
            check=True,
            capture_output=True,
        ).stdout
    except FileNotFoundError as error:
        raise AutograderError(
            "listening needs ffmpeg; it is not on the PATH. On Debian: apt-get install ffmpeg"
        ) from error


def _second_look(
    ear: Ear, segment: Segment, sound: bytes, missed: Sequence[Place]
) -> Iterator[Miss]:
    """Miss of each place that the transcription missed, heard again in its sentence."""
    sentences = [words(text) for paragraph in segment.sentences for text in paragraph]
    firsts = [0, *accumulate(map(len, sentences))]
    for place in missed:
        if len(segment.starts) != len(sentences):  # a recording: nobody knows where they start
            yield Miss(segment.audio, 0.0, place.term, place.heard, "not tried")
            continue
        number = bisect(firsts, place.index) - 1
        inside, sentence = place.index - firsts[number], sentences[number]
        slots = range(inside, min(inside + len(place.term.split()), len(sentence)))
        starts = [second - EDGE for second in segment.starts[number : number + 2]]
        closer = ear.choose(_between(sound, *starts), sentence, slots)
        yield Miss(segment.audio, segment.starts[number], place.term, place.heard, closer)


def _between(sound: bytes, start: float, end: float | None = None) -> bytes:
    """The part of a sound from ``start`` to ``end`` (default: its own end), in seconds."""
    return sound[2 * max(0, round(start * RATE)) : None if end is None else 2 * round(end * RATE)]


def _run(decoder: Any, sound: bytes) -> list[str]:
    """The words that a recogniser hears in one piece of sound, fillers left out."""
    decoder.start_utt()
    decoder.process_raw(sound, full_utt=True)
    decoder.end_utt()
    found = [piece.word.partition("(")[0] for piece in decoder.seg() or []]
    return [word for word in found if word and word[0] not in "<["]


def _sounds(path: Path, more: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """{word: its pronunciations}, from the recogniser's dictionary and from [pronounced]."""
    sounds: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        word, sound = line.split(None, 1)
        sounds[word.partition("(")[0]].add(sound.strip())
    for word, written in more.items():
        sounds[word] |= set(written)
    return dict(sounds)


def _prose(root: Path, name: str) -> Iterator[list[str]]:
    """The words of a chapter's source, text and code, in pieces that end at a stop."""
    text = Path(root, "source", name, f"{name}.py").read_text(encoding="utf-8")
    for piece in re.split(r"[.?!:;]\s|\n#\s*\n|\n\n", text.replace("\n# ", " ")):
        yield words(re.sub(r"[^A-Za-z'\s]", " ", piece))


def _pocketsphinx() -> tuple[Any, str]:
    try:
        from pocketsphinx import Decoder, get_model_path
    except ImportError as error:
        raise AutograderError(
            f"listening needs the package pocketsphinx; it is not installed. {INSTALL}"
        ) from error
    return Decoder, get_model_path()
