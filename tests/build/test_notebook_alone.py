"""A notebook without the course around it, as on Colab and often in VS Code: its page and its sound
come by their address, and where there is no network one line says so.

Colab and VS Code themselves cannot be run here. What is tested is what their documentation and
their sources say that they show: see attention_built/notebook/pages.py.
"""

import re
import shutil
import socket
import time

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.course.added_cells import SOUND_ID
from autograder.course.chapter import deeper_path, student_path
from coursesite.pages.cells import PAGE_ID, PAGES
from coursesite.site.server import serving
from tests.conftest import ROOT, real_chapters

NAME = "ch04_multi_head"
LARGEST = 20_000  # bytes that a saved output by address may take
VS_CODE = "__vsc_ipynb_file__ = 'here.ipynb'"  # set by its Jupyter extension


def alone(folder, web, *before):
    """Outputs {cell id: [output, …]} of the two added cells of a notebook that lies alone in a
    folder, run by a kernel there. web: the address in place of the site's; before: code to run
    first.
    """
    source = nbformat.read(student_path(ROOT, NAME), as_version=4)
    cells = [cell for cell in source.cells if cell.id in (PAGE_ID, SOUND_ID)]
    assert len(cells) == 2
    for cell in cells:
        site = r'(?<=")https://\S+/(?=interactive/|narration/)'
        cell.source, times = re.subn(site, web, cell.source)
        assert times == 1
    notebook = nbformat.v4.new_notebook()
    before = ("import attention_built as ab", *before)
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in before] + cells
    nbformat.write(notebook, folder / "alone.ipynb")
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: cell.outputs for cell in cells}


def shown(outputs):
    """The HTML of outputs that are displayed, and nothing else among them."""
    assert all(output.output_type == "display_data" for output in outputs), outputs
    return "".join(output.data["text/html"] for output in outputs)


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    """What stands in for the published site: the chapter's page and its sound."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "interactive").mkdir()
    shutil.copy(ROOT / PAGES / f"{NAME}.html", folder / "interactive")
    shutil.copytree(ROOT / "narration" / NAME, folder / "narration" / NAME)
    with serving(folder) as address:
        yield address


@pytest.fixture
def nowhere():
    """An address on this machine that nobody listens to."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/"


def test_page_and_sound_come_by_their_address_and_are_there(tmp_path, web, browser):
    made = alone(tmp_path, web)
    page, sound = shown(made[PAGE_ID]), shown(made[SOUND_ID])
    assert len(page) + len(sound) < LARGEST
    opened = browser.new_page()
    opened.set_content(page + sound)
    frame = opened.frame_locator("iframe")
    frame.locator("main table, main svg").first.wait_for()
    assert opened.locator("audio").count() == len(list((ROOT / "narration" / NAME).glob("*.mp3")))
    lengths = opened.evaluate(
        """() => Promise.all([...document.querySelectorAll("audio")].slice(0, 2).map((one) =>
          new Promise((done) => {
            one.onloadedmetadata = () => done(one.duration);
            one.onerror = () => done(0);
            one.preload = "metadata"; one.load();
          })))"""
    )
    opened.close()
    assert all(10 < length < 100 for length in lengths), lengths


@pytest.mark.parametrize("editor", [(), (VS_CODE,)], ids=["Colab", "VS Code"])
def test_without_a_network_one_line_each_says_so_and_names_the_address(tmp_path, nowhere, editor):
    made = alone(tmp_path, nowhere, *editor)
    for cell, address in (
        (PAGE_ID, f"{nowhere}interactive/{NAME}.html"),
        (SOUND_ID, f"{nowhere}narration/{NAME}/script.md"),
    ):
        (output,) = made[cell]
        assert output.output_type == "stream" and output.name == "stdout"
        (line,) = output.text.splitlines()
        assert "no network" in line and address in line


def test_a_site_that_lacks_the_page_is_named_with_its_answer(tmp_path, web):
    (output, _) = (*alone(tmp_path, f"{web}gone/")[PAGE_ID], None)
    assert "it answers 404" in output.text and len(output.text.splitlines()) == 1


def test_a_network_that_never_answers_costs_seconds(tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        began = time.monotonic()
        web = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        made = alone(tmp_path, web)
        took = time.monotonic() - began
    assert all("Not shown here" in made[cell][0].text for cell in made) and took < 30


def test_in_vs_code_the_sound_plays_by_address_beside_a_clone_too(tmp_path, web):
    """Its Markdown cells show no player."""
    folder = tmp_path / "notebooks" / NAME
    folder.mkdir(parents=True)
    (tmp_path / "narration" / NAME).mkdir(parents=True)
    assert alone(folder, web)[SOUND_ID] == []
    assert shown(alone(folder, web, VS_CODE)[SOUND_ID]).count("<audio") > 3


@pytest.fixture(params=real_chapters())
def cells(request):
    """The cells of a chapter's student notebook and of the optional one beside it."""
    paths = [where(ROOT, request.param) for where in (student_path, deeper_path)]
    return [cell for path in paths for cell in nbformat.read(path, as_version=4).cells]


def test_what_imports_the_package_can_install_it(cells):
    importing = [cell.source for cell in cells if "import attention_built as ab" in cell.source]
    assert importing and all("except ImportError" in source for source in importing)


def test_a_relative_link_has_an_absolute_one_in_its_cell_or_under_the_title(cells):
    """The notebook beside has its address on the web under the title, once for all links to it."""
    link = re.compile(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"')
    titles = "".join(cell.source for cell in cells if cell.source.startswith("# "))
    beside = re.findall(r"\]\((\w+\.ipynb)\) \(\[on the web\]\(https://", titles)
    for cell in cells:
        if cell.cell_type != "markdown":
            continue
        text = re.sub(r"`[^`]*`", "", cell.source)  # kernel[(4,)](x) is no link
        links = ["".join(found) for found in link.findall(text)]
        web = [one for one in links if one.startswith("https://")]
        for one in links:
            if not one.startswith(("https://", "#", "attachment:")):
                last = one.rsplit("/", 1)[-1]
                absolute = any(other.endswith(f"/{last}") for other in web)
                assert absolute or one.partition("#")[0] in beside, f"{cell.id}: {one}"
