"""Honest: an answer was written below the text of its check, in the check's cell."""


def change(notebook):
    for cell in notebook["cells"]:
        if cell["id"] == "ch01_double":
            cell["source"] = "def double(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
        if cell["id"] == "ch01_double_check":
            cell["source"] += "\n\ndef double(x):\n    return x + x\n"


EXPECT = {}
TRIAL_ONLY = True
GROUP = "honest, oddly edited"
