"""An input transformer blanks every later cell: must earn nothing, and the hook is reported."""

SOLVED = False
FLAG = "hooks into cell execution"

def change(notebook):
    notebook["cells"][1]["source"] += "\nget_ipython().input_transformers_post.append(lambda lines: ['pass'])"
GROUP = "marks without work"
