"""A notebook without cells: a row with the reason."""

PROBLEM = "no cells"

def change(notebook):
    notebook["cells"] = []
GROUP = "files that are no notebooks"
