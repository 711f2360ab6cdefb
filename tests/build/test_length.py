"""What a reader meets is counted: prose without transcripts, code that is open, and all code."""

import nbformat

from autograder.build.length import length


def test_transcripts_addresses_and_folded_code_are_told_apart(tmp_path):
    heard = "<details><summary>Transcript</summary>\n\nNot a word of this.\n\n</details>"
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell(f"Four [words](https://a.b/c) are here.\n\n{heard}"),
            nbformat.v4.new_code_cell("x = 1\n\ny = 2"),
            nbformat.v4.new_code_cell("z = 3", metadata={"jupyter": {"source_hidden": True}}),
        ]
    )
    path = tmp_path / "a.ipynb"
    nbformat.write(notebook, path)
    assert length(path)[:3] == (4, 2, 3)
