"""A cell of its own redefines what exercises defined: what stands at the check counts."""

EXPECT = {"is_linear": "wrong"}

def change(notebook):
    place = next(i for i, cell in enumerate(notebook["cells"]) if cell["id"] == "ch01_is_linear")
    notebook["cells"].insert(place + 1, {"cell_type": "code", "id": "extra", "metadata": {}, "outputs": [], "execution_count": None,
                                         "source": "is_linear = lambda function: True\ndouble = None"})
GROUP = "marks without work"
