"""An answer cell was turned into Markdown: it is code again."""

def change(notebook):
    next(cell for cell in notebook["cells"] if cell["id"] == "ch01_double")["cell_type"] = "markdown"
GROUP = "honest, oddly edited"
