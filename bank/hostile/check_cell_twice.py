"""A check cell stands twice: the notebook is graded as if it stood once."""

def change(notebook):
    cells = notebook["cells"]
    check = next(cell for cell in cells if cell["id"] == "ch01_double_check")
    cells.insert(cells.index(check), dict(check))
GROUP = "honest, oddly edited"
