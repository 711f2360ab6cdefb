"""The spoken part of a chapter as it is written: ``narration/chNN_name/script.md``, a segment for
each piece of speech.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from autograder.course.errors import SourceError
from autograder.course.model import Chapter
from coursesite.narration.manifest import read_manifest

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
    starts: tuple[float, ...] = ()  # second of each sentence; () where a recording gives none

    @property
    def text(self) -> str:
        return "\n\n".join(self.paragraphs)

    @property
    def sentences(self) -> tuple[tuple[str, ...], ...]:
        """The sentences of each paragraph: ((sentence, ...), ...)."""
        return tuple(tuple(SENTENCE_END.split(paragraph)) for paragraph in self.paragraphs)

    @property
    def clock(self) -> str:
        """Its length as "0:42"."""
        minutes, seconds = divmod(round(self.seconds), 60)
        return f"{minutes}:{seconds:02d}"


def script_path(root: Path, name: str) -> Path:
    """Where the words of a chapter stand."""
    return Path(root, "narration", name, "script.md")


def segments(root: Path, name: str) -> list[Segment]:
    """The segments of a chapter in order, with lengths from the manifest; none where the chapter
    has no script.

    Raises SourceError with file and line where the script breaks its form.
    """
    path = script_path(root, name)
    if not path.exists():
        return []
    made, found = read_manifest(root).get(name, {}), []
    for number, (line, kind, title, fields, paragraphs) in enumerate(_blocks(path), 1):
        segment_id = f"{number:02d}-{kind}"
        entry = made.get(segment_id, {})
        found.append(
            Segment(
                id=segment_id,
                kind=kind,
                title=title,
                at=fields["at"],
                cue=fields.get("cue", ""),
                paragraphs=paragraphs,
                audio=f"narration/{name}/{segment_id}.mp3",
                line=line,
                seconds=entry.get("seconds", 0.0),
                starts=tuple(entry.get("starts", ())),
            )
        )
    return found


def position(chapter: Chapter, segment: Segment, script: Path | str = "script.md") -> int:
    """Index in ``chapter.cells`` before which the segment's cell goes: below the cell that ``at``
    means.

    ``at`` is "after GRADE_ID", "before GRADE_ID", or the beginning of exactly one line of one
    Markdown cell, as a heading.
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
            f"{script}:{segment.line}: at: expected one place in {chapter.path.name} "
            f"(a line of its Markdown, or after or before a grade_id), {len(fits)} fit "
            f"{segment.at!r}. Copy the line from the chapter."
        )
    return fits[0] + 1


def _blocks(path: Path) -> Iterator[tuple[int, str, str, dict[str, str], tuple[str, ...]]]:
    """Yield (line, kind, title, fields, paragraphs) for each '## kind: title' of a script."""
    lines = path.read_text(encoding="utf-8").splitlines()
    heads = [index for index, line in enumerate(lines) if line.startswith("## ")]
    for start, end in pairwise([*heads, len(lines)]):
        where, head = f"{path}:{start + 1}", HEAD.match(lines[start])
        if not head or head["kind"] not in KINDS:
            raise SourceError(
                f"{where}: expected '## kind: title' with a kind of {', '.join(KINDS)}; "
                f"got {lines[start]!r}."
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
                f"{where}: a segment needs an 'at:' line and, below an empty line, words to speak."
            )
        yield start + 1, head["kind"], head["title"], fields, paragraphs
