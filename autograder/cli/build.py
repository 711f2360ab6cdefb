"""Commands that build notebooks from the source: release, fresh."""

import argparse
from pathlib import Path
from typing import Any

from autograder.cli.console import ReleaseProgress, progress_bar, say, warn
from autograder.course.errors import AutograderError


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    parser = commands.add_parser(
        "release", help="build student notebooks and executed solutions from source/"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.add_argument(
        "--force", action="store_true", help="execute solutions again even where nothing changed"
    )
    parser.set_defaults(run=_release)
    parser = commands.add_parser(
        "fresh", help="check that notebooks/ and solutions/ are what the source gives"
    )
    parser.set_defaults(run=_fresh)
    parser = commands.add_parser(
        "publish", help="write what students may see into a folder, for a public repository"
    )
    parser.add_argument("folder", help="new, empty, or an earlier copy (a clone of it)")
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.set_defaults(run=_publish)


def _release(chosen: argparse.Namespace) -> None:
    from autograder.build.release import release
    from autograder.course.bank import answers_path, exercises_without_answers
    from autograder.course.chapter import chosen_chapters
    from autograder.course.settings import load_settings

    root = load_settings().root
    for chapter in chosen_chapters(root, chosen.chapters):
        missing = [
            answers_path(root, chapter.name, exercise.id).relative_to(root).as_posix()
            for exercise in exercises_without_answers(root, chapter)
        ]
        if missing:
            warn(
                f"{chapter.name}: the bank has no {', '.join(missing)}, so nothing proves that the "
                "checks there refuse wrong answers and accept right ones. The chapter is built all "
                f"the same; then write the answers and run 'python -m autograder quality "
                f"{chapter.name}' (CONTRIBUTING.md, 'A new exercise, step by step')."
            )
    with progress_bar() as bar:
        for built in release(root, chosen.chapters, chosen.force, ReleaseProgress(bar)):
            state = "executed" if built.executed else "outputs kept"
            files = f"{len(built.changed)} file(s) written" if built.changed else "unchanged"
            say(f"{built.chapter:24} {state:13} {files}", bar.console)


def _fresh(chosen: argparse.Namespace) -> None:
    from autograder.build.fresh import stale_files
    from autograder.course.settings import load_settings

    stale = stale_files(load_settings().root)
    if stale:
        raise AutograderError(
            f"{len(stale)} built file(s) are not what the source gives: "
            f"{', '.join(map(str, stale[:4]))}. "
            "Run 'make release' and commit."
        )
    say("The committed release is fresh.")


def _publish(chosen: argparse.Namespace) -> None:
    from autograder.build.publish import publish
    from autograder.course.settings import load_settings

    settings = load_settings()
    files = publish(settings, Path(chosen.folder), chosen.chapters)
    notebooks = sum(path.suffix == ".ipynb" for path in files)
    say(f"{chosen.folder}: {len(files)} file(s), {notebooks} of them notebooks; no line is secret")
    say(f"the notebooks' links lead to {settings.repository}: push the folder there")
