"""A million brackets: a row with the reason."""

PROBLEM = "nested too deeply"

def change(notebook):
    return b"[" * 1_000_000 + b"]" * 1_000_000
GROUP = "files that are no notebooks"
