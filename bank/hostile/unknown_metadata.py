"""Cells say that they are locked, hidden, worth a hundred points, of another schema: only the source counts."""

def change(notebook):
    for cell in notebook["cells"]:
        cell["metadata"].setdefault("nbgrader", {}).update(points=100, locked=False, schema_version=99, task=True)
        cell["metadata"].update(tags=["show", "solution"], editable=False, trusted=True)
GROUP = "honest, oddly edited"
