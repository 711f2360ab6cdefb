"""Cells are numbers, texts and objects without text: a row with the reason."""

PROBLEM = "cell 1"

def change(notebook):
    notebook["cells"] = [1, "two", None, {"source": 5}]
GROUP = "files that are no notebooks"
