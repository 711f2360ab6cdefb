"""Honest: %%writefile, then an import of what was written."""


def change(notebook):
    cells = notebook["cells"]
    place = next(i for i, cell in enumerate(cells) if cell["id"] == "ch01_double")
    own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells.insert(place, {**own, "id": "own", "source": "%%writefile helpers.py\ndef twice(x):\n    return 2 * x\n"})
    cells[place + 1]["source"] = "from helpers import twice\ndef double(x):\n    return twice(x)\n"


EXPECT = {}
TRIAL_ONLY = True
GROUP = "honest, oddly edited"
