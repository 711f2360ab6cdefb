"""Cells that make Python's parser recurse without end: errors there, the other cells count."""

ANSWERS = {
    "ch01_double": "x = " + "-" * 60_000 + "1",
    "ch01_weights": "(" * 50_000 + ")" * 50_000,
    "ch01_is_linear": "x" + ".a" * 20_000,
}
EXPECT = dict.fromkeys(("double", "weights", "weights_values", "is_linear"), ("error", "process died", "out of memory", "time-out"))
GROUP = "files that are no notebooks"
