"""Has anything changed since the last whole release? A digest of all that a release reads and
writes, kept under .autograder.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import entry_points, version
from importlib.util import find_spec
from pathlib import Path

from autograder.course.files import write
from autograder.course.settings import Settings

SETTINGS = ("nbgrader_config.py", "pyproject.toml")
READ = ("source", "bank", "narration", "site/interactive/pages", *SETTINGS)
WRITTEN = ("notebooks", "solutions", "attention_built/tables", "README.md")
LIBRARIES = ("jupytext", "nbconvert", "nbformat", "nbgrader")


def is_as_released(settings: Settings) -> bool:
    """Whether all is as the last whole release left it, so that another would change nothing."""
    record = _record(settings)
    now = f"{what_is_read(settings)} {_what_is_written(settings)}"
    return record.is_file() and record.read_text(encoding="utf-8") == now


def remember_release(settings: Settings, read: str) -> None:
    """Note that all chapters have been released. read: what_is_read, before they were."""
    write(_record(settings), f"{read} {_what_is_written(settings)}".encode())


def what_is_read(settings: Settings) -> str:
    """A digest of the course's sources, its settings, and the code and libraries that build it."""
    about = (settings, sys.version, [version(name) for name in LIBRARIES])
    ours = [*(settings.root / name for name in READ), *_packages()]
    return _digest(repr(about), [*ours, *settings.root.glob("attention_built/*.py")])


def _what_is_written(settings: Settings) -> str:
    return _digest("", [settings.root / name for name in WRITTEN])


def _record(settings: Settings) -> Path:
    return Path(settings.root, ".autograder", "released")


def _digest(about: str, folders: Iterable[Path]) -> str:
    digest = hashlib.sha256(about.encode())
    for top in folders:
        for path in sorted([top, *top.rglob("*")]):
            if path.is_file() and "__pycache__" not in path.parts:
                content = path.read_bytes()
                digest.update(f"\0{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _packages() -> Iterator[Path]:
    """Folders of the packages whose code makes a release."""
    plugins = {one.module.partition(".")[0] for one in entry_points(group="autograder.cells")}
    for name in sorted(plugins | {"autograder"}):
        spec = find_spec(name)
        yield from map(Path, (spec and spec.submodule_search_locations) or ())
