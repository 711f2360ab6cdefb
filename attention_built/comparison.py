"""Is what was seen what was expected? Numbers agree within a tolerance; the first thing that
differs is put into words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Seen = dict[str, Any]
SAME = ""  # no difference
SHOWN = 4  # significant digits of a number in a message
UNBIDDEN = (
    "no input asks for gradients, but what came back does: was requires_grad_() called? Whether "
    "gradients are wanted is decided by the caller"
)
A_LOOP = "a loop over tokens: too many tensor operations"
TWO_MEET = "two devices meet: what you make must be on the device that is given"
ELSEWHERE = "what comes back is not on the device that is given: make it there"


class Names:
    """What arguments and results are called in messages: ``Names("q, k, v -> output, weights")``.

    secret: messages do not tell the numbers that are expected. dtypes: those of what is given.
    """

    def __init__(self, form: str = "", secret: bool = False, dtypes: Iterable[str] = ()) -> None:
        self.secret, self.dtypes = secret, [*dtypes]
        takes, _, gives = form.partition("->")
        self.takes, self.gives = ([n.strip() for n in side.split(",")] for side in (takes, gives))

    def input(self, number: int) -> str:
        """The name of an argument."""
        named = self.takes[0] and number < len(self.takes)
        return self.takes[number] if named else f"input {number + 1}"

    @property
    def count(self) -> int:
        """How many results are expected."""
        return len(self.gives)

    def result(self, number: int, count: int) -> str:
        """The name of one of ``count`` results."""
        if self.gives[0] and len(self.gives) == count:
            return self.gives[number]
        return "the result" if count == 1 else f"result {number + 1}"


def first_difference(wanted: Seen, seen: Seen, within: float, names: Names) -> tuple[str, str]:
    """The first look that is other than expected, and what differs, in words; both "" where nothing
    does.

    What was recorded of a long result is its beginning: so much of it is compared.
    """
    if "raised" in seen and "raised" not in wanted:
        said = seen.get("text", "")
        if said and seen["raised"] == "AssertionError":  # what was asked says what is wrong
            return "raised", said
        return "raised", f"it did not run. {seen['raised']}{said and f': {said}'}"
    for look in (name for name in ORDER if name in wanted):
        if look not in seen and look != "raised":
            return look, f"nothing can be said of {look}: too little came back"
        if look in EACH and len(wanted[look]) != len(seen[look]):
            count = f"{len(wanted[look])} results expected, of {len(seen[look])} came"
            return look, f"{look} of {count}"
        words = ORDER[look](wanted[look], seen.get(look), within, names)
        if words:
            return look, words
    return SAME, SAME


def difference(wanted: Seen, seen: Seen, within: float, names: Names) -> str:
    """What is other than expected, in words; "" where nothing is."""
    return first_difference(wanted, seen, within, names)[1]


def agree(wanted: Seen, seen: Seen, within: float) -> bool:
    """Whether what was seen is what was expected."""
    return not difference(wanted, seen, within, NAMELESS)


def near(wanted: Sequence[float], seen: Sequence[float], within: float) -> int | None:
    """The place of the first number that is too far off or missing, None where there is none."""
    for place, (one, other) in enumerate(zip(wanted, seen, strict=False)):
        if one == other or (math.isnan(one) and math.isnan(other)):
            continue
        if math.isinf(one) or not abs(one - other) <= within * max(1.0, abs(one)):
            return place
    return len(seen) if len(seen) < len(wanted) else None


def _raised(wanted: str, seen: str | None, within: float, names: Names) -> str:
    return SAME if wanted == seen else f"{wanted} should be raised, {seen or 'nothing'} was"


def _kinds(wanted: list[str], seen: list[str] | None, within: float, names: Names) -> str:
    if wanted == seen:
        return SAME
    given = ", ".join(names.gives) if names.gives[0] else ", ".join(wanted)
    return f"{given} should come back ({', '.join(wanted)}); got {', '.join(seen or ['nothing'])}"


def _shapes(wanted: list[Any], seen: list[Any], within: float, names: Names) -> str:
    for number, (one, other) in enumerate(zip(wanted, seen, strict=True)):
        if one != other:
            name = names.result(number, len(wanted))
            return f"{name}: shape {_shape(one)} expected, got {_shape(other)}"
    return SAME


def _shape(shape: list[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _dtype(wanted: list[str], seen: list[str], within: float, names: Names) -> str:
    for number, (one, other) in enumerate(zip(wanted, seen, strict=True)):
        if one != other:
            lost = ": the dtype of the input was lost" if names.dtypes == [one] else ""
            return f"{names.result(number, len(wanted))}: {one} expected, got {other}{lost}"
    return SAME


def _values(wanted: list[Any], seen: list[Any], within: float, names: Names) -> str:
    for number, (one, other) in enumerate(zip(wanted, seen, strict=True)):
        place = near(one, other, within)
        if place is not None:
            name = names.result(number, len(wanted))
            which = f"number {place + 1} of " if len(one) > 1 else ""
            if names.secret or place == len(other):
                return f"{which}{name} is not right"
            return f"{which}{name} should be {told_apart(one[place], other[place])}"
    return SAME


def told_apart(one: float, other: float) -> str:
    """Both numbers, with as many digits as tell them apart."""
    shown = next((n for n in range(SHOWN, 17) if f"{one:.{n}g}" != f"{other:.{n}g}"), 17)
    return f"{one:.{shown}g}, it is {other:.{shown}g}"


def _said(wanted: list[Any], seen: list[Any], within: float, names: Names) -> str:
    for one, other in zip(wanted, seen, strict=True):
        if one != other:
            return "this does not hold" if isinstance(one, bool) else f"{one} expected, got {other}"
    return SAME


def _changed(wanted: list[int], seen: list[int], within: float, names: Names) -> str:
    extra = [number for number in seen if number not in wanted]
    return f"{names.input(extra[0])} was changed in place: work on a copy" if extra else SAME


def _device(wanted: list[str], seen: list[str] | None, within: float, names: Names) -> str:
    if wanted == seen or None in (wanted, seen):  # "meta" cannot say
        return SAME
    return TWO_MEET if seen == ["two"] else ELSEWHERE


def _gradient(wanted: list[Any], seen: list[Any], within: float, names: Names) -> str:
    for number, (ones, others) in enumerate(zip(wanted, seen, strict=True)):
        through = names.result(number, len(wanted))
        for leaf, one in ones.items():
            name, other = names.input(int(leaf)) if leaf.isdigit() else leaf, others.get(leaf)
            if other is None and any(one or ()):
                return (
                    f"no gradient reaches {name} from {through}: something was detached on the way"
                )
            if other is not None and near(one or [0.0] * len(other), other, within) is not None:
                return f"the gradient of {name} through {through} is wrong"
    return SAME


def _parameters(wanted: dict[str, str], seen: dict[str, str], within: float, names: Names) -> str:
    for name in sorted({*wanted, *seen}):
        one, other = wanted.get(name), seen.get(name)
        if one and not other:
            return f"{name}, {one}, is missing: it learns {', '.join(seen) or 'nothing'}"
        if other and not one:
            return f"it learns one thing too many, {name}, {other}"
        if one != other:
            return f"{name}: {one} expected, got {other}"
    return SAME


EACH = {"shapes", "dtype", "said", "values", "gradient"}  # a list of what is seen in each result
ORDER: dict[str, Callable[[Any, Any, float, Names], str]] = {
    "raised": _raised,
    "parameters": _parameters,
    "kinds": _kinds,
    "shapes": _shapes,
    "dtype": _dtype,
    "said": _said,
    "values": _values,
    "changed": _changed,
    "learns": lambda wanted, seen, *_: UNBIDDEN if seen > wanted else SAME,
    "operations": lambda wanted, seen, *_: A_LOOP if seen > wanted else SAME,
    "device": _device,
    "gradient": _gradient,
}
NAMELESS = Names()
