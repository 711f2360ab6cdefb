"""The file is UTF-16: a row with the reason."""

import json

PROBLEM = "not UTF-8"

def change(notebook):
    return json.dumps(notebook).encode("utf-16")
GROUP = "files that are no notebooks"
