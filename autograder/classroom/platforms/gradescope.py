"""Gradescope: ``assignment_1_export/submission_123/ch02.ipynb`` beside ``submission_metadata.yml``,
which names the students and when they handed in.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from autograder.classroom.late import in_utc
from autograder.classroom.platforms.platform import ExportedFile, HandedIn, Platform, Reader
from autograder.course.errors import SubmissionError

FOLDER = re.compile(r"^submission_\d+$")
METADATA = "submission_metadata.yml"
LARGEST_METADATA = 32 * 2**20


class Gradescope(Platform):
    name, title = "gradescope", "Gradescope"

    def owns(self, path: PurePosixPath) -> bool:
        return path.name == METADATA and len(path.parts) < 3

    def reader(self, entries: Sequence[ExportedFile]) -> Reader:
        known = _metadata(entries)

        def read(entry: ExportedFile) -> list[HandedIn]:
            folder = next(filter(FOLDER.match, entry.path.parts), "")
            about = _plain(known.get(folder))
            submitters = about.get("submitters") if isinstance(about, dict) else None
            people = [
                tuple(str(who[key]) for key in ("sid", "email", "name") if who.get(key))
                for who in (submitters if isinstance(submitters, list) else ())
                if isinstance(who, dict)
            ]
            if not (people := list(filter(None, people))):
                return []
            received = _time(about.get("created_at"))
            first, *others = people
            return [HandedIn(first, entry.path.name, received=received, others=tuple(others))]

        return read


def _metadata(entries: Sequence[ExportedFile]) -> dict[str, Any]:
    """What the export says of each folder. Raises SubmissionError."""
    import yaml  # a student's machine has none

    class PlainYaml(yaml.SafeLoader):
        """YAML without aliases, by which a few lines could stand for gigabytes."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not read")
            return super().compose_node(parent, index)

    metadata = next((entry for entry in entries if entry.path.name == METADATA), None)
    if metadata is None:
        raise SubmissionError(
            f"expected a Gradescope export with {METADATA}; there is none. Export the "
            "submissions again, or name another --from."
        )
    if len(metadata.content) > LARGEST_METADATA:
        most = LARGEST_METADATA // 2**20
        raise SubmissionError(f"{metadata.path}: larger than {most} MB; no list of submissions.")
    try:
        return yaml.load(metadata.content.decode("utf-8"), PlainYaml) or {}
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise SubmissionError(
            f"{metadata.path}: not readable as YAML: {str(error).splitlines()[0]}"
        ) from error


def _plain(value: Any) -> Any:
    """Gradescope writes Ruby symbols as keys (``:sid``): the same without the colons."""
    if isinstance(value, dict):
        return {str(key).lstrip(":"): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _time(value: object) -> datetime | None:
    try:
        made = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return in_utc(made) if isinstance(made, datetime) else None
