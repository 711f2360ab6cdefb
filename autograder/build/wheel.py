"""The wheel of attention_built, beside the notebooks: the same bytes wherever it is made."""

import base64
import hashlib
import re
from pathlib import Path

from autograder.course.files import zipped
from autograder.course.settings import load_settings

PACKAGE = "attention_built"
VERSION = re.compile(r'^__version__ = "(?P<version>[\d.]+)"$', re.MULTILINE)
METADATA = """Metadata-Version: 2.1
Name: attention-built
Version: {version}
Summary: What the notebooks of "{course}" bring along. Needs PyTorch and matplotlib.
Requires-Python: >=3.10
License: MIT
"""
WHEEL = """Wheel-Version: 1.0
Generator: attention-autograder
Root-Is-Purelib: true
Tag: py3-none-any
"""


def wheel_path(root: Path) -> Path | None:
    """Where the wheel lies; None where the course has no package."""
    init = Path(root, PACKAGE, "__init__.py")
    found = VERSION.search(init.read_text(encoding="utf-8")) if init.is_file() else None
    name = f"{PACKAGE}-{found['version']}-py3-none-any.whl" if found else ""
    return Path(root, "notebooks", name) if name else None


def wheel_bytes(root: Path, tables: dict[Path, bytes]) -> bytes:
    """The package as a wheel.

    tables: {path: bytes} of the tables it is to hold.
    """
    path = wheel_path(root)
    assert path is not None
    version = path.name.split("-")[1]
    package = Path(root, PACKAGE)
    read = {*package.rglob("*.py"), *package.glob("shipped/*.*")}
    found = {path: path.read_bytes() for path in read} | tables
    files = {path.relative_to(root).as_posix(): content for path, content in found.items()}
    info = f"{PACKAGE}-{version}.dist-info"
    files[f"{info}/METADATA"] = METADATA.format(
        version=version, course=load_settings(root).course
    ).encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    record = [f"{name},{_hash(content)},{len(content)}" for name, content in sorted(files.items())]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    return zipped(files)


def _hash(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={digest.decode().rstrip('=')}"
