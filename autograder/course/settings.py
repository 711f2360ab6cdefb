"""Every setting in one place: ``[tool.autograder]`` in pyproject.toml, overridden by environment variables."""

import os
import re
import subprocess
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from autograder.course.errors import AutograderError

DEFAULT_REPOSITORY = "attention-built/attention-built"
GITHUB_REMOTE = re.compile(r"github\.com[:/]+(?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?$")


@dataclass(frozen=True)
class Settings:
    """What an instructor may set. An environment variable ``AUTOGRADER_<NAME>`` wins over pyproject.toml."""

    root: Path
    repository: str = (
        ""  # "owner/name" on GitHub, for every link; empty: the git remote when it is on GitHub
    )
    branch: str = "main"
    course_id: str = "attention"
    db_url: str = ""  # any SQLAlchemy URL; empty: gradebook.db in the root
    submitted: str = "submitted"
    feedback: str = "feedback"
    marks: str = "marks"
    site_answers: str = (
        "folded"  # answers to exercises on the site: folded, open, or none, which leaves them out
    )
    voice: str = (
        "kokoro:af_heart"  # or festival, flite, piper:MODEL.onnx, recorded; see narration/README.md
    )

    @property
    def database(self):
        return self.db_url or f"sqlite:///{self.root / 'gradebook.db'}"

    def colab_url(self, chapter_name):
        """Link that opens the student notebook of a chapter in Colab."""
        return (
            f"https://colab.research.google.com/github/{self.repository}/blob/{self.branch}/"
            f"notebooks/{chapter_name}/{chapter_name}.ipynb"
        )

    def hosted_url(self, path):
        """Link to a file of the repository as it is served raw."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.branch}/{path}"


def find_root(start="."):
    """The course's root: the nearest folder from ``start`` upwards that holds source/ and pyproject.toml."""
    start = Path(start).resolve()
    for folder in (start, *start.parents):
        if (folder / "source").is_dir() and (folder / "pyproject.toml").is_file():
            return folder
    raise AutograderError(
        f"expected to run inside the course (a folder with source/ and pyproject.toml); {start} is not. "
        "Change into your clone and run the command again."
    )


def load_settings(root=None):
    """Settings for the course at ``root`` (default: found from the current folder)."""
    root = Path(root).resolve() if root else find_root()
    table = (
        tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        .get("tool", {})
        .get("autograder", {})
    )
    names = {field.name for field in fields(Settings)} - {"root"}
    unknown = sorted(set(table) - names)
    if unknown:
        raise AutograderError(
            f"{root / 'pyproject.toml'}: [tool.autograder] has no setting {unknown[0]!r}; known are {', '.join(sorted(names))}."
        )
    values = {name: os.environ.get(f"AUTOGRADER_{name.upper()}", table.get(name)) for name in names}
    values = {name: value for name, value in values.items() if value}
    values.setdefault("repository", _github_remote(root) or DEFAULT_REPOSITORY)
    return Settings(root, **values)


def _github_remote(root):
    try:
        out = subprocess.run(
            ["git", "-C", root, "remote", "get-url", "origin"],
            capture_output=True,
            text=True,
            timeout=10,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = GITHUB_REMOTE.search(out.stdout.strip())
    return match["name"] if match else ""
