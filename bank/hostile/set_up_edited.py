"""Honest: one line on top of the set-up cell cannot run here, so the release's own text runs after it."""

LINES = '''from google.colab import drive
'''


def change(notebook):
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["source"] = LINES + cell["source"]


REPAIR = "the release's own text was run after it"
EXPECT = {}
GROUP = "honest, oddly edited"
