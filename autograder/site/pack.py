"""The offline pack: one zip with the built site, and in it notebooks, audio and interactive pages. The same files give the same bytes."""

import io
import zipfile
from pathlib import Path

from autograder.course.errors import AutograderError
from autograder.course.files import write

NAME = "attention-built"
DATE = (1980, 1, 1, 0, 0, 0)
STORED = {".mp3", ".png", ".woff2", ".jpeg", ".zip"}  # small already: stored as they are
LEFT_OUT = {".buildinfo", ".nojekyll", "objects.inv"}  # for builds and servers only
START = """Attention, built: the whole course on your own disk.

Open index.html in a browser: nothing is loaded from anywhere else.
The notebooks are in notebooks/. They need Python with torch, matplotlib and numpy (chapter 8 also transformers):

    pip install jupyterlab torch matplotlib numpy transformers
    jupyter lab notebooks

Text, figures and narration: CC BY 4.0 (LICENSE-TEXT). Code: MIT (LICENSE).
"""


def pack(root, site, target=None):
    """Zip the site built in ``site`` into ``target`` (default: ``_build/attention-built.zip``). Returns the path.

    Raises AutograderError where no site was built, or where it lacks what the pack promises.
    """
    root, site = Path(root), Path(site)
    target = Path(target or root / "_build" / f"{NAME}.zip")
    if not (site / "index.html").is_file():
        raise AutograderError(
            f"{site} holds no index.html; the pack is made from a built site. Run 'make site' first."
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
    files |= {name: (root / name).read_bytes() for name in ("LICENSE", "LICENSE-TEXT")} | {
        "README.txt": START.encode()
    }
    write(target, zipped(files))
    return target


def zipped(files):
    """{name: bytes} as a zip in which nothing depends on the day, the machine or the order of the dictionary."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{NAME}/{name}", DATE)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            entry.compress_type = (
                zipfile.ZIP_STORED if Path(name).suffix in STORED else zipfile.ZIP_DEFLATED
            )
            archive.writestr(entry, content)
    return out.getvalue()
