"""The files that cells read, so that a notebook needs no network and gives the same numbers on
every machine: ``manual.txt.xz`` is the text that the models of chapters 9 to 13 learn from (its
licence stands beside it), ``chNN_…`` is what chapter NN reads.
"""

import hashlib
from pathlib import Path

SHA256 = {
    "ch08_manual.safetensors": "b69890331eb09b8df73b036cabaf29cc84ed7eca8e19b3b61c37e838419e4e98",
    "ch11_manual.safetensors": "1f69b8b050938b4e32af178a2cfffb81b0d91eb214594c817eab9201a965ebd1",
    "ch14_blocks.bin": "4829981ed449ef5e78cd4fb1b43d9297f322698ae3b4087c26066e1b99d7c344",
    "ch14_stored.json": "ff960a41237a08a87195f1bd8f7f1f450c91d33a3bec336f73828fe35dcecddc",
    "manual.txt.xz": "347ed53ddc2028f0440bfbc0589d392b07345d6e49994a4f987d834d9908e5e5",
}


def shipped(name: str) -> Path:
    """Where a file that came with the package lies, after a look at its sha256.

    >>> json.loads(ab.shipped("ch14_stored.json").read_text("utf-8"))

    Raises ValueError where the package has no such file, or another content than was shipped.
    """
    if name not in SHA256:
        raise ValueError(f"shipped: expected one of {', '.join(SHA256)}; got {name!r}")
    path = Path(__file__).with_name(name)
    found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "no file"
    if found != SHA256[name]:
        again = "type pip uninstall -y attention_built, and run the first cell again"
        raise ValueError(f"{path}: expected sha256 {SHA256[name]}, got {found}: {again}")
    return path


def manual() -> str:
    """The help topics of Python 3.11.7, one after the other: what ``help("topics")`` lists there.
    The running Python's own differ with each of its releases.

    >>> len(ab.manual())
    465048
    """
    import lzma  # some builds of Python have no lzma: only this text needs it

    return lzma.decompress(shipped("manual.txt.xz").read_bytes()).decode()
