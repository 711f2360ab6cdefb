"""Copies of checks, emptied, inside an answer and in a cell that looks like the build's own: every test is still run."""

FIRST = '"""Exercise 1.1: double gives twice its input."""'
LAST = '"""Exercise 1.4: linear functions are told from others."""'
EXPECT = {"double": "wrong"}


def change(notebook):
    cells = notebook["cells"]
    for cell in cells:
        if cell["id"] == "ch01_double":
            cell["source"] = f"def double(x):\n    return x\n\n\n{FIRST}\n"
    own = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells.insert(1, {**own, "id": "one", "source": f"{LAST}\ndouble = None"})
    cells.append({**own, "id": "two", "source": "def status():\n    double = None\n\nstatus()"})


TRIAL_ONLY = True
GROUP = "marks without work"
