"""The file is JSON but no notebook: a row with the reason."""

PROBLEM = "expected a JSON object"

def change(notebook):
    return b"[1, 2, 3]"
GROUP = "honest, oddly edited"
