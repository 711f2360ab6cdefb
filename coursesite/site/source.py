"""What Sphinx reads, as {path: bytes}: the texts of ``site/`` and ``docs/``, the front page, and a
notebook for each chapter.
"""

import json
import struct
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import nbformat

from autograder.course.chapter import DEEPER, deeper_path, solution_path, student_path
from autograder.course.errors import AutograderError
from autograder.course.files import notebook_bytes
from autograder.course.settings import Settings
from coursesite.site.chapters import ChapterFacts, facts_of_all
from coursesite.site.front import counts, hero, page_list, parts
from coursesite.site.gallery.page import NAME as GALLERY
from coursesite.site.gallery.page import gallery
from coursesite.site.letters import faces
from coursesite.site.mend import sources
from coursesite.site.pages import deeper_page, page
from coursesite.site.whole_course import NAME as WHOLE
from coursesite.site.whole_course import whole_course

BELOW = "```{{toctree}}\n:hidden:\n\n{}\n```"  # a page that stands below a chapter in the sidebar
TEXTS = ("conf.py", "*.md", "_static/**/*", "_ext/**/*", "_templates/**/*")  # of site/


def source_files(settings: Settings, answers: str) -> dict[Path, bytes]:
    """{path in Sphinx's source folder: bytes}. answers: as ``build`` takes them.

    Raises AutograderError for a chapter that was not released.
    """
    root = settings.root
    everyone = facts_of_all(root)
    made = _texts(root)
    for name in {Path("index.md"), Path("interactive_pages.md")} & made.keys():
        made[name] = _front_page(settings, made[name], everyone)
    alternatives: dict[str, tuple[str, int, int]] = {}
    solutions = []
    for facts in everyone:
        solution = _read(solution_path(root, facts.name))
        student = _read(student_path(root, facts.name))
        colab = settings.colab_url(facts.name)
        notebook = page(facts, everyone, solution, student, colab, answers)
        alternatives |= _alternatives(solution)
        if (path := deeper_path(root, facts.name)).is_file():
            deeper = deeper_page(_read(path))
            made[Path(f"{facts.name}_{DEEPER}.ipynb")] = notebook_bytes(deeper)
            alternatives |= _alternatives(deeper)
            inside = BELOW.format(f"{facts.name}_{DEEPER}")
            notebook.cells.append(nbformat.v4.new_markdown_cell(inside, id="below"))
        made[Path(f"{facts.name}.ipynb")] = notebook_bytes(notebook)
        solutions.append(solution)
    made[Path(f"{WHOLE}.ipynb")] = notebook_bytes(whole_course(everyone, solutions))
    mistakes = gallery(root)
    made[Path(f"{GALLERY}.ipynb")] = notebook_bytes(mistakes)
    alternatives |= _alternatives(mistakes)
    about = {
        "course": settings.course,
        "repository": settings.repository,
        "branch": settings.branch,
        "alternatives": alternatives,
        "sources": sources(root, everyone),
        "descriptions": {facts.name: facts.question for facts in everyone if facts.question},
    }
    made[Path("course.json")] = json.dumps(about, indent=1, sort_keys=True).encode()
    return made


def zip_url(repository: str) -> str:
    """Where the published site offers the offline pack: it is not in the pack itself."""
    owner, _, name = repository.partition("/")
    return f"https://{owner}.github.io/{name}/attention-built.zip"


def _texts(root: Path) -> dict[Path, bytes]:
    """What is written by hand: texts, settings and style sheets of site/, and all of docs/."""
    site = [path for pattern in TEXTS for path in sorted((root / "site").glob(pattern))]
    files = {path.relative_to(root / "site"): path for path in site}
    files |= {path.relative_to(root): path for path in sorted((root / "docs").rglob("*"))}
    return faces({name: path.read_bytes() for name, path in files.items() if path.is_file()})


def _front_page(settings: Settings, template: bytes, everyone: list[ChapterFacts]) -> bytes:
    """The front page, or the list of interactive pages, with its marks filled in."""
    text = template.decode()
    marks = {
        "<!-- hero -->": hero,
        "<!-- parts -->": lambda: parts(everyone),
        "<!-- pages -->": lambda: page_list(settings.root, everyone),
        "<!-- counts -->": lambda: counts(settings.root, everyone),
        "<!-- zip -->": lambda: zip_url(settings.repository),
        "<!-- clone -->": lambda: f"https://github.com/{settings.repository}",
        "<!-- chapter pages -->": lambda: "\n".join(facts.name for facts in everyone),
        "<!-- first chapter -->": lambda: f"{everyone[0].name}.html" if everyone else "",
    }
    for mark, made in marks.items():
        if mark in text:
            text = text.replace(mark, made())
    return text.encode()


def _alternatives(notebook: nbformat.NotebookNode) -> dict[str, tuple[str, int, int]]:
    """{hash of a picture's bytes: (its alternative text, width, height)}, as the transform in
    site/_ext looks them up.
    """
    pictures = (
        (b64decode(output.data["image/png"]), output.metadata.get("image/png", {}).get("alt", ""))
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    )
    made = {}
    for png, alt in pictures:
        made[sha256(png).hexdigest()] = (alt, *struct.unpack(">II", png[16:24]))
    return made


def _read(path: Path) -> nbformat.NotebookNode:
    if not path.is_file():
        raise AutograderError(
            f"{path} is missing; the site shows what is released. Run 'make release' first."
        )
    return nbformat.read(path, as_version=4)
