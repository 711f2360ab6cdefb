"""Nothing solved, every check tagged skip-execution so that it does not run: must earn nothing, and the tag is reported."""

SOLVED = False
FLAG = "skip-execution"

def change(notebook):
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = ["skip-execution"]
GROUP = "honest, oddly edited"
