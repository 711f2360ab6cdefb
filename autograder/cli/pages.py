"""``python -m autograder pages``: the interactive pages, and the numbers and models of the chapters
that they start from.
"""

from typing import Any

from autograder.cli.console import say
from autograder.course.errors import AutograderError


def add(commands: Any) -> None:
    """Add the command of this file to the parser."""
    parser = commands.add_parser(
        "pages", help="build the interactive pages from site/interactive/ and the chapters"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch07; default: all")
    parser.add_argument(
        "--check", action="store_true", help="say what is not what the sources give; write nothing"
    )
    parser.add_argument(
        "--models",
        action="store_true",
        help="first train the models of chapters 7, 8 and 9 (minutes); with --check: examine them",
    )
    parser.add_argument(
        "--no-cues", action="store_true", help="leave cues.json, which needs a browser, as it is"
    )
    parser.set_defaults(run=_pages)


def _pages(chosen):
    """Write models, fixtures, pages and cues in this order. Raises AutograderError where something
    is stale.
    """
    from autograder.course.settings import load_settings
    from autograder.pages.build import build_pages
    from autograder.pages.cues import write_cues
    from autograder.pages.fixtures import write_fixtures
    from autograder.pages.models import train_models

    root = load_settings().root
    if chosen.models:
        for name in train_models(root, chosen.chapters, chosen.check, _show_exam):
            say(f"trained: {name}")
    changed = write_fixtures(root, chosen.chapters, chosen.check)
    changed += [f"pages/{name}" for name in build_pages(root, chosen.check)]
    if not chosen.no_cues and write_cues(root, chosen.check):
        changed.append("cues.json")
    for name in changed:
        say(f"{'stale' if chosen.check else 'wrote'}: {name}")
    if chosen.check and changed:
        raise AutograderError(
            "site/interactive is not what its sources give. "
            "Run 'python -m autograder pages' and commit."
        )


def _show_exam(name, exam):
    say(f"{name}: {exam.question}: {exam.measured:.4g}")
