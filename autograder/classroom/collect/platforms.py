"""What the paths in an export say: who handed the file in, which attempt it is, whether it was
late.

Canvas     submissions.zip: ``doejane_LATE_123_456_ch02-1.ipynb`` (name, LATE, user id,
submission id, file name, attempt) Moodle     ``Jane
Doe_123456_assignsubmission_file_/ch02.ipynb`` (full name, participant id), or the same in one
flat name Gradescope ``assignment_1_export/submission_123/ch02.ipynb`` beside
``submission_metadata.yml`` folder     ``jane/ch02.ipynb``, ``jane/ch02_single_head/ch02.ipynb``,
or ``jane.ipynb``
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

import yaml

from autograder.course.errors import SubmissionError

CANVAS = re.compile(
    r"^(?P<name>[^_]*)_(?P<late>LATE_)?(?P<user>\d+)_(?P<submission>\d+)_(?P<file>.+)$"
)
CANVAS_ATTEMPT = re.compile(r"^(?P<stem>.+?)-(?P<attempt>\d+)(?P<suffix>\.\w+)$")
MOODLE = re.compile(
    r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)$"
)
GRADESCOPE = re.compile(r"^submission_\d+$")
METADATA = "submission_metadata.yml"
LARGEST_METADATA = 32 * 2**20


class PlainYaml(yaml.SafeLoader):
    """YAML without aliases, by which a few lines could stand for gigabytes."""

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


@dataclass(frozen=True)
class HandedIn:
    """A file of an export with what the platform says about it."""

    keys: tuple[str, ...]  # what may identify the student, the best first
    file: str  # the file name as the student had it
    attempt: int = 0
    late: bool = False
    received: datetime | None = None


def recognise(entries):
    """Which platform exported these entries: "canvas", "moodle", "gradescope" or "folder"."""
    paths = [entry.path for entry in entries]
    if any(path.name == METADATA for path in paths):
        return "gradescope"
    notebooks = [path for path in paths if path.suffix == ".ipynb"] or paths
    if any(MOODLE.match(part) for path in notebooks for part in path.parts):
        return "moodle"
    if notebooks and sum(bool(CANVAS.match(path.parts[0])) for path in notebooks) * 2 > len(
        notebooks
    ):
        return "canvas"
    return "folder"


def reader(platform, entries):
    """A function from Entry to HandedIn, or to None where the path does not say who handed the file
    in.
    """
    if platform == "gradescope":
        return _gradescope(entries)
    return {"canvas": _canvas, "moodle": _moodle, "folder": _folder}[platform]


def _canvas(entry):
    match = CANVAS.match(entry.path.parts[0])
    if not match:
        return None
    attempt = CANVAS_ATTEMPT.match(match["file"])
    file = (
        entry.path.name
        if len(entry.path.parts) > 1
        else attempt["stem"] + attempt["suffix"]
        if attempt
        else match["file"]
    )
    return HandedIn(
        (match["user"], match["name"]),
        file,
        int(attempt["attempt"]) if attempt else 0,
        bool(match["late"]),
        entry.modified,
    )


def _moodle(entry):
    for part in entry.path.parts:
        match = MOODLE.match(part)
        if match:
            file = (
                match["file"] if match["file"] and len(entry.path.parts) == 1 else entry.path.name
            )
            return HandedIn((match["id"], match["name"]), file, received=entry.modified)
    return None


def _folder(entry):
    parts = entry.path.parts
    if len(parts) == 1:
        return HandedIn((entry.path.stem,), entry.path.name, received=entry.modified)
    return HandedIn((parts[0],), entry.path.name, received=entry.modified)


def _gradescope(entries):
    metadata = next((entry for entry in entries if entry.path.name == METADATA), None)
    if metadata is None:
        raise SubmissionError(
            f"expected a Gradescope export with {METADATA}; there is none. Export the "
            "submissions again, or name another --from."
        )
    if len(metadata.content) > LARGEST_METADATA:
        raise SubmissionError(
            f"{metadata.path}: larger than {LARGEST_METADATA // 2**20} MB; that is no list of "
            "submissions."
        )
    try:
        known = yaml.load(metadata.content.decode("utf-8"), PlainYaml) or {}
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise SubmissionError(
            f"{metadata.path}: not readable as YAML: {str(error).splitlines()[0]}"
        ) from error

    def read(entry):
        folder = next((part for part in entry.path.parts if GRADESCOPE.match(part)), None)
        about = _plain(known.get(folder)) if folder else None
        if not isinstance(about, dict):
            return None
        submitters = about.get("submitters") or [{}]
        who = (
            submitters[0]
            if isinstance(submitters, list) and isinstance(submitters[0], dict)
            else {}
        )
        keys = tuple(str(who[key]) for key in ("sid", "email", "name") if who.get(key))
        return (
            HandedIn(keys, entry.path.name, received=_time(about.get("created_at")))
            if keys
            else None
        )

    return read


def _plain(value):
    """Gradescope writes Ruby symbols as keys (``:sid``): the same without the colons."""
    if isinstance(value, dict):
        return {str(key).lstrip(":"): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _time(value):
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
