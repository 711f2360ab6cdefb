"""An answer cell stands twice, once untouched: the one that was worked on counts."""

def change(notebook):
    cells = notebook["cells"]
    answer = next(cell for cell in cells if cell["id"] == "ch01_double")
    cells.insert(cells.index(answer) + 1, {**answer, "source": "def double(x):\n    \"\"\"Twice x.\"\"\"\n    # YOUR CODE HERE\n    raise NotImplementedError()"})
GROUP = "honest, oddly edited"
