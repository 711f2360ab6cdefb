"""Build the course site: chapters from ``solutions/``, pages from ``site/``, instructors' pages from ``docs/``, offline.

Nothing is executed. What Sphinx reads is staged in ``_build/site-source``; a second build renders what changed.
"""

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path

import nbformat

from autograder.build.interactive_cells import PAGES
from autograder.build.release import solution_path, student_path, to_bytes
from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.site.chapters import facts_of_all
from autograder.site.front import arcs, chapter_list, counts
from autograder.site.pages import FOLDED, NONE, OPEN, page

SOURCES = ("conf.py", "*.md", "_static/**/*", "_ext/*.py", "_templates/**/*")
ANSWERS = (FOLDED, OPEN, NONE)


def build(settings, output=None, answers=""):
    """Build the site into ``output`` (default: ``_build/site``) and return that folder.

    answers: "folded", "open", or "none", which leaves the answers to exercises out; default: the setting site_answers.
    Raises AutograderError with what Sphinx said where a page is not right: every warning counts.
    """
    answers = answers or settings.site_answers
    if answers not in ANSWERS:
        raise AutograderError(
            f"site_answers: expected one of {', '.join(ANSWERS)}; got {answers!r}. Change it in pyproject.toml or on the command line."
        )
    output = Path(output or settings.root / "_build" / "site").resolve()
    staged = output.with_name(f"{output.name}-source")
    stage(settings, staged, answers)
    if (output / ".buildinfo").is_file():
        shutil.rmtree(
            output
        )  # an earlier build: nothing of it that is gone from the sources may stay
    said = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-b",
            "html",
            "-q",
            "-W",
            "--keep-going",
            "-j",
            "2",
            "-d",
            output.with_name(f"{output.name}-doctrees"),
            staged,
            output,
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "315532800"},
    )
    if said.returncode:
        lines = [
            line.replace(f"{staged}{os.sep}", "")
            for line in said.stderr.splitlines()
            if line.strip()
        ]
        raise AutograderError(
            "the site could not be built: "
            + (" | ".join(lines[-6:]) or f"Sphinx ended with {said.returncode}")
            + f". The pages it read are in {staged}."
        )
    add_files(settings.root, output)
    return output


def stage(settings, folder, answers=FOLDED):
    """Write what Sphinx reads into ``folder``, only what is new, and take away what is no longer there."""
    root, made = settings.root, {}
    everyone = facts_of_all(root)
    for pattern in SOURCES:
        made |= {
            path.relative_to(root / "site"): path.read_bytes()
            for path in sorted((root / "site").glob(pattern))
            if path.is_file()
        }
    made |= {
        path.relative_to(root): path.read_bytes()
        for path in sorted((root / "docs").rglob("*"))
        if path.is_file()
    }
    front = {
        "<!-- arcs -->": arcs(),
        "<!-- chapters -->": chapter_list(everyone),
        "<!-- counts -->": counts(everyone),
        "<!-- clone -->": f"https://github.com/{settings.repository}",
        "<!-- first chapter -->": f"{everyone[0].name}.html" if everyone else "",
    }
    index = made[Path("index.md")].decode()
    for mark, text in front.items():
        index = index.replace(mark, text)
    made[Path("index.md")] = index.encode()
    alternatives = {}
    for facts in everyone:
        solution, student = (
            _read(path(root, facts.name)) for path in (solution_path, student_path)
        )
        made[Path(f"{facts.name}.ipynb")] = to_bytes(
            page(facts, everyone, solution, student, settings.colab_url(facts.name), answers)
        )
        alternatives |= _alternatives(solution)
    made[Path("course.json")] = json.dumps(
        {
            "repository": settings.repository,
            "branch": settings.branch,
            "alternatives": alternatives,
        },
        indent=1,
        sort_keys=True,
    ).encode()
    _mirror(folder, made)


def add_files(root, output):
    """Put beside the pages what they link to: notebooks, whose links lead to the interactive pages here, audio, interactive pages."""
    for source, pattern, target in [
        ("notebooks", "*/*.ipynb", "notebooks"),
        ("narration", "*/*.mp3", "narration"),
        (PAGES, "*.html", "interactive"),
    ]:
        files = {
            path.relative_to(root / source): path.read_bytes()
            for path in sorted((root / source).glob(pattern))
        }
        if target == "notebooks":
            files = {
                path: content.replace(f"../../{PAGES}/".encode(), b"../../interactive/")
                for path, content in files.items()
            }
        _mirror(output / target, files)


def _alternatives(notebook):
    """{hash of a picture's bytes: its alternative text}, as the transform in site/_ext looks them up."""
    return {
        sha256(b64decode(output.data["image/png"])).hexdigest(): output.metadata.get(
            "image/png", {}
        ).get("alt", "")
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    }


def _read(path):
    if not path.is_file():
        raise AutograderError(
            f"{path} is missing; the site shows what is released. Run 'make release' first."
        )
    return nbformat.read(path, as_version=4)


def _mirror(folder, files):
    """Make ``folder`` hold exactly these files, {relative path: bytes}; what is the same keeps its date."""
    for path, content in files.items():
        write(folder / path, content)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)
        elif (
            path.is_file()
            and path.relative_to(folder) not in files
            and "__pycache__" not in path.parts
        ):
            path.unlink()
