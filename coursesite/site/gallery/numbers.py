"""What answers of the bank compute, as numbers: the mistake that is shown, what is right, and what
each other mistake would have given.

The answers are the repository's own code and run in this process.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from autograder.course.bank import Answer
from autograder.course.errors import SourceError
from coursesite.site.gallery.entries import Entry, Guess

SEEN = 0.04  # of the largest number in the picture: what two pictures must differ by somewhere


@dataclass(frozen=True)
class Numbers:
    """What is drawn of one entry: arrays of one shape, (rows, columns) or (values,)."""

    right: np.ndarray
    made: np.ndarray
    others: tuple[np.ndarray, ...]  # in the order of the entry's others


def numbers_of(entry: Entry) -> Numbers:
    """Run the entry's answers.

    Raises SourceError, one line, where one cannot be run or drawn, and where what is to be told
    apart looks the same: a mistake beside the right numbers, or two mistakes.
    """
    right, made = computed(entry, entry.right), computed(entry, entry.made.answer)
    others = tuple(computed(entry, one.answer) for one in entry.others)
    named = [("the right answer", right), (entry.made.answer.name, made)]
    named += [(one.answer.name, found) for one, found in zip(entry.others, others, strict=True)]
    for place, (name, one) in enumerate(named):
        for other_name, other in named[:place]:
            if not differ(one, other):
                raise SourceError(
                    f"the gallery's {entry.key}: expected pictures that differ; {name} and "
                    f"{other_name} give the same numbers for {entry.call}. Choose another call or "
                    "another mistake."
                )
    return Numbers(right, made, others)


def computed(entry: Entry, answer: Answer) -> np.ndarray:
    """What the entry's call gives with one answer: float64, (rows, columns) or (values,)."""
    names: dict[str, object] = {"__name__": "answer", "torch": torch, "nn": nn, "F": F}
    names["math"] = math
    torch.manual_seed(0)
    try:
        exec(entry.given, names)
        exec(answer.text, names)
        with torch.no_grad():
            found = np.asarray(torch.as_tensor(eval(entry.call, names)).double())
    except Exception as error:  # whatever the code of an answer or an entry does
        raise SourceError(
            f"the gallery's {entry.key}: {answer.name} could not be run for {entry.call}: "
            f"{type(error).__name__}: {' '.join(str(error).split())[:160]}."
        ) from error
    if found.ndim not in ((2,) if entry.draw == "matrix" else (1,)) or not found.size:
        raise SourceError(
            f"the gallery's {entry.key}: expected numbers for {entry.draw!r}; {answer.name} gives "
            f"the shape {found.shape} for {entry.call}."
        )
    return found


def differ(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays differ so that it can be seen in a picture."""
    if one.shape != other.shape:
        return True
    return bool(_apart(one, other).max() >= SEEN * _scale(one, other))


def _apart(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far apart each pair of numbers is; one that is a number in one array only: far."""
    apart = np.abs(np.nan_to_num(one) - np.nan_to_num(other))
    return np.where(np.isfinite(one) == np.isfinite(other), apart, 2 * _scale(one, other))


def _scale(one: np.ndarray, other: np.ndarray) -> float:
    both = np.abs(np.concatenate([one.ravel(), other.ravel()]))
    return float(max(both[np.isfinite(both)], default=1.0)) or 1.0


def refuted(entry: Entry, guess: Guess, numbers: Numbers) -> str:
    """Why the picture is not of another mistake: what the file says, or the number that it would
    change most.
    """
    if guess.because:
        return guess.because
    other = numbers.others[entry.others.index(guess)]
    if other.shape != numbers.made.shape:
        return f"That gives {_size(other)}; here there are {_size(numbers.made)}."
    place = tuple(map(int, np.unravel_index(_apart(other, numbers.made).argmax(), other.shape)))
    return (
        f"Then {number(other[place])} would stand at {_where(entry, place)}; "
        f"here it is {number(numbers.made[place])}."
    )


def _size(array: np.ndarray) -> str:
    return " × ".join(map(str, array.shape)) + " numbers"


def _where(entry: Entry, place: tuple[int, ...]) -> str:
    if len(place) == 1:
        at = f"{entry.at[place[0]]:g}" if entry.at else str(place[0])
        return f"{entry.columns or 'place'} {at}"
    row, column = (entry.names[one] if entry.names else str(one) for one in place)
    return f"{entry.rows or 'row'} {row}, {entry.columns or 'column'} {column}"


def number(value: float) -> str:
    """A number as pictures and texts show it: whole ones whole, others with two decimals."""
    if not np.isfinite(value):
        return "NaN" if np.isnan(value) else "∞" if value > 0 else "−∞"
    text = f"{value:.0f}" if float(value).is_integer() else f"{value:.2f}"
    return "0" if text in ("-0", "-0.00", "0.00") else text.replace("-", "−")
