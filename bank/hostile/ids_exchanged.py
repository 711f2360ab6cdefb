"""The ids of two answer cells are exchanged: each is found by what it defines."""

def change(notebook):
    one, two = [cell for cell in notebook["cells"] if cell["id"] in ("ch01_double", "ch01_weights")]
    one["id"], two["id"] = two["id"], one["id"]
    one["metadata"], two["metadata"] = two["metadata"], one["metadata"]
GROUP = "honest, oddly edited"
