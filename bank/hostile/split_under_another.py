"""Honest: an editor split the cell of the second exercise; the rest goes back to it and not to another one."""


def change(notebook):
    cells = notebook["cells"]
    for name, line in (("ch01_weights", "    return shifted / shifted.sum(-1, keepdim=True)"), ("ch01_double", "    return y")):
        place = next(i for i, cell in enumerate(cells) if cell["id"] == name)
        own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
        cells.insert(place + 1, {**own, "id": f"rest-of-{name}", "source": line})
    for cell in cells:
        if cell["id"] == "ch01_weights":
            cell["source"] = "def weights(scores):\n    shifted = (scores - scores.amax(-1, keepdim=True)).exp()"
        if cell["id"] == "ch01_double":
            cell["source"] = "def double(x):\n    y = 2 * x"


EXPECT = {}
TRIAL_ONLY = True
GROUP = "honest, oddly edited"
