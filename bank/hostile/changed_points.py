"""Nothing solved, one check is worth a hundred points now: nothing is earned, nothing more can be."""

SOLVED = False

def change(notebook):
    next(cell for cell in notebook["cells"] if cell["id"] == "ch01_double_check")["metadata"]["nbgrader"]["points"] = 100
GROUP = "honest, oddly edited"
