"""The files that cells read come with the package, and are what was shipped."""

import ast
import hashlib
import shutil
import sys
from pathlib import Path

import pytest

import attention_built as ab
from attention_built.shipped import SHA256
from tests.conftest import ROOT, real_chapters

FOLDER = ROOT / "attention_built" / "shipped"
TEXT = "2a95af4ac93f5b719944030ce3769070ddf827d847cba42192afa8da989e5dc4"


@pytest.mark.parametrize("name", sorted(SHA256))
def test_a_file_is_what_was_shipped(name):
    assert ab.shipped(name) == FOLDER / name


def test_every_file_has_its_hash_or_is_a_licence():
    files = {path.name for path in FOLDER.iterdir() if path.suffix not in (".py", ".LICENSE")}
    assert files - {"__pycache__"} == set(SHA256)


def test_another_name_or_content_is_refused_in_one_line(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"^shipped: expected one of .*; got 'other'$"):
        ab.shipped("other")
    module = sys.modules["attention_built.shipped"]
    monkeypatch.setattr(module, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match="expected sha256 347ed53d.*, got no file: type pip"):
        ab.manual()
    shutil.copy(FOLDER / "manual.txt.xz", tmp_path)
    assert hashlib.sha256(ab.manual().encode()).hexdigest() == TEXT
    (tmp_path / "manual.txt.xz").write_bytes(b"another text")
    with pytest.raises(ValueError, match="expected sha256 347ed53d.*, got [0-9a-f]{64}: type pip"):
        ab.manual()


def test_the_manual_is_that_of_one_python_and_its_licence_stands_beside_it():
    assert hashlib.sha256(ab.manual().encode()).hexdigest() == TEXT
    licence = (FOLDER / "manual.LICENSE").read_text(encoding="utf-8")
    assert licence.startswith("manual.txt.xz holds the help topics of Python 3.11.7")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in licence


@pytest.mark.skipif(sys.version_info[:3] != (3, 11, 7), reason="has another manual of its own")
def test_it_is_the_manual_of_that_python():
    from pydoc_data.topics import topics

    assert ab.manual() == "\n".join(topics[name] for name in sorted(topics))


@pytest.mark.parametrize("name", real_chapters())
def test_no_source_reads_the_manual_of_the_running_python(name):
    """Chapter 14 alone reads one topic, which is the same from Python 3.9 to 3.13."""
    for path in sorted(Path(ROOT, "source", name).glob("*.py")):
        used = [line for line in code_of(path).splitlines() if "topics" in line]
        allowed = ["from pydoc_data.topics import topics", "PASSAGE = topics['assert'].strip()"]
        assert used == (allowed if path.stem == "ch14_real_model" else []), path


def code_of(path):
    """A source's code without its comments, every string in the same quotes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.lstrip().startswith(("%", "!"))]
    return ast.unparse(ast.parse("\n".join(kept)))
