"""``narration/manifest.json``: for each segment the hashes of its words and its sound, its seconds,
its voice.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from autograder.course.files import write

Manifest = dict[str, dict[str, dict[str, Any]]]  # {chapter name: {segment id: entry}}


def manifest_path(root: Path) -> Path:
    """Where the manifest of a course lies."""
    return Path(root, "narration", "manifest.json")


def read_manifest(root: Path) -> Manifest:
    """Entries with text_sha256, audio_sha256, voice, seconds and starts; empty where there is no
    file.
    """
    path = manifest_path(root)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_manifest(root: Path, manifest: Manifest) -> None:
    """Write the entries of all chapters that have any, in the order of their names."""
    kept = {name: entries for name, entries in sorted(manifest.items()) if entries}
    write(manifest_path(root), (json.dumps(kept, indent=1, sort_keys=True) + "\n").encode())


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
