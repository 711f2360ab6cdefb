"""The comparison of executed notebooks: a small shift of a tagged number passes, a wrong digit
fails.
"""

import subprocess
import sys

import nbformat
import pytest

from .conftest import ROOT
from .nbval_numbers import agree, tolerance_of


@pytest.mark.parametrize(
    "made, committed",
    [
        ("loss 0.512 after 100 steps", "loss 0.500 after 100 steps"),
        ("accuracy 97 %", "accuracy 99 %"),
        ("|  9.98 |", "| 10.02 |"),  # the column is aligned by spaces
        ("gap -0.01", "gap  0.01"),
        ("gap −0.01", "gap  0.00"),
        ("error 3e-08", "error 1.2e-07"),
        ("[0.10, 0.90]\nnan", "[0.13, 0.87]\nnan"),
    ],
)
def test_a_small_shift_passes(made, committed):
    assert agree(made, committed, 0.05)


@pytest.mark.parametrize(
    "made, committed",
    [
        ("loss 0.600", "loss 0.500"),  # a wrong digit
        ("5 heads", "6 heads"),
        ("loss 0.5", "cost 0.5"),  # another word
        ("loss 0.5", "loss 0.5 0.5"),
        ("loss 0.5\n", "loss 0.5"),
        ("loss  0.5", "loss 0.5"),  # a column that has moved
        ("nan", "0.01"),
        ("inf", "-inf"),
        ("torch.float32", "torch.float33"),  # no number: part of a name
        ("True", "False"),
    ],
)
def test_a_wrong_digit_and_another_word_fail(made, committed):
    assert not agree(made, committed, 0.05)


def test_the_tag_says_how_much():
    cell = nbformat.v4.new_code_cell(metadata={"tags": ["show", "tolerance-0.12"]})
    assert tolerance_of(cell) == 0.12
    assert tolerance_of(nbformat.v4.new_code_cell()) == tolerance_of(None) == 0


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nbval_takes_it_from_the_plugin(tmp_path):
    cells = []
    for tags, committed in [
        (["tolerance-0.05"], "loss 0.512\n"),
        (["tolerance-0.05"], "loss 0.7\n"),
        ([], "loss 0.512\n"),
        ([], "loss 0.5\n"),
    ]:
        cell = nbformat.v4.new_code_cell("print('loss', 0.5)", metadata={"tags": tags})
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=committed)]
        cell.execution_count = len(cells) + 1
        cells.append(cell)
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, tmp_path / "small.ipynb")
    options = ["-p", "no:cacheprovider", "-p", "tests.nbval_numbers", "--nbval", "-q"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--nbval-current-env", "-rA", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    verdicts = [
        line.split()[0]
        for line in done.stdout.splitlines()
        if line.startswith(("PASSED", "FAILED"))
    ]
    assert sorted(verdicts) == ["FAILED", "FAILED", "PASSED", "PASSED"], done.stdout[-2000:]
