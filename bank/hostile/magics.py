"""Magics, installs, shell lines and top-level await, as in a Colab download: full points."""

def change(notebook):
    notebook["cells"][1]["source"] = ("!pip install -q torch\n%pip install torch\n%matplotlib inline\nimport asyncio\nawait asyncio.sleep(0)\n"
                                      + notebook["cells"][1]["source"])
GROUP = "honest, oddly edited"
