"""The spoken part of a chapter: reads ``narration/chNN_name/script.md``, keeps its audio, and makes the cells that play it.

Nothing here needs a voice or ffmpeg except ``make_audio``.
"""

import hashlib
import html
import json
import re
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.course.chapter import chosen_chapters
from autograder.course.errors import SourceError
from autograder.course.files import write

KINDS = (
    "introduction",
    "motivation",
    "intuition",
    "mathematics",
    "code",
    "picture",
    "exercise",
    "transition",
    "reflection",
    "closing",
)
HEAD = re.compile(r"^## (?P<kind>[a-z]+): (?P<title>\S.*)$")
FIELD = re.compile(r"^(?P<name>at|cue): (?P<value>\S.*)$")
SENTENCE_END = re.compile(r"(?<=[.?!])\s+")


@dataclass(frozen=True)
class Segment:
    """One piece of speech beside one place of a chapter."""

    id: str  # "03-picture": number in the script, and kind
    kind: str  # one of KINDS
    title: str
    at: str  # where it stands, as the script says it
    cue: str  # moves the interactive page, as "step:scores"; "" for none
    paragraphs: tuple[str, ...]  # as written: what the transcript shows
    audio: str  # path from the root, with '/'
    line: int  # of its '## ' line in the script, from 1
    seconds: float = 0.0  # 0: no audio has been made
    starts: tuple[
        float, ...
    ] = ()  # second at which each sentence begins; () where a recording gives none

    @property
    def text(self):
        return "\n\n".join(self.paragraphs)

    @property
    def sentences(self):
        """The sentences of each paragraph: ((sentence, ...), ...)."""
        return tuple(tuple(SENTENCE_END.split(paragraph)) for paragraph in self.paragraphs)

    @property
    def clock(self):
        """Its length as "0:42"."""
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{minutes}:{seconds:02d}"


def script_path(root, name):
    return Path(root, "narration", name, "script.md")


def manifest_path(root):
    return Path(root, "narration", "manifest.json")


def read_manifest(root):
    """{chapter name: {segment id: {text_sha256, audio_sha256, voice, seconds, starts}}}; empty where there is no file."""
    path = manifest_path(root)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def segments(root, name):
    """The segments of a chapter in order, with lengths from the manifest; none where the chapter has no script.

    Raises SourceError with file and line where the script breaks its form.
    """
    path = script_path(root, name)
    if not path.exists():
        return []
    made, found = read_manifest(root).get(name, {}), []
    for number, (line, kind, title, fields, paragraphs) in enumerate(_blocks(path), 1):
        id = f"{number:02d}-{kind}"
        entry = made.get(id, {})
        found.append(
            Segment(
                id,
                kind,
                title,
                fields["at"],
                fields.get("cue", ""),
                paragraphs,
                f"narration/{name}/{id}.mp3",
                line,
                entry.get("seconds", 0.0),
                tuple(entry.get("starts", ())),
            )
        )
    return found


def position(chapter, segment, script="script.md"):
    """Index in ``chapter.cells`` before which the segment's cell goes: below the cell that ``at`` means.

    ``at`` is "after GRADE_ID", "before GRADE_ID", or the beginning of exactly one line of one Markdown cell, as a heading.
    """
    where, _, grade_id = segment.at.partition(" ")
    if where in ("after", "before") and grade_id in chapter.by_grade_id:
        return chapter.cells.index(chapter.by_grade_id[grade_id]) + (where == "after")
    fits = [
        index
        for index, cell in enumerate(chapter.cells)
        if cell.kind == "markdown"
        for line in cell.source.splitlines()
        if line.startswith(segment.at)
    ]
    if len(fits) != 1:
        raise SourceError(
            f"{script}:{segment.line}: at: expected one place in {chapter.path.name} (a line of its Markdown, or after or "
            f"before a grade_id), {len(fits)} fit {segment.at!r}. Copy the line from the chapter."
        )
    return fits[0] + 1


def narration_cells(settings, chapter):
    """[(position, Markdown cell)] in order: a player for each segment that has audio. Insert them from the last to the first.

    A position is an index in ``chapter.cells`` before which the cell goes.
    """
    script = script_path(settings.root, chapter.name)
    placed = [
        (position(chapter, segment, script), number, segment)
        for number, segment in enumerate(segments(settings.root, chapter.name))
        if segment.seconds and Path(settings.root, segment.audio).is_file()
    ]
    return [
        (place, _cell(settings, segment))
        for place, _, segment in sorted(placed, key=lambda item: item[:2])
    ]


