"""The part of the course that grading a chapter needs, as bytes: so that a worker shares nothing with the coordinator but the package."""

import hashlib
import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

from .carry import carried_chapters
from .chapter import find_chapter


@dataclass(frozen=True)
class Course:
    """The sources of a chapter and of all it carries from, zipped."""

    digest: str
    archive: bytes

    def unpack(self, folder):
        with zipfile.ZipFile(io.BytesIO(self.archive)) as archive:
            archive.extractall(folder)


def pack(root, chapter):
    """The Course of a chapter. The same sources give the same digest."""
    sources, wanted = {}, [chapter]
    while wanted:
        one = wanted.pop()
        if one.name not in sources:
            sources[one.name] = one.path.read_bytes()
            wanted += [find_chapter(root, name) for name in carried_chapters(one)]
    out, digest = io.BytesIO(), hashlib.sha256()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(sources.items()):
            archive.writestr(str(Path("source", name, f"{name}.py")), content)
            digest.update(name.encode() + b"\0" + content + b"\0")
    return Course(digest.hexdigest(), out.getvalue())
