"""Build the course site: chapters from ``solutions/``, pages from ``site/``, instructors' pages
from ``docs/``, offline.

Nothing is executed. What Sphinx reads is gathered in ``_build/site-source``. A site whose sources
are those of the last build stands as it is; a changed one is read where it changed and written
whole, since titles and links of one page stand on all others.
"""

import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

from autograder.course.errors import AutograderError
from autograder.course.files import write
from autograder.course.settings import Settings
from coursesite.pages import interactive_folder
from coursesite.site.lean import make_lean
from coursesite.site.pages import FOLDED, NONE, OPEN
from coursesite.site.sections import write_sections
from coursesite.site.share import write_share_pages
from coursesite.site.source import source_files

ANSWERS = (FOLDED, OPEN, NONE)
LINES_OF_SPHINX = 6  # of what it said, in a message
STAMP = ".made-from"  # beside the pages: what they were made from
SOURCES = (
    *("attention_built", "autograder", "bank", "coursesite", "docs", "narration", "notebooks"),
    *("site", "solutions", "source", "pyproject.toml", "requirements.txt"),
)


def build(settings: Settings, output: Path | None = None, answers: str = "") -> Path:
    """Build the site into ``output`` (default: ``_build/site``) and return that folder.

    answers: "folded", "open", or "none", which leaves the answers to exercises out; default: the
    setting site_answers.
    Raises AutograderError with what Sphinx said where a page is not right: every warning counts.
    """
    answers = answers or settings.site_answers
    if answers not in ANSWERS:
        raise AutograderError(
            f"site_answers: expected one of {', '.join(ANSWERS)}; got {answers!r}. "
            "Change it in pyproject.toml or on the command line."
        )
    output = Path(output or settings.root / "_build" / "site").resolve()
    stamp, sources = output / STAMP, made_from(settings, answers)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == sources:
        return output
    source = output.with_name(f"{output.name}-source")
    write_source(settings, source, answers)
    if (output / ".buildinfo").is_file():  # nothing of an earlier build may stay
        shutil.rmtree(output)
    _run_sphinx(source, output)
    write_sections(settings.root, output)
    make_lean(output)
    _add_files(settings, output)
    write_share_pages(settings, output)
    stamp.write_text(sources, encoding="utf-8")
    return output


def made_from(settings: Settings, answers: str) -> str:
    """A fingerprint of all that the site is made from."""
    digest = sha256(repr((settings.repository, settings.branch, settings.course, answers)).encode())
    for name in SOURCES:
        path = settings.root / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            paired = name == "source" and file.suffix == ".ipynb"  # with a script, by nbgrader
            if file.is_file() and "__pycache__" not in file.parts and not paired:
                content = file.read_bytes()
                digest.update(f"{file.relative_to(settings.root)} {len(content)}\n".encode())
                digest.update(content)
    return digest.hexdigest()


def write_source(settings: Settings, folder: Path, answers: str = FOLDED) -> None:
    """Write what Sphinx reads into ``folder``, only what is new, and take away what is no longer
    there.
    """
    _mirror(folder, source_files(settings, answers))


def _run_sphinx(source: Path, output: Path) -> None:
    """Render the source with every warning an error. Raises AutograderError with the last lines of
    what Sphinx said.
    """
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-j", "2"]
    command += ["-d", str(output.with_name(f"{output.name}-doctrees")), str(source), str(output)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": "0", "SOURCE_DATE_EPOCH": "315532800"},
    )
    if done.returncode:
        said = done.stderr.replace(f"{source}{os.sep}", "").splitlines()
        lines = [line for line in said if line.strip()][-LINES_OF_SPHINX:]
        raise AutograderError(
            "the site could not be built: "
            + (" | ".join(lines) or f"Sphinx ended with {done.returncode}")
            + f". The pages it read are in {source}."
        )


def _add_files(settings: Settings, output: Path) -> None:
    """Put beside the pages what they link to: notebooks, audio, interactive pages.

    The notebooks' own links lead to the interactive pages here, and theirs to the site here.
    """
    root = settings.root
    pages = interactive_folder(root) / "pages"
    notebooks = {
        path: content.replace(
            f"../../{pages.relative_to(root).as_posix()}/".encode(), b"../../interactive/"
        )
        for path, content in _files(root / "notebooks", "*/*.ipynb").items()
    }
    notebooks |= _files(root / "notebooks", "*.md") | _files(root / "notebooks", "*.whl")
    _mirror(output / "notebooks", notebooks)
    _mirror(output / "narration", _files(root / "narration", "*/*.mp3"))
    course = rb'(href|data-course)="' + re.escape(settings.site_url.encode())
    interactive = {
        path: re.sub(course, rb'\1="../', text).replace(b'src="../stills/', b'src="stills/')
        for path, text in _files(pages, "*.html").items()
    }
    _mirror(output / "interactive", interactive | _files(pages.parent, "stills/*.png"))


def _files(folder: Path, pattern: str) -> dict[Path, bytes]:
    """{path in the folder: bytes} of the files that fit a pattern."""
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.glob(pattern))}


def _mirror(folder: Path, files: dict[Path, bytes]) -> None:
    """Make ``folder`` hold exactly these files, {relative path: bytes}; what is the same keeps its
    date.
    """
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
