"""Commands that build notebooks from the source: release, fresh, publish."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from autograder.cli.console import add_chapters, add_command, progress_bar, say, warn
from autograder.course.bank import answers_path, bank_folder, exercises_without_answers
from autograder.course.chapter import chosen_chapters, student_path
from autograder.course.errors import AutograderError
from autograder.course.settings import load_settings


def add(commands: Any) -> None:
    """Add the commands of this file to the parser."""
    about = "build student notebooks and executed solutions from source/"
    parser = add_command(commands, "release", about, _release)
    add_chapters(parser)
    again = "execute solutions again even where nothing changed"
    parser.add_argument("--force", action="store_true", help=again)
    about = "check that notebooks/ and solutions/ are what the source gives"
    add_command(commands, "fresh", about, lambda chosen: check_fresh(load_settings().root))
    about = "say how long the released chapters are: words of prose, lines of code, kB"
    add_chapters(add_command(commands, "length", about, _length))
    about = "write what students may see into a folder, for a public repository"
    where = "new, empty, or an earlier copy (a clone of it)"
    parser = add_command(commands, "publish", about, _publish, folder=where)
    add_chapters(parser)
    shown = "a built course site that goes along, into docs/, where GitHub Pages can serve it"
    parser.add_argument("--site", metavar="FOLDER", type=Path, help=shown)


def _release(chosen: Namespace) -> None:
    from autograder.build.release import release

    root = load_settings().root
    for chapter in chosen_chapters(root, chosen.chapters):
        missing = [
            answers_path(root, chapter.name, exercise.id).relative_to(root).as_posix()
            for exercise in exercises_without_answers(root, chapter)
        ]
        known = {answers_path(root, chapter.name, exercise.id) for exercise in chapter.exercises}
        for path in sorted({*(bank_folder(root) / chapter.name).glob("*.py")} - known):
            warn(f"{path}: answers to an exercise that {chapter.name} does not have; delete it")
        if missing:
            warn(
                f"{chapter.name}: the bank has no {', '.join(missing)}, so nothing proves that the "
                "checks there refuse wrong answers and accept right ones. The chapter is built all "
                f"the same; then write the answers and run 'python -m autograder quality "
                f"{chapter.name}' (CONTRIBUTING.md, 'A new exercise, step by step')."
            )
    with progress_bar() as bar:
        task = bar.add_task("")

        def progress(chapter: str, done: int, total: int) -> None:
            bar.update(task, description=chapter, completed=done, total=total or None)

        for built in release(root, chosen.chapters, chosen.force, progress):
            state = "executed" if built.executed else "outputs kept"
            files = f"{len(built.changed)} file(s) written" if built.changed else "unchanged"
            say(f"{built.chapter:24} {state:13} {files}", bar.console)


def _length(chosen: Namespace) -> None:
    from autograder.build.length import length

    root = load_settings().root
    say(f"{'':24}{'words':>8}{'open lines':>12}{'all lines':>11}{'kB':>6}")
    for chapter in chosen_chapters(root, chosen.chapters):
        words, open_lines, lines, kilobytes = length(student_path(root, chapter.name))
        say(f"{chapter.name:24}{words:8,d}{open_lines:12,d}{lines:11,d}{kilobytes:6d}")


def check_fresh(root: Path) -> None:
    """Say that the committed release is fresh. Raises AutograderError where it is not."""
    from autograder.build.fresh import stale_files

    stale = stale_files(root)
    if stale:
        raise AutograderError(
            f"{len(stale)} built file(s) are not what the source gives: "
            f"{', '.join(map(str, stale[:4]))}. Run 'make release' and commit."
        )
    say("The committed release is fresh.")


def _publish(chosen: Namespace) -> None:
    from autograder.build.publish import publish

    settings = load_settings()
    files = publish(settings, Path(chosen.folder), chosen.chapters, chosen.site)
    notebooks = sum(path.suffix == ".ipynb" for path in files)
    say(f"{chosen.folder}: {len(files)} file(s), {notebooks} of them notebooks; no line is secret")
    say(f"the notebooks' links lead to {settings.repository}: push the folder there")
    if chosen.site:
        say("and to its course site: there, in Settings, Pages, choose the folder /docs")
    elif not settings.address:
        say(f"and to the course site, {settings.site_url}: --site FOLDER brings one along")
