"""A cell of 5 MB: a row with the reason."""

PROBLEM = "characters"

def change(notebook):
    notebook["cells"][1]["source"] = "#" * 5_000_000
GROUP = "files that are no notebooks"
