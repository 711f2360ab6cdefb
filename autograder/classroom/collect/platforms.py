"""What the paths in an export say: who handed the file in, which attempt it is, how late it was.

Canvas      ``doejane_LATE_123_456_ch02.ipynb``: name, LATE, user id, attachment id, file name
            (app/models/content_zipper.rb, zip_assignment); ``anon_a1B2c_LATE_456_ch02.ipynb`` or
            ``LATE_anon_a1B2c_456_ch02.ipynb`` where marking is anonymous. A group's file has the
            group's name, and the id of the member who stands for it (get_user_name)
Moodle      ``Jane Doe_123456_assignsubmission_file_/ch02.ipynb``: full name, participant id
            (mod/assign/classes/downloader.php, get_student_prefix), or the same in one flat name.
            A team's file has the team's name and number, or "Default group" and no number
Gradescope  ``assignment_1_export/submission_123/ch02.ipynb`` beside ``submission_metadata.yml``
Blackboard  ``Homework 2_jdoe_attempt_2026-11-02-12-30-15_ch02.ipynb``: assignment, user, time
Brightspace ``1234-567 - Jane Doe - Nov 2, 2026 1230 PM/ch02.ipynb``: id, full name, time
folder      ``jane/ch02.ipynb``, ``jane/ch02_single_head/ch02.ipynb``, ``jane.ipynb``, clones of
            students' repositories, ``ch02-jane/ch02.ipynb``, or the Drive folder of a Google
            Classroom assignment, ``Jane Doe - ch02.ipynb``
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import yaml

from autograder.classroom.collect.archive import ExportedFile
from autograder.course.errors import SubmissionError

CANVAS = re.compile(
    r"^(?P<late>LATE_)?(?P<user>\d{1,20})_(?P<attachment>\d{1,20})_(?P<file>.+)$", re.IGNORECASE
)
CANVAS_ANONYMOUS = re.compile(
    r"^(?P<late>LATE_)?anon_(?:(?P<user>[A-Za-z0-9]{5})_)(?P<after>LATE_)?(?P<attachment>\d{1,20})_(?P<file>.+)$"
)
MOODLE = re.compile(
    r"^(?P<name>.+?)(?:_(?P<id>\d+))?_assignsubmission_(?:file|onlinetext)_?(?P<file>.*)$"
)
BLACKBOARD = re.compile(
    r"^.+?_(?P<user>[^_]+)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+))?$"
)
BRIGHTSPACE = re.compile(
    r"^\d+-\d+ ?- ?(?P<name>.+?) ?- ?(?P<day>\w{3} \d{1,2}, \d{4}) "
    r"(?P<clock>\d{3,4}) (?P<half>[AP]M)$"
)
CLONE = re.compile(r"^ch\d\d?(?:[_-][a-z_]+?)?-(?P<user>[A-Za-z0-9-]+)$")
CHAPTER_ALONE = re.compile(r"^ch[\s_-]?\d{1,2}(?:_[a-z0-9_]+)?(?: ?[-(]\d+\)?)?$", re.IGNORECASE)
COPY_FOR = re.compile(r"^(?P<name>.+?) - .+$")
GRADESCOPE = re.compile(r"^submission_\d+$")
METADATA = "submission_metadata.yml"
LARGEST_METADATA = 32 * 2**20
PLATFORMS = ("canvas", "moodle", "gradescope", "blackboard", "brightspace", "folder")


class PlainYaml(yaml.SafeLoader):
    """YAML without aliases, by which a few lines could stand for gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


@dataclass(frozen=True)
class HandedIn:
    """A file of an export with what the platform says about it."""

    keys: tuple[str, ...]  # what may identify the student, the best first
    file: str  # the file name as the student had it
    attempt: int = 0  # greater for what was handed in later, where the platform numbers it
    late: bool = False
    received: datetime | None = None  # in UTC; None where the platform does not say
    group: str = ""  # what may be the name of a group
    others: tuple[tuple[str, ...], ...] = ()  # the keys of each further student of the same file


Reader = Callable[[ExportedFile], Sequence[HandedIn]]


def recognise(entries: Sequence[ExportedFile]) -> str:
    """Which platform exported these files; "folder" where none is recognised."""
    paths = [entry.path for entry in entries]
    if any(path.name == METADATA for path in paths):
        return "gradescope"
    notebooks = [path for path in paths if path.suffix == ".ipynb"] or paths
    if any(MOODLE.match(part) for path in notebooks for part in path.parts):
        return "moodle"
    if any(BLACKBOARD.match(path.name) for path in notebooks):
        return "blackboard"
    if any(BRIGHTSPACE.match(part) for path in notebooks for part in path.parts[:-1]):
        return "brightspace"
    canvas = sum(bool(_canvas_readings(path.parts[0])) for path in notebooks)
    return "canvas" if notebooks and canvas * 2 > len(notebooks) else "folder"


