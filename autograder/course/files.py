"""Files that are never half written, and notebooks and zips whose bytes depend on nothing but what
is in them.
"""

import io
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path, PurePath

import nbformat
from nbformat import NotebookNode

LARGEST_SUBMISSION = 64 << 20  # bytes of one file; a larger one becomes a row with a reason
# control characters, and those that turn the direction of text or have no width; the joiners that
# some scripts are written with stay
UNSEEN = r"\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the date of every entry


def write(path: Path, content: bytes) -> bool:
    """Write bytes to a temporary file beside ``path``, then move it there. Returns whether the
    bytes are new.
    """
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    except OSError as error:
        error.filename = str(path)
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    return True


def readable(name: str | PurePath) -> str:
    """A path as text that can be written anywhere: bytes that are not UTF-8 are shown as �, what
    nobody would see by its number.

    >>> readable("gpj\\u202e.ipynb")
    'gpj\\\\u202e.ipynb'
    """
    text = os.fsencode(name).decode("utf-8", "replace")
    return re.sub(f"[{UNSEEN}]", lambda one: one[0].encode("unicode_escape").decode(), text)


def zipped(
    files: Mapping[str, bytes], executable: Collection[str] = (), stored: Collection[str] = ()
) -> bytes:
    """A zip of {name: bytes}, as bytes, sorted by name.

    executable: names of programs; stored: suffixes that are not compressed again (".mp3").
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = (0o755 if name in executable else 0o644) << 16
            kept = name.endswith(tuple(stored)) if stored else False
            archive.writestr(info, content, zipfile.ZIP_STORED if kept else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def notebook_bytes(notebook: NotebookNode) -> bytes:
    """A notebook as bytes: sorted keys, one-space indent, no execution counts beyond their order, a
    final newline.
    """
    nbformat.validate(notebook)
    v4 = nbformat.v4.rwbase
    plain = v4.strip_transient(nbformat.from_dict(json.loads(json.dumps(notebook))))
    text = json.dumps(v4.split_lines(plain), indent=1, sort_keys=True, ensure_ascii=False)
    return f"{text}\n".encode()
