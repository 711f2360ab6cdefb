"""What students wrote for the open task at a chapter's end ("Make it yours"), for the instructor to
read without knowing who wrote it: student ids are taken out of the texts, as grading took out mail
addresses, and their order says nothing about the students.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from autograder.grading.shown import SOMEONE

LONGEST = 4_000  # characters of one text that are shown


@dataclass(frozen=True)
class OpenAnswer:
    """One text that students wrote for the open task, and how many of them wrote it."""

    text: str
    students: int


def open_answers(texts: Iterable[str], students: Collection[str]) -> list[OpenAnswer]:
    """The texts of a class, equal ones once, in an order that comes from the texts alone.

    students: all ids that must not stand in a text.
    """
    names = sorted(map(re.escape, students), key=len, reverse=True)
    either = "|".join(names) or "(?!)"
    known = re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)
    counts: Counter[str] = Counter()
    for text in filter(None, texts):
        clean = known.sub(SOMEONE, text)
        if len(clean) > LONGEST:
            clean = f"{clean[:LONGEST]}\n… ({len(clean) - LONGEST:,} characters more)"
        counts[clean] += 1
    order = sorted(counts, key=lambda text: hashlib.sha256(text.encode()).digest())
    return [OpenAnswer(text, counts[text]) for text in order]
