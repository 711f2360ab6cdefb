"""The running sentence of the course and its vectors, read from the cell of chapter 1 that
introduces them.
"""

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course.chapter import find_chapter
from autograder.course.errors import SourceError


@dataclass(frozen=True)
class RunningExample:
    """A sentence with a vector for each word: ``tokens`` and ``x`` of chapter 1."""

    words: tuple[str, ...]
    vectors: tuple[tuple[float, ...], ...]

    @property
    def sentence(self) -> str:
        return " ".join(self.words)

    @property
    def embeddings(self) -> dict[str, list[float]]:
        """{word in small letters: its vector}."""
        return {word.lower(): list(row) for word, row in zip(self.words, self.vectors, strict=True)}


@cache
def running_example(root: Path) -> RunningExample:
    """The RunningExample of a course. Raises SourceError where chapter 1 defines no ``tokens`` or
    ``x`` by literals.
    """
    chapter = find_chapter(root, "ch01")
    known = chapter.definitions
    try:
        words = _list(known["tokens"])
        vectors = _list(known["x"])
    except (KeyError, ValueError, StopIteration) as error:
        raise SourceError(
            f"{chapter.path}: expected a cell with the lists of 'tokens' and 'x' (a tensor); "
            f"found {error}."
        ) from error
    return RunningExample(tuple(words), tuple(tuple(row) for row in vectors))


def _list(assignment: str) -> list:
    """The first list that an assignment holds, itself or as an argument of a call."""
    found = next(node for node in ast.walk(ast.parse(assignment)) if isinstance(node, ast.List))
    return ast.literal_eval(found)
