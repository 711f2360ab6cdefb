"""The offline pack: one zip with the built site, and in it notebooks, audio and interactive pages.
The same files give the same bytes.
"""

from pathlib import Path

from autograder.course.errors import AutograderError
from autograder.course.files import write, zipped
from autograder.course.settings import load_settings

NAME = "attention-built"
STORED = (".mp3", ".png", ".woff2", ".jpeg", ".zip")  # small already: stored as they are
LEFT_OUT = {".buildinfo", ".made-from", ".nojekyll", "objects.inv"}  # for builds and servers only
START = """{course}: the whole course on your own disk.

Open index.html in a browser: nothing is loaded from anywhere else.
The notebooks are in notebooks/. They need Python with torch, matplotlib and numpy
(chapters 8, 11, 13 and 14 also transformers):

    pip install jupyterlab torch matplotlib numpy transformers
    jupyter lab notebooks

Text, figures and narration: CC BY 4.0 (LICENSE-TEXT). Code: MIT (LICENSE).
"""


def write_offline_zip(root: Path, site: Path, target: Path | None = None) -> Path:
    """Zip the site built in ``site`` into ``target`` (default: ``_build/attention-built.zip``).
    Returns the path.

    Raises AutograderError where no site was built, or where it lacks what the pack promises.
    """
    root, site = Path(root), Path(site)
    target = Path(target or root / "_build" / f"{NAME}.zip")
    if not (site / "index.html").is_file():
        raise AutograderError(
            f"{site} holds no index.html; the pack is made from a built site. "
            "Run 'make site' first."
        )
    for folder in ("notebooks", "narration", "interactive"):
        if not any((site / folder).rglob("*.*")):
            raise AutograderError(
                f"{site / folder} is empty; run 'make site' again, from a clone that holds it."
            )
    files = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in site.rglob("*")
        if path.is_file() and path.name not in LEFT_OUT
    }
    files |= {name: (root / name).read_bytes() for name in ("LICENSE", "LICENSE-TEXT")}
    files["README.txt"] = START.format(course=load_settings(root).course).encode()
    write(target, zipped({f"{NAME}/{name}": text for name, text in files.items()}, stored=STORED))
    return target
