"""The offline pack: the whole course in one zip, always the same bytes."""

import json
import posixpath
import re
import zipfile

import pytest

from autograder.course.errors import AutograderError
from autograder.course.files import zipped
from coursesite.site.offline import NAME, write_offline_zip

from ..conftest import ROOT, real_chapters


def test_the_same_files_give_the_same_bytes_in_any_order():
    files = {"b/two.html": b"2" * 1000, "a.mp3": b"1" * 1000}
    assert zipped(files) == zipped(dict(reversed(files.items())))


def test_what_is_not_a_site_is_refused_in_one_line(tmp_path):
    with pytest.raises(AutograderError, match="holds no index.html.*make site"):
        write_offline_zip(ROOT, tmp_path, tmp_path / "pack.zip")


@pytest.mark.slow
def test_it_holds_pages_notebooks_audio_and_interactive_pages_and_unpacks_as_it_was(
    site, tmp_path, monkeypatch
):
    monkeypatch.setenv("AUTOGRADER_COURSE", "Our course")
    path = write_offline_zip(ROOT, site, tmp_path / "pack.zip")
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        assert archive.testzip() is None
        assert archive.read(f"{NAME}/README.txt").startswith(b"Our course: ")
    for name in real_chapters():
        assert {
            f"{NAME}/{name}.html",
            f"{NAME}/notebooks/{name}/{name}.ipynb",
            f"{NAME}/narration/{name}/01-introduction.mp3",
        } <= names
    for page in (ROOT / "site" / "interactive" / "pages").glob("*.html"):
        assert f"{NAME}/interactive/{page.name}" in names
    assert {f"{NAME}/index.html", f"{NAME}/README.txt", f"{NAME}/LICENSE-TEXT"} <= names


@pytest.mark.slow
def test_every_link_of_a_notebook_leads_to_a_file_of_the_pack(site, tmp_path):
    with zipfile.ZipFile(write_offline_zip(ROOT, site, tmp_path / "pack.zip")) as archive:
        names = set(archive.namelist())
        for name in (name for name in names if name.endswith(".ipynb")):
            text = "\n".join(
                "".join(cell["source"])
                for cell in json.loads(archive.read(name))["cells"]
                if cell["cell_type"] == "markdown"
            )
            links = re.findall(r'(?:\]\(|src=")(\.\./[^)"#]+)', text)
            heard, seen = (any(link.endswith(end) for link in links) for end in (".mp3", ".html"))
            assert (heard and seen) or name.endswith("/deeper.ipynb"), name
            assert [
                link
                for link in links
                if posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) not in names
            ] == [], name


@pytest.mark.slow
def test_the_pack_holds_no_hidden_test_and_no_source(site, tmp_path):
    with zipfile.ZipFile(write_offline_zip(ROOT, site, tmp_path / "pack.zip")) as archive:
        for name in archive.namelist():
            if name.endswith((".html", ".ipynb", ".js", ".txt")):
                assert b"BEGIN HIDDEN" not in archive.read(name), name
