"""Where each page of the site is written: the file, and the lines of its headings."""

import re
from pathlib import Path

from autograder.course.chapter import DEEPER
from coursesite.site.chapters import ChapterFacts
from coursesite.site.gallery.page import NAME as GALLERY
from coursesite.site.whole_course import NAME as WHOLE

HEADING = re.compile(r"(?:# )?#{1,4} (?P<title>\S.*)")  # of Markdown, alone or in a percent script
Source = tuple[str, list[tuple[int, str]]]  # path in the repository, (line, title) of each heading


def sources(root: Path, everyone: list[ChapterFacts]) -> dict[str, Source]:
    """{name of a page: its source}; of a page that is put together, the file that does so."""
    paths = {path.stem: path for path in (root / "site").glob("*.md")}
    paths |= {path.stem: path for path in (root / "docs").glob("*.md")}
    for facts in everyone:
        folder = root / "source" / facts.name
        paths[facts.name] = folder / f"{facts.name}.py"
        paths[f"{facts.name}_{DEEPER}"] = folder / f"{DEEPER}.py"
    paths |= {GALLERY: root / "site" / "gallery.toml"}
    paths |= {WHOLE: root / "coursesite" / "site" / "whole_course.py"}
    return {name: _source(root, path) for name, path in paths.items() if path.is_file()}


def _source(root: Path, path: Path) -> Source:
    headings = []
    if path.suffix != ".toml":
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if found := HEADING.fullmatch(line):
                headings.append((number, found["title"]))
    return path.relative_to(root).as_posix(), headings
