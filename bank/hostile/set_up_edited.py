"""Honest: one line that was put into the set-up cell cannot run here, so the release's own text runs after it."""

LINE = 'open("/content/drive/words.txt")'


def change(notebook):
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    first, _, rest = cell["source"].partition("\n")
    cell["source"] = f"{first}\n{LINE}\n{rest}"


REPAIR = "the release's own text was run after it"
EXPECT = {}
GROUP = "honest, oddly edited"
