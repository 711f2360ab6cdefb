"""Honest: the file is UTF-16, as an editor on Windows may save it: it is read."""

import json

REPAIR = "UTF-16"
EXPECT = {}


def change(notebook):
    return json.dumps(notebook).encode("utf-16")


GROUP = "honest, oddly edited"
