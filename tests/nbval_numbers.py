"""A plugin for nbval (``-p tests.nbval_numbers``): numbers of tagged cells may shift a little
between machines.

A cell tagged ``tolerance-0.05`` passes where each number that it prints differs from the committed
one by at most 0.05 or 5 %, whichever is larger. All other text, and every cell without such a tag,
is compared letter for letter.
"""

import math
import re
from functools import partial

TAG = re.compile(r"tolerance-(?P<size>\d*\.?\d+)$")
# a number with the spaces before it, by which columns are aligned; not a digit of a name, as in
# float32
NUMBER = re.compile(r"( *)(?<![\w.])([-+−]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf\b|nan\b))(?![\w])")


def pytest_collection_modifyitems(items):
    for item in items:
        tolerance = tolerance_of(getattr(item, "cell", None))
        if tolerance:
            item.compare_outputs = partial(compare_outputs, item.compare_outputs, tolerance)


def tolerance_of(cell):
    """The tolerance that a notebook's cell is tagged with; 0 where it has no such tag."""
    tags = cell.metadata.get("tags", ()) if cell is not None else ()
    return max((float(found["size"]) for tag in tags if (found := TAG.match(tag))), default=0.0)


def compare_outputs(strictly, tolerance, test, reference, skip_compare=None):
    """nbval's own comparison, in which texts that agree within the tolerance count as the same."""
    if len(test) == len(reference):
        for made, committed in zip(test, reference, strict=True):
            _take_over(made, committed, tolerance)
            _take_over(made.get("data", {}), committed.get("data", {}), tolerance)
    return strictly(test, reference, skip_compare)


def agree(made, committed, tolerance):
    """Whether two texts are the same but for numbers that differ by no more than the tolerance."""
    ours, theirs = NUMBER.split(made), NUMBER.split(committed)
    if len(ours) != len(theirs) or ours[::3] != theirs[::3]:
        return False
    numbers = zip(ours[1::3], ours[2::3], theirs[1::3], theirs[2::3], strict=True)
    return all(
        _close(_value(one), _value(other), tolerance)
        and (spaces == others or len(spaces + one) == len(others + other))
        for spaces, one, others, other in numbers
    )


def _take_over(made, committed, tolerance):
    """Put the committed text in the place of one that agrees with it."""
    for key, text in committed.items():
        if isinstance(text, str) and isinstance(made.get(key), str):
            if agree(made[key], text, tolerance):
                made[key] = text


def _value(number):
    return float(number.replace("−", "-"))


def _close(one, other, tolerance):
    if not (math.isfinite(one) and math.isfinite(other)):
        return repr(one) == repr(other)
    return math.isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
