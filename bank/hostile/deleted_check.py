"""All checks deleted: they come from the source."""

def change(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if "_check" not in cell["id"]]
GROUP = "honest, oddly edited"