def reader(platform: str, entries: Sequence[ExportedFile]) -> Reader:
    """A function that gives the ways in which a file's path can be read; none where it does not say
    who handed the file in.
    """
    if platform == "gradescope":
        return _gradescope(entries)
    read = {
        "canvas": _canvas,
        "moodle": _moodle,
        "blackboard": _blackboard,
        "brightspace": _brightspace,
        "folder": _folder,
    }[platform]
    return lambda entry: [one for one in read(entry) if one]


def _canvas_readings(part):
    """[{name, late, user, attachment, file}]: more than one where a name or a file's name holds
    numbers between underscores, as ``team_1_101_9001_ch02.ipynb``.
    """
    anonymous = CANVAS_ANONYMOUS.match(part)
    if anonymous:
        return [{"name": "", **anonymous.groupdict()}]
    readings = []
    for i in (i for i, letter in enumerate(part) if letter == "_"):
        match = CANVAS.match(part[i + 1 :])
        if match and not (match["late"] is None and part[:i].upper().endswith("_LATE")):
            readings.append({"name": part[:i], **match.groupdict()})
    return readings


def _canvas(entry):
    """Canvas numbers attachments as they come in: the greater number is the later file.

    It adds "-1" and so on to names that a student used before, which a name may also end in. An
    account is older than what it hands in: of two readings, the one with the greater user id goes.
    """
    readings = _canvas_readings(entry.path.parts[0])
    likely = [r for r in readings if not r["user"].isdigit() or _number(r, "user") < _number(r)]
    for about in likely or readings:
        keys = (about["user"], about["name"]) if about["name"] else (about["user"],)
        file = about["file"] if len(entry.path.parts) == 1 else entry.path.name
        late = bool(about["late"] or about.get("after"))
        yield HandedIn(keys, file, _number(about), late, group=about["name"])


def _number(about, name="attachment"):
    return int(about[name])


def _moodle(entry):
    for part in entry.path.parts:
        match = MOODLE.match(part)
        if match:
            flat = match["file"] and len(entry.path.parts) == 1
            keys = tuple(filter(None, (match["id"], match["name"])))
            file = match["file"] if flat else entry.path.name
            return [HandedIn(keys, file, group=match["name"])]
    return []


def _blackboard(entry):
    """Blackboard gives the time of its own clock, without a zone: it orders attempts, no more."""
    match = BLACKBOARD.match(entry.path.parts[0])
    if not match:
        return []
    attempt = int(match["time"].replace("-", ""))
    return [HandedIn((match["user"],), match["file"] or entry.path.name, attempt)]


def _brightspace(entry):
    for part in entry.path.parts[:-1]:
        match = BRIGHTSPACE.match(part)
        if match:
            text = f"{match['day']} {match['clock']:0>4} {match['half']}"
            try:
                attempt = int(datetime.strptime(text, "%b %d, %Y %I%M %p").strftime("%Y%m%d%H%M"))
            except ValueError:
                attempt = 0
            return [HandedIn((match["name"],), entry.path.name, attempt)]
    return []


def _folder(entry):
    """A file of a Drive folder that is named for the chapter alone says nothing of a student."""
    parts, stem = entry.path.parts, entry.path.stem
    if len(parts) == 1:
        if CHAPTER_ALONE.match(stem):
            return []
        copy = COPY_FOR.match(stem)
        keys = (copy["name"], stem) if copy else (stem,)
        return [HandedIn(keys, entry.path.name, group=keys[0])]
    clone = CLONE.match(parts[0])
    student = clone["user"] if clone else parts[0]
    return [HandedIn((student,), entry.path.name, received=entry.committed, group=student)]


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
        submitters = about.get("submitters") if isinstance(about, dict) else None
        if not isinstance(submitters, list):
            return []
        people = [
            tuple(str(who[key]) for key in ("sid", "email", "name") if who.get(key))
            for who in submitters
            if isinstance(who, dict)
        ]
        people = [keys for keys in people if keys]
        if not people:
            return []
        received = _time(about.get("created_at"))
        return [HandedIn(people[0], entry.path.name, received=received, others=tuple(people[1:]))]

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
