"""The cells stand in reverse order: they are put in order and graded."""

def change(notebook):
    notebook["cells"].reverse()
GROUP = "honest, oddly edited"
