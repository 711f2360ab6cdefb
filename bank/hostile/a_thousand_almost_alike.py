"""A thousand cells that almost look like those of the release, to keep the matching busy: it comes to an end."""

PROBLEM_OR_PASS = "takes more time or memory"

def change(notebook):
    text = "".join(f"variable_number_{n} = {n}\n" for n in range(600))
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in notebook["cells"]:
        cell["id"] = cell["id"][::-1]
        cell["metadata"] = {}
    notebook["cells"] += [{"cell_type": "code", "id": f"extra{n}", "metadata": {}, "outputs": [], "execution_count": None,
                           "source": text.replace("variable", f"v{n}")} for n in range(1000)]
GROUP = "files that are no notebooks"
