"""The file is no JSON: a row with the reason."""

PROBLEM = "not valid JSON"

def change(notebook):
    return b"{\"cells\": [this is no notebook"
GROUP = "files that are no notebooks"
