"""A file of 70 MB: a row with the reason."""

PROBLEM = "at most"

def change(notebook):
    return b" " * 70_000_000
GROUP = "files that are no notebooks"
