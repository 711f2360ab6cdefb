"""From scripts to sound: speak what changed, and forget what no script asks for."""

import re
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autograder.course.chapter import chosen_chapters
from autograder.course.files import write
from autograder.course.settings import Settings
from coursesite.narration.manifest import file_hash, read_manifest, write_manifest
from coursesite.narration.script import Segment, position, script_path, segments

Respelling = list[tuple[re.Pattern[str], str]]


def respelling(root: Path, voice: str) -> Respelling:
    """[(pattern, spoken)]: what a voice gets wrong, and how to write it; longest first.

    voice: as in the settings; a table of its own ([kokoro]) takes the place of the common one.
    """
    table = tomllib.loads(Path(root, "narration", "respelling.toml").read_text(encoding="utf-8"))
    own = table.get(voice.partition(":")[0], table["words"])
    words = sorted(own.items(), key=lambda item: (-len(item[0]), item[0]))
    return [
        (re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE), spoken)
        for word, spoken in words
    ]


def spoken(segment: Segment, table: Respelling) -> tuple[tuple[str, ...], ...]:
    """The segment's sentences as the voice gets them, each paragraph a tuple."""

    def say(sentence: str) -> str:
        for pattern, words in table:
            sentence = pattern.sub(words, sentence)
        return " ".join(sentence.split())

    return tuple(tuple(say(sentence) for sentence in paragraph) for paragraph in segment.sentences)


def make_audio(
    settings: Settings,
    names: Sequence[str] = (),
    progress: Callable[[Segment], None] = lambda segment: None,
) -> list[str]:
    """Speak what changed, for the named chapters (default: all). Returns the ids of what was
    spoken.

    Raises SourceError for a script, AutograderError where the voice or ffmpeg is missing.
    """
    from coursesite.narration.voice import NAME, text_hash

    root, made = Path(settings.root), []
    voice = settings.voice or NAME
    table, manifest = respelling(root, voice), read_manifest(root)
    for chapter in chosen_chapters(root, names):
        old = manifest.get(chapter.name, {})
        new: dict[str, dict[str, Any]] = {}
        for segment in segments(root, chapter.name):
            position(chapter, segment, script_path(root, chapter.name))  # before minutes of speech
            paragraphs, path = spoken(segment, table), root / segment.audio
            key, entry = text_hash(paragraphs, voice), old.get(segment.id, {})
            is_current = (
                voice != "recorded"
                and entry.get("text_sha256") == key
                and path.is_file()
                and file_hash(path) == entry["audio_sha256"]
            )
            if not is_current:
                progress(segment)
                entry = {**_speak(paragraphs, voice, path, root), "text_sha256": key}
                made.append(f"{chapter.name}/{segment.id}")
            new[segment.id] = entry
        manifest[chapter.name] = new
        for path in sorted((root / "narration" / chapter.name).glob("*.mp3")):
            if path.stem not in new:
                path.unlink()
        write_manifest(root, manifest)
    return made


def _speak(
    paragraphs: tuple[tuple[str, ...], ...], voice: str, path: Path, root: Path
) -> dict[str, Any]:
    """Write the sound of a segment; returns its entry for the manifest, without the hash of its
    words.
    """
    from coursesite.narration.voice import mp3, seconds

    with tempfile.TemporaryDirectory() as folder:
        content, starts = mp3(
            paragraphs, voice, Path(folder), path.parent / "recordings" / path.stem, root
        )
    write(path, content)
    return {
        "audio_sha256": file_hash(path),
        "seconds": round(seconds(path), 2),
        "starts": starts,
        "voice": voice,
    }
