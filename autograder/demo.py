"""The whole road in two minutes: a sample class handed in, graded, with marks and feedback to look at."""

import shutil
from dataclasses import replace

from rich.console import Console

from .chapter import chapter_paths, read_chapter
from .errors import AutograderError
from .fresh import stale_files
from .sample import CLASS, write_class
from .settings import load_settings

console = Console()


def demo(sandbox=True):
    """Grade the sample class for chapters 1 and 2 in the folder demo/, which is made anew."""
    settings = load_settings()
    stale = stale_files(settings.root)
    if stale:
        raise AutograderError(f"the committed release is not what the source gives: {', '.join(map(str, stale[:3]))}. Run 'make release'.")
    console.print("The committed release is fresh.")
    folder = settings.root / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    demo_settings = replace(settings, db_url=f"sqlite:///{folder / 'gradebook.db'}", submitted="demo/submitted", feedback="demo/feedback", marks="demo/marks")
    chapters = [read_chapter(path) for path in chapter_paths(settings.root)[:2]]
    from .__main__ import grade_with_progress
    for chapter in chapters:
        write_class(settings.root, chapter, folder / "submitted")
        grade_with_progress(demo_settings, chapter, sandbox=sandbox)
    console.print("\nThe stories behind the names: " + "; ".join(f"{story.student}: {story.does}" for story in CLASS) + ".", soft_wrap=True)
