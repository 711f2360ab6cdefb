"""Honest: the set-up cell asks for a name and loads an extension that is absent, so the release's own text runs after it."""


def change(notebook):
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    first, _, rest = cell["source"].partition("\n")
    asks = "name = input()\n%load_ext absent_extension\n%matplotlib widget"
    cell["source"] = f"{first}\n{asks}\n{rest}"


REPAIR = "the release's own text was run after it"
EXPECT = {}
GROUP = "honest, oddly edited"
