"""Metadata names another kernel and language: they are not read."""

def change(notebook):
    notebook["metadata"] = {"kernelspec": {"name": "bash", "display_name": "Bash"}, "language_info": {"name": "bash"}}
GROUP = "honest, oddly edited"
