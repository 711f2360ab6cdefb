"""The command that makes, and is, a Gradescope autograder: gradescope pack, gradescope run."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from autograder.cli.console import chosen_chapter, say
from autograder.course.errors import AutograderError, SandboxError


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser(
        "gradescope", help="pack the grader as a Gradescope autograder, or run as one"
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="pack|run")
    packing = actions.add_parser("pack", help="write the zip that Gradescope asks for")
    packing.add_argument("chapter")
    packing.add_argument(
        "--output", metavar="ZIP", help="default: marks/<chapter>-gradescope-autograder.zip"
    )
    packing.set_defaults(run=_pack)
    running = actions.add_parser("run", help="grade one submission inside Gradescope's container")
    running.add_argument("chapter")
    running.add_argument("submission")
    running.add_argument("results")
    running.set_defaults(run=_run)


def _pack(chosen: Namespace) -> None:
    from autograder.classroom.results.gradescope import autograder_zip
    from autograder.course.files import write

    settings, chapter = chosen_chapter(chosen)
    default = settings.root / settings.marks / f"{chapter.name}-gradescope-autograder.zip"
    target = Path(chosen.output or default)
    write(target, autograder_zip(settings.root, chapter))
    say(f"upload this under Configure Autograder: {target}")


def _run(chosen: Namespace) -> None:
    from autograder.classroom.results.gradescope import grade_folder, problem_json
    from autograder.course.files import write
    from autograder.grading import Engine
    from autograder.grading.host.other_user import LOST, STUDENT, close_off
    from autograder.grading.parents import Parents

    settings, chapter = chosen_chapter(chosen)
    root = settings.root
    results = Path(chosen.results)
    try:
        try:
            with Engine(root) as engine:
                text = grade_folder(chapter, chosen.submission, engine)
        except SandboxError as refused:
            say(f"no sandbox here: {refused}")  # instructors alone see what is printed
            close_off([root / "source", results.resolve().parent])
            with Engine(parents=Parents(root, sandbox=False, user=STUDENT)) as engine:
                text = grade_folder(chapter, chosen.submission, engine, LOST)
    except AutograderError as error:
        say(f"error: {error}")
        text = problem_json("The grader could not run. Your work is safe: tell your instructor.")
    write(results, text.encode())
