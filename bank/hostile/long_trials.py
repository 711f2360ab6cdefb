"""Honest: cells of the student's own that only try something use up much time; the exercises below keep theirs."""


def change(notebook):
    cells = notebook["cells"]
    place = next(i for i, cell in enumerate(cells) if cell["id"] == "ch01_double")
    own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    text = "import time\nfor _ in range(30):\n    time.sleep(0.1)\n"
    for number in range(6):
        cells.insert(place, {**own, "id": f"own-{number}", "source": text})


LIMITS = {"notebook_seconds": 12, "trial_seconds": 8}
REPAIR = "the time for trials was used up"
EXPECT = {}
GROUP = "honest, oddly edited"
