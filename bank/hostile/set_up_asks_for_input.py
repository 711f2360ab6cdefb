"""Honest: the set-up cell asks for a name and loads an extension that is absent, so the release's own text runs after it."""


def change(notebook):
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["source"] = (
        "name = input()\n%load_ext absent_extension\n%matplotlib widget\n" + cell["source"]
    )


REPAIR = "the release's own text was run after it"
EXPECT = {}
GROUP = "honest, oddly edited"
