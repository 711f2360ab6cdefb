"""``python -m autograder properties``: what hidden tests ask, and the sentence of the exercise that
says so.
"""

import argparse
from typing import Any

from autograder.cli.console import say


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "properties", help="list what hidden tests ask and where the exercise says so"
    )
    parser.add_argument("chapters", nargs="*", metavar="chapter", help="as ch02; default: all")
    parser.set_defaults(run=run)


def run(chosen: argparse.Namespace) -> int:
    """Print every property with its sentence, then what is wrong; 1 where something is."""
    from autograder.assurance.properties import stated_properties
    from autograder.course.chapter import chosen_chapters
    from autograder.course.settings import load_settings

    faults = 0
    for chapter in chosen_chapters(load_settings().root, chosen.chapters):
        stated = stated_properties(chapter)
        say(f"{chapter.name}: {len(stated.properties)} properties, {len(stated.faults)} faults")
        exercise = ""
        for one in stated.properties:
            if one.exercise != exercise:
                exercise = one.exercise
                say(f"  {exercise}")
            say(f"    [{one.id or '?'}] {one.words}")
            say(f"        {one.sentence or 'NOT STATED'}")
        for fault in stated.faults:
            say(f"  fault: {fault}")
        faults += len(stated.faults)
    return 1 if faults else 0
