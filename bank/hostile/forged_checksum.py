"""Nothing solved, forged checksums on every cell: nothing is earned."""

SOLVED = False

def change(notebook):
    for cell in notebook["cells"]:
        cell["metadata"].setdefault("nbgrader", {})["checksum"] = "d41d8cd98f00b204e9800998ecf8427e"
GROUP = "honest, oddly edited"
