"""The scripts beside the chapters make the numbers that chapters store: they must still run."""

import ast
import importlib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = [
    path
    for path in sorted((ROOT / "source").glob("ch*/*.py"))
    if path.stem != path.parent.name  # the chapter itself
]


def test_there_are_scripts():
    assert len(SCRIPTS) >= 5, [path.name for path in SCRIPTS]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name[:4]}-{path.stem}")
def test_a_script_beside_a_chapter_imports_only_what_there_is(script):
    missing = []
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            missing += [alias.name for alias in node.names if find_spec(alias.name) is None]
        elif isinstance(node, ast.ImportFrom):
            if find_spec(node.module) is None:
                missing.append(node.module)
            elif node.module.startswith("autograder"):
                module = importlib.import_module(node.module)
                missing += [
                    f"{node.module}.{alias.name}"
                    for alias in node.names
                    if not hasattr(module, alias.name)
                ]
    assert not missing, f"{script.relative_to(ROOT)} imports what does not exist: {missing}"
