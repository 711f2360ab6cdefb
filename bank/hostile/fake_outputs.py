"""Nothing solved, the checks carry outputs that look like success: must earn nothing."""

SOLVED = False

def change(notebook):
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": "2.0"}, "metadata": {}, "execution_count": 1}]
GROUP = "honest, oddly edited"
