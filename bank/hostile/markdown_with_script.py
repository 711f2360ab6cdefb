"""Scripts in Markdown and in outputs: nothing of them is read."""

def change(notebook):
    notebook["cells"].insert(1, {"cell_type": "markdown", "id": "script", "metadata": {}, "source": "<script>alert(1)</script>"})
    notebook["cells"][2]["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<script>alert(1)</script>"}}]
GROUP = "honest, oddly edited"
