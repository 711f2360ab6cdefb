"""Every setting in one place: ``[tool.autograder]`` in pyproject.toml, overridden by environment
variables.
"""

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.course.errors import AutograderError

DEFAULT_REPOSITORY = "attention-built/attention-built"
COLAB = "https://colab.research.google.com/github/"
COLAB_LINK = re.compile(re.escape(COLAB) + r"(?P<name>[\w.-]+/[\w.-]+)/blob/")
HOSTED = re.compile(r"https://raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/[\w.-]+/")
GITHUB_REMOTE = re.compile(r"github\.com[:/]+(?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?$")


@dataclass(frozen=True)
class Settings:
    """What an instructor may set. An environment variable ``AUTOGRADER_<NAME>`` wins over
    pyproject.toml.
    """

    root: Path
    # "owner/name" on GitHub, for every link; empty: the git remote when it is on GitHub
    repository: str = ""
    branch: str = "main"
    course: str = "Attention, built"  # its name, as a published copy is headed
    address: str = ""  # of the course site; empty: GitHub's pages of the repository
    course_id: str = "attention"
    db_url: str = ""  # any SQLAlchemy URL; empty: gradebook.db in the root
    submitted: str = "submitted"
    feedback: str = "feedback"
    marks: str = "marks"
    autograded: str = "autograded"  # the graded notebooks that formgrader shows
    people: str = "people.csv"  # what no platform says of students
    # answers to exercises on the site: folded, open, or none, which leaves them out
    site_answers: str = "folded"
    canvas_url: str = ""  # Canvas's API, off where this is empty: "https://canvas.example.edu"
    canvas_course: str = ""  # the number in the course's address
    canvas_assignments: str = ""  # "ch01=5678 ch02=5679": the numbers in their addresses
    voice: str = "festival"  # or kokoro:SPEAKER, flite, piper:MODEL.onnx, recorded

    @property
    def own_gradebook(self) -> Path:
        return self.root / "gradebook.db"

    @property
    def database(self) -> str:
        return self.db_url or f"sqlite:///{self.own_gradebook}"

    def colab_url(self, chapter_name: str, notebook: str = "") -> str:
        """Link that opens the student notebook of a chapter, or one beside it, in Colab."""
        place = f"notebooks/{chapter_name}/{notebook or chapter_name}.ipynb"
        return f"{COLAB}{self.repository}/blob/{self.branch}/{place}"

    def hosted_url(self, path: str) -> str:
        """Link to a file of the repository as it is served raw."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.branch}/{path}"

    def viewed_url(self, path: str) -> str:
        """Link to a file of the repository as GitHub shows it."""
        return f"https://github.com/{self.repository}/blob/{self.branch}/{path}"

    def linked(self, text: str) -> str:
        """A text of the source, whose links to the course's own files name the default repository,
        with links to this one.
        """
        source = Settings(self.root, DEFAULT_REPOSITORY)
        for url in (Settings.hosted_url, Settings.viewed_url):
            text = text.replace(url(source, ""), url(self, ""))
        return text

    @property
    def site_url(self) -> str:
        """Where the course site is; ends in '/'."""
        if self.address:
            return f"{self.address.rstrip('/')}/"
        owner, name = self.repository.split("/")
        home = f"https://{owner.lower()}.github.io/"
        return home if name.lower() == f"{owner.lower()}.github.io" else f"{home}{name}/"

    @property
    def pages_url(self) -> str:
        """Where the course site has the interactive pages; ends in '/'."""
        return f"{self.site_url}interactive/"


def as_in_the_source(text: str) -> str:
    """The code of a released notebook with the addresses that its source has, whichever fork
    released it.

    >>> as_in_the_source('"https://raw.githubusercontent.com/owner/fork/main/notebooks"')
    '"https://raw.githubusercontent.com/attention-built/attention-built/main/notebooks"'
    """
    return HOSTED.sub(Settings(Path(), DEFAULT_REPOSITORY).hosted_url(""), text)


def linked_repository(text: str) -> str:
    """The repository that the first Colab link in a text names; "" where there is none."""
    link = COLAB_LINK.search(text)
    return link["name"] if link else ""


def find_root(start: Path | str = ".") -> Path:
    """The course's root: the nearest folder from ``start`` upwards that holds source/ and
    pyproject.toml. Raises AutograderError where there is none.

    >>> find_root("source/ch01_why_attention") == find_root(".")
    True
    """
    start = Path(start).resolve()
    for folder in (start, *start.parents):
        if (folder / "source").is_dir() and (folder / "pyproject.toml").is_file():
            return folder
    raise AutograderError(
        f"expected to run inside the course (a folder with source/ and pyproject.toml); {start} "
        "is not. Change into your clone and run the command again."
    )


def load_settings(root: Path | str | None = None, repository: str = "") -> Settings:
    """Settings for the course at ``root`` (default: found from the current folder).

    repository: "owner/name" in place of what is set. Raises AutograderError outside of a course and
    for a setting that does not exist.

    >>> load_settings(".", "owner/name").pages_url
    'https://owner.github.io/name/interactive/'
    """
    root = Path(root).resolve() if root else find_root()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    table = project.get("tool", {}).get("autograder", {})
    names = {field.name for field in fields(Settings)} - {"root"}
    unknown = sorted(set(table) - names)
    if unknown:
        raise AutograderError(
            f"{root / 'pyproject.toml'}: [tool.autograder] has no setting {unknown[0]!r}; known "
            f"are {', '.join(sorted(names))}."
        )
    values = {name: os.environ.get(f"AUTOGRADER_{name.upper()}", table.get(name)) for name in names}
    values = {name: str(value) for name, value in values.items() if value}
    values["repository"] = (
        repository or values.get("repository") or _github_remote(root) or DEFAULT_REPOSITORY
    )
    return Settings(root, **values)


def _github_remote(root: Path) -> str:
    try:
        asked = ["git", "-C", str(root), "remote", "get-url", "origin"]
        out = subprocess.run(asked, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = GITHUB_REMOTE.search(out.stdout.strip())
    return match["name"] if match else ""
