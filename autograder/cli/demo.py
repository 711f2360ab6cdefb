"""The command that shows all in two minutes: a class's work as Canvas exports it, collected,
graded, and marks that Canvas takes back in.
"""

import shutil
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.assurance.sample_class import CLASS, canvas_gradebook, canvas_zip, roster_csv
from autograder.classroom.collect.collecting import collect
from autograder.classroom.late import parse_policy
from autograder.classroom.paths import class_page_path, collected_path
from autograder.cli.build import check_fresh
from autograder.cli.collect import show_collected
from autograder.cli.console import add_chapters, add_command, say, warn
from autograder.cli.grade import Workplace, grade_with_progress
from autograder.cli.sandbox_setup import (
    docker_works,
    install_bubblewrap,
    run_in_containers,
    sandbox_error,
)
from autograder.course.chapter import chosen_chapters
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings, load_settings

CHAPTERS = 2


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    about = "grade a bundled sample class and show the results"
    parser = add_command(commands, "demo", about, _demo)
    add_chapters(parser, "the first two")
    parser.add_argument("--no-sandbox", action="store_true", help="where bubblewrap cannot be had")


def _demo(chosen: Namespace) -> int:
    """Run the demo in the folder demo/, which is made anew."""
    settings = load_settings()
    try:
        check_fresh(settings.root)
    except AutograderError as error:  # what is graded is another file
        warn(f"note: {error}")
    missing = "" if chosen.no_sandbox else _what_is_missing(settings.root)
    if missing and docker_works(settings.root):
        say("The class is graded in containers of docs/cluster/compose.yaml.")
        return run_in_containers(settings.root, ["demo", *chosen.chapters])
    if missing:
        warn(f"note: {missing} The sample class is our own code: it is graded without the sandbox.")
    sandbox = not chosen.no_sandbox and not missing
    folder = settings.root / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    settings = replace(
        settings,
        db_url=f"sqlite:///{folder / 'gradebook.db'}",
        submitted="demo/submitted",
        feedback="demo/feedback",
        marks="demo/marks",
        people="demo/people.csv",
        autograded="demo/autograded",
    )
    chapters = chosen_chapters(settings.root, chosen.chapters)
    chapters = chapters[: len(chosen.chapters) or CHAPTERS]
    write(folder / "roster.csv", roster_csv().encode())
    write(folder / "Grades.csv", canvas_gradebook(chapters).encode())
    for chapter in chapters:
        _show_chapter(settings, chapter, folder, sandbox)
    stories = "; ".join(f"{story.student}: {story.does}" for story in CLASS)
    say(f"The stories behind the names: {stories}.")
    return 0


def _what_is_missing(root: Path) -> str:
    """Why the class cannot be sealed, after bubblewrap was offered; empty where it can."""
    said = sandbox_error()
    return sandbox_error() if said and install_bubblewrap(root) else said


def _show_chapter(settings: Settings, chapter: Chapter, folder: Path, sandbox: bool) -> None:
    """Collect, grade and export one chapter of the sample class."""
    from autograder.classroom.results.export import export
    from autograder.classroom.results.gradebook import read_marks

    submissions, roster = folder / f"{chapter.name}-submissions.zip", folder / "roster.csv"
    write(submissions, canvas_zip(settings.root, chapter))
    found = collect(settings, submissions, "canvas", roster)
    found.write()
    show_collected(found)
    say(f"report    {collected_path(settings)}")
    grade_with_progress(settings, chapter, Workplace(sandbox))
    exported = export(
        chapter,
        "canvas",
        read_marks(settings, chapter, parse_policy("10%")),
        folder / f"{chapter.name}-for-canvas.csv",
        folder / "Grades.csv",
        roster,
    )
    exported.write()
    say(f"report    {class_page_path(settings, chapter.name)}")
    say(f"Canvas    {exported.path}  (10% off per day late)\n")
