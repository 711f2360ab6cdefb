"""The cells of a notebook that play the narration."""

import html
import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.course.added_cells import SOUND_ID
from autograder.course.model import Chapter
from autograder.course.settings import Settings
from coursesite.narration.network_check import NETWORK_CHECK
from coursesite.narration.script import Segment, position, script_path, segments

PLAYER_ID = "listen-"  # begins the id of every player's cell

SOUND_CELL = '''# @title The narration, where the text itself cannot play it (Colab, VS Code)
NARRATION_ON_THE_WEB = "@web@"
NARRATION = @segments@

@network check@

def play_narration():
    """A player for each piece of narration, by its address, unless the text can play
    it.
    """
    from html import escape
    from pathlib import Path
    from IPython.display import HTML, display
    here = Path.cwd()
    part = "@folder@"
    came_along = any((folder / part).is_dir() for folder in (here, *here.parents[:4]))
    vs_code = "__vsc_ipynb_file__" in globals()        # which shows no player in a text
    if came_along and not vs_code:
        return
    if not web_answers(f"{NARRATION_ON_THE_WEB}{NARRATION[0][0]}.mp3"):
        return
    rows = ["<p>The sound comes from the web; the transcripts stand in the text below."
            "</p>"]
    for name, title in NARRATION:
        address = f"{NARRATION_ON_THE_WEB}{name}.mp3"
        player = f\'<audio controls preload="none" src="{address}"></audio>\'
        rows.append(f"<p><b>{escape(title)}</b><br>{player}</p>")
    display(HTML("".join(rows)))

play_narration()'''.replace("@network check@", NETWORK_CHECK)


def narration_cells(
    settings: Settings, chapter: Chapter, for_students: bool = False
) -> list[tuple[int, NotebookNode]]:
    """A Markdown cell with a player for each segment that has audio, in order, each with the index
    in ``chapter.cells`` above which it goes. for_students: above the first one, the code cell that
    plays them by their addresses.
    """
    script = script_path(settings.root, chapter.name)
    placed = [
        (position(chapter, segment, script), segment) for segment in _with_sound(settings, chapter)
    ]
    placed.sort(key=lambda item: item[0])  # segments at one place keep the order of the script
    made = [(place, _player(settings, segment)) for place, segment in placed]
    sound = sound_cell(settings, chapter) if for_students else None
    return [(made[0][0], sound), *made] if sound else made


def sound_cell(settings: Settings, chapter: Chapter) -> NotebookNode | None:
    """A folded code cell that plays the segments by their addresses where the audio files did not
    come along, as on Colab, whose Markdown cannot play a file; None for a chapter without sound.
    """
    spoken = _with_sound(settings, chapter)
    if not spoken:
        return None
    rows = ",\n".join(
        f"    ({json.dumps(segment.id)}, {json.dumps(segment.title, ensure_ascii=False)})"
        for segment in spoken
    )
    folder = f"narration/{chapter.name}"
    source = SOUND_CELL.replace("@web@", settings.hosted_url(f"{folder}/"))
    source = source.replace("@folder@", folder).replace("@segments@", f"[\n{rows},\n]")
    made = nbformat.v4.new_code_cell(source)
    made.id = SOUND_ID
    made.metadata["jupyter"] = {"source_hidden": True}
    made.metadata["cellView"] = "form"  # folded on Colab, which shows the title
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
