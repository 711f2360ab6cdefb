"""A picture of a million spaces and a text of one endless word: both are read in a moment."""


def change(notebook):
    picture = {"output_type": "display_data", "metadata": {}, "data": {"image/png": " " * 1_000_000 + "!"}}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    code[0]["outputs"] = [picture] * 3
    note = {"cell_type": "markdown", "id": "endless", "metadata": {}, "source": "### Make it yours\n"}
    notebook["cells"] += [note, {**note, "id": "word", "source": "a" * 900_000}]


GROUP = "honest, oddly edited"