def respelling(root):
    """[(pattern, spoken)]: what a voice gets wrong, and how to write it for a voice; longest first."""
    table = tomllib.loads(Path(root, "narration", "respelling.toml").read_text(encoding="utf-8"))
    words = sorted(table["words"].items(), key=lambda item: (-len(item[0]), item[0]))
    return [
        (re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE), spoken)
        for word, spoken in words
    ]


def spoken(segment, table):
    """The segment's sentences as the voice gets them, each paragraph a tuple."""

    def say(sentence):
        for pattern, words in table:
            sentence = pattern.sub(words, sentence)
        return " ".join(sentence.split())

    return tuple(tuple(say(sentence) for sentence in paragraph) for paragraph in segment.sentences)


def make_audio(settings, names=(), progress=lambda segment: None):
    """Speak what changed, for the named chapters (default: all), and forget what no script asks for. Returns the ids made.

    Raises SourceError for a script, AutograderError where the voice or ffmpeg is missing.
    """
    from autograder.narration.voice import NAME, mp3, seconds, text_hash

    root, made = Path(settings.root), []
    voice, table, manifest = (
        getattr(settings, "voice", "") or NAME,
        respelling(root),
        read_manifest(root),
    )
    chapters = chosen_chapters(root, names)
    for chapter in chapters:
        old, new = manifest.get(chapter.name, {}), {}
        for segment in segments(root, chapter.name):
            position(chapter, segment, script_path(root, chapter.name))
            paragraphs, path = spoken(segment, table), root / segment.audio
            key, entry = text_hash(paragraphs, voice), old.get(segment.id, {})
            if (
                voice == "recorded"
                or entry.get("text_sha256") != key
                or not path.is_file()
                or file_hash(path) != entry["audio_sha256"]
            ):
                progress(segment)
                with tempfile.TemporaryDirectory() as folder:
                    content, starts = mp3(
                        paragraphs, voice, Path(folder), path.parent / "recordings" / segment.id
                    )
                write(path, content)
                entry = {
                    "audio_sha256": file_hash(path),
                    "seconds": round(seconds(path), 2),
                    "starts": starts,
                    "text_sha256": key,
                    "voice": voice,
                }
                made.append(f"{chapter.name}/{segment.id}")
            new[segment.id] = entry
        manifest[chapter.name] = new
        for path in sorted((root / "narration" / chapter.name).glob("*.mp3")):
            if path.stem not in new:
                path.unlink()
        kept = {name: entries for name, entries in sorted(manifest.items()) if entries}
        write(manifest_path(root), (json.dumps(kept, indent=1, sort_keys=True) + "\n").encode())
    return made


def file_hash(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _blocks(path):
    """Yield (line, kind, title, fields, paragraphs) for each '## kind: title' of a script."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [index for index, line in enumerate(lines) if line.startswith("## ")]
    for start, end in zip(heads, [*heads[1:], len(lines)]):
        where, head = f"{path}:{start + 1}", HEAD.match(lines[start])
        if not head or head["kind"] not in KINDS:
            raise SourceError(
                f"{where}: expected '## kind: title' with a kind of {', '.join(KINDS)}; got {lines[start]!r}."
            )
        body, fields = lines[start + 1 : end], {}
        while body and (field := FIELD.match(body[0])):
            fields[field["name"]] = field["value"].strip()
            body.pop(0)
        paragraphs = tuple(
            " ".join(part.split()) for part in re.split(r"\n\s*\n", "\n".join(body)) if part.strip()
        )
        if "at" not in fields or not paragraphs:
            raise SourceError(
                f"{where}: a segment needs an 'at:' line and, below an empty line, the words to speak."
            )
        yield start + 1, head["kind"], head["title"], fields, paragraphs


def _cell(settings, segment):
    transcript = "\n\n".join(
        html.escape(paragraph, quote=False) for paragraph in segment.paragraphs
    )
    made = nbformat.v4.new_markdown_cell(
        f"**Listen · {segment.title}** · {segment.clock}\n\n"
        f'<audio controls preload="none" src="../../{segment.audio}"></audio>\n\n'
        f"[on the web]({settings.hosted_url(segment.audio)})\n\n"
        f"<details><summary>Transcript</summary>\n\n{transcript}\n\n</details>"
    )
    made.id = f"listen-{segment.id}"
    return made
