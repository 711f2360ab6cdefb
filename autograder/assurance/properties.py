"""What hidden tests ask, and the sentence of the exercise that says so.

A hidden block begins with ``# Property: keeps the dtype of its input [dtype]``. The exercise's
Markdown, from its heading to its solution cell, carries the id at the sentence that states it: ``…
in the dtype of its input <!-- asks: dtype -->``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.course.model import Chapter, Exercise
from autograder.course.regions import HIDDEN, regions

PROPERTY = re.compile(r"\s*# Property: (?P<words>.+?)(?: *\[(?P<id>[\w-]+)\])?\s*$")
ASKS = re.compile(r"<!-- asks: (?P<ids>[\w, -]+?) -->")
SENTENCE_BEGINS = re.compile(r"(?<=[.!?:;])\s+|\n\s*\n|\n(?=[#*-] )")


@dataclass(frozen=True)
class Property:
    """What one hidden block tests, and where the student can read it."""

    exercise: str  # grade_id of the solution cell
    words: str
    id: str  # "" where the block names none
    sentence: str = ""  # of the exercise's text; "" where none carries the id


@dataclass(frozen=True)
class Stated:
    """The properties of a chapter, and what is wrong with them, a line each."""

    properties: tuple[Property, ...]
    faults: tuple[str, ...]


def stated_properties(chapter: Chapter) -> Stated:
    """The properties of every exercise of a chapter, each with the sentence that states it."""
    properties: list[Property] = []
    faults: list[str] = []
    for exercise in chapter.exercises:
        sentences = dict(_sentences(exercise_text(chapter, exercise)))
        hidden = _hidden(exercise)
        own = [Property(exercise.id, said, id_, sentences.get(id_, "")) for said, id_ in hidden]
        properties += own
        faults += _faults(exercise.id, own, set(sentences))
    return Stated(tuple(properties), tuple(faults))


def exercise_text(chapter: Chapter, exercise: Exercise) -> str:
    """The Markdown of an exercise, from the cell with its heading to its solution cell."""
    above = chapter.cells[: chapter.cells.index(exercise.solution)]
    texts: list[str] = []
    for cell in reversed(above):
        if cell.kind == "markdown":
            texts.insert(0, cell.source)
            if "### Exercise" in cell.source:
                break
    return "\n\n".join(texts)


def _hidden(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """(words, id) of each property in the hidden tests of an exercise."""
    for check in exercise.checks:
        for line, region, _ in regions(check.source):
            found = PROPERTY.match(line) if region == HIDDEN else None
            if found:
                yield found["words"], found["id"] or ""


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """(id, the words in front of its comment) of each id that a text carries."""
    begin = 0
    for found in ASKS.finditer(text):
        before = SENTENCE_BEGINS.split(text[begin : found.start()])[-1]
        begin = found.end()
        for name in found["ids"].split(","):
            yield name.strip(), " ".join(before.split()).strip(",;. ")


def _faults(exercise_id: str, properties: list[Property], asked: set[str]) -> list[str]:
    ids = [one.id for one in properties]
    faults = []
    for one in properties:
        if not one.id:
            faults.append(f"no id: {one.words}")
        elif one.id not in asked:
            faults.append(f"no sentence of the exercise asks for [{one.id}]: {one.words}")
    twice = sorted({name for name in ids if name and ids.count(name) > 1})
    faults += [f"[{name}] names more than one property" for name in twice]
    untested = sorted(asked - set(ids))
    faults += [f"the exercise asks for [{name}], which no hidden block tests" for name in untested]
    return [f"{exercise_id}: {fault}" for fault in faults]
