"""Lone surrogates, zero bytes and odd line ends in cells: the cell with them is an error, the others count."""

EXPECT = {"double": "error"}

def change(notebook):
    next(cell for cell in notebook["cells"] if cell["id"] == "ch01_double")["source"] = "\ud800 = '\x00'\r\n"
GROUP = "honest, oddly edited"
