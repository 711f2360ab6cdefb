"""A notebook of format 3: a row with the reason."""

PROBLEM = "nbformat"

def change(notebook):
    notebook["nbformat"] = 3
GROUP = "files that are no notebooks"
