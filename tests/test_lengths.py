"""No file that is written by hand grows too long to be read in one go: 400 lines at most."""

import pytest

from .conftest import ROOT

MOST = 400
KINDS = {".py", ".js", ".css", ".html", ".txt"}
LEFT_OUT = ("site/interactive/chapters", "site/interactive/pages", "site/_static/search/minisearch")


@pytest.mark.parametrize("folder", ["autograder", "coursesite", "attention_built", "site", "docs"])
def test_no_file_is_longer_than_400_lines(folder):
    files = [path for path in (ROOT / folder).rglob("*") if path.suffix in KINDS]
    own = {path.relative_to(ROOT).as_posix(): path for path in files}
    assert own
    lengths = {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for name, path in own.items()
        if not name.startswith(LEFT_OUT)
    }
    assert {name: count for name, count in lengths.items() if count > MOST} == {}
