"""One answer cell deleted: that exercise is missing, the others count."""

EXPECT = {"double": "missing"}

def change(notebook):
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["id"] != "ch01_double"]
GROUP = "marks without work"
