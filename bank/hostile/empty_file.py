"""The file is empty: a row with the reason."""

PROBLEM = "empty"

def change(notebook):
    return b""
GROUP = "files that are no notebooks"
