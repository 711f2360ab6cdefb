"""A public copy of the course for an instructor whose repository is private: what students open,
and nothing that only graders may see.

The copy holds the released notebooks and their wheel, and the files of the repository that they
play or show, at the paths by which they look for them; on demand also the course site, from which
GitHub Pages serves it: the folder docs of the branch.
"""

import html
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autograder.build.fresh import stale_files
from autograder.build.leaks import GUIDE, check_tree, secret_lines
from autograder.build.readme import table
from autograder.build.wheel import wheel_path
from autograder.course.chapter import chosen_chapters, deeper_path, student_path
from autograder.course.errors import AutograderError, LeakError
from autograder.course.files import write
from autograder.course.model import Chapter
from autograder.course.settings import Settings, linked_repository

OURS = (
    "notebooks",
    "narration",
    "site",
    "source",
    "docs",
)  # folders of a copy, made anew every time
FILES = ("README.md", "LICENSE", "LICENSE-TEXT")
KEPT = (".git", ".gitignore", ".github", ".nojekyll")  # what may stand beside them
STAMP = "docs/.made-from"  # what a built site leaves: a folder docs without it is somebody's own
TAG = re.compile(r"<[^>]+>")
PAGES = ("my_attention", "my_model")  # to which a notebook hands what is the student's own
README = """# {course}

Executable notebooks that build attention from a dot product to the decoders of today, with
exercises that grade themselves. Open a chapter in Colab with its badge, or on your own machine:

```sh
pip install jupyterlab torch matplotlib numpy transformers
jupyter lab notebooks
```

{table}

Each exercise has a check below it that names the mistake; the last cell of a notebook says whether
the file is ready to be handed in. Code is under the [MIT licence](LICENSE), text, figures and
narration under [CC BY 4.0](LICENSE-TEXT).
"""


def publish(
    settings: Settings, folder: Path, names: Sequence[str] = (), site: Path | None = None
) -> list[Path]:
    """Write the public copy of these chapters (default: all) into ``folder``; paths of its files.

    site: a built course site, which goes into the copy, too.
    A folder that holds an earlier copy, a clone of the public repository for instance, is brought
    up to date: what is no longer published goes. Raises AutograderError where ``folder`` holds
    anything else, or where the release is not what the source gives; LeakError, before anything is
    written, where a file holds a line of a solution or of a hidden test.
    """
    root, folder = settings.root, Path(folder).resolve()
    _refuse_foreign(root, folder)
    chapters = chosen_chapters(root, names)
    stale = stale_files(root)
    if stale:
        raise AutograderError(
            f"{stale[0]} is not what the source gives; run 'make release' first. "
            "Nothing was published."
        )
    for chapter in chapters:
        _refuse_other_links(settings, student_path(root, chapter.name))
    check_tree(root, root / "notebooks")
    wanted = _wanted(root, chapters)
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in wanted}
    files["README.md"] = README.format(
        course=settings.course, table=table(chapters, settings)
    ).encode()
    files |= _site(site) if site else {}
    _refuse_leaks(secret_lines(settings, chosen_chapters(root)), files)
    for name in OURS:
        shutil.rmtree(folder / name, ignore_errors=True)
    for name, content in files.items():
        write(folder / name, content)
    return [folder / name for name in sorted(files)]


def _site(site: Path) -> dict[str, bytes]:
    """The files of a built site, under docs/. Raises AutograderError where there is none."""
    if not (site / "index.html").is_file() or not (site / Path(STAMP).name).is_file():
        raise AutograderError(
            f"{site}: a built course site was expected, with an index.html; run "
            "'python -m autograder site --answers none' first. Nothing was published."
        )
    files = {path.relative_to(site): path for path in site.rglob("*") if path.is_file()}
    return {f"docs/{name.as_posix()}": path.read_bytes() for name, path in files.items()}


def _wanted(root: Path, chapters: Sequence[Chapter]) -> list[Path]:
    """Files of the repository that the chapters' notebooks consist of, or name."""
    wanted = [root / "notebooks" / GUIDE, *(root / name for name in FILES[1:])]
    wanted += filter(None, [wheel_path(root)])
    for chapter in chapters:
        folder = root / "site" / "interactive" / "pages"
        pages = {folder / f"{name}.html" for name in (chapter.name, *PAGES)}
        wanted += [
            student_path(root, chapter.name),
            deeper_path(root, chapter.name),
            *pages,
            *(root / "narration" / chapter.name).glob("*.mp3"),
        ]
    return [path for path in dict.fromkeys(wanted) if path.is_file()]


def _refuse_foreign(root: Path, folder: Path) -> None:
    """Raise AutograderError unless ``folder`` is new, empty, or holds nothing but a copy."""
    if folder == root or root in folder.parents or folder in root.parents:
        raise AutograderError(
            f"{folder} is part of the course, or holds it; name a folder outside of {root}."
        )
    found = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    foreign = [name for name in found if name not in (*OURS, *FILES, *KEPT)]
    if "docs" in found and not (folder / STAMP).is_file():
        foreign.append("docs")
    if foreign or folder.is_file():
        raise AutograderError(
            f"{folder} holds {foreign[0] if foreign else 'a file'}, which is no part of a public "
            "copy; name an empty folder, or a clone that holds nothing else."
        )


def _refuse_other_links(settings: Settings, notebook: Path) -> None:
    """Raise AutograderError where a notebook's links lead to another repository than the copy's."""
    named = linked_repository(notebook.read_text(encoding="utf-8"))
    if named not in ("", settings.repository):
        raise AutograderError(
            f"{notebook.name}: its links lead to {named}, and the setting repository names "
            f"{settings.repository}; run 'make release' first. Nothing was published."
        )


def _refuse_leaks(secret: Mapping[str, str], files: Mapping[str, bytes]) -> None:
    """Raise LeakError where a text file holds a secret line, a page of the site also between the
    tags that colour it.

    Released notebooks and the wheel have been through the gate of the release: what a notebook of
    this copy carries of an earlier chapter's solution is no secret any more.
    """
    released = [name for name in files if re.fullmatch(r"notebooks/.*\.ipynb", name)]
    carried = {line.strip() for name in released for line in _lines(name, files[name])}
    secret = {line: where for line, where in secret.items() if line not in carried}
    for name, content in files.items():
        if name.endswith((".mp3", ".whl")) or name.startswith("notebooks/"):
            continue
        for line in _lines(name, content):
            if line.strip() in secret:
                raise LeakError(
                    f"{name}: holds the line {line.strip()!r}, which stands only inside a solution "
                    f"or hidden region of the source ({secret[line.strip()]}). Nothing was "
                    "published."
                )


def _lines(name: str, content: bytes) -> Iterator[str]:
    """The lines of a file, and of what a reader of a page or a notebook sees."""
    text = content.decode("utf-8", errors="replace")
    yield from text.splitlines()
    if name.endswith(".html"):
        yield from html.unescape(TAG.sub("", text)).splitlines()
    if name.endswith(".ipynb"):
        for cell in json.loads(text)["cells"]:
            yield from "".join(cell["source"]).splitlines()
