"""The cells of a notebook that play the narration."""

import html
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import PACKAGE, SOUND_ID, below_import
from autograder.course.model import Chapter
from autograder.course.settings import Settings
from coursesite.narration.script import Segment, position, script_path, segments

PLAYER_ID = "listen-"  # begins the id of every player's cell


def narration_cells(
    settings: Settings, chapter: Chapter, for_students: bool = False
) -> list[tuple[int, NotebookNode]]:
    """A Markdown cell with a player for each segment that has audio, in order, each with the index
    in ``chapter.cells`` above which it goes. for_students: and below the set-up, the code cell that
    plays them by their addresses.
    """
    script = script_path(settings.root, chapter.name)
    placed = [
        (position(chapter, segment, script), segment) for segment in _with_sound(settings, chapter)
    ]
    placed.sort(key=lambda item: item[0])  # segments at one place keep the order of the script
    made = [(place, _player(settings, segment)) for place, segment in placed]
    sound = sound_cell(settings, chapter) if for_students else None
    return [*made, (below_import(chapter), sound)] if sound else made


def sound_cell(settings: Settings, chapter: Chapter) -> NotebookNode | None:
    """A code cell that plays the segments by their addresses where the audio files did not come
    along, as on Colab, whose Markdown cannot play a file; None for a chapter without sound.
    """
    if not _with_sound(settings, chapter) or not below_import(chapter):
        return None
    web = settings.hosted_url(f"narration/{chapter.name}/")
    made = nbformat.v4.new_code_cell(
        "# the narration, where the text itself cannot play it (Colab, VS Code)\n"
        f'{PACKAGE}.listen("{web}")'
    )
    made.id = SOUND_ID
    return made


def _with_sound(settings: Settings, chapter: Chapter) -> list[Segment]:
    """The segments of a chapter whose audio has been made."""
    return [
        segment
        for segment in segments(settings.root, chapter.name)
        if segment.seconds and Path(settings.root, segment.audio).is_file()
    ]


def _player(settings: Settings, segment: Segment) -> NotebookNode:
    """The Markdown cell of one segment: title, length, player, link, transcript."""
    transcript = "\n\n".join(
        html.escape(paragraph, quote=False) for paragraph in segment.paragraphs
    )
    made = nbformat.v4.new_markdown_cell(
        f"**Listen · {segment.title}** · {segment.clock}\n\n"
        f'<audio controls preload="none" src="../../{segment.audio}"></audio>\n\n'
        f"[on the web]({settings.hosted_url(segment.audio)})\n\n"
        f"<details><summary>Transcript</summary>\n\n{transcript}\n\n</details>"
    )
    made.id = f"{PLAYER_ID}{segment.id}"
    return made
