"""Read what a platform exports, a zip or a folder, without trusting a byte of it: nothing is
unpacked to disk, no link is followed.
"""

import io
import os
import stat
import subprocess
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from autograder.classroom.late import in_utc
from autograder.classroom.platforms.platform import ExportedFile
from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION, readable

LARGEST_TOTAL = 8 * 2**30
MOST_FILES = 100_000
MOST_IN_ZIP = 10_000  # files of a zip inside the export
UTF8 = 0x800  # among the flags of a file
LISTED = b"PK\x01\x02"  # begins the entry of each file in a zip's list
LARGEST_RATIO = 200  # a notebook seldom shrinks below 1/30; a zip bomb does to 1/1000
RATIO_COUNTS_FROM = 2**20  # bytes: small files may shrink as they like


def read_export(source: Path | str) -> Iterator[ExportedFile]:
    """Yield an ExportedFile for each file in a zip file or folder, sorted by path. Zips inside are
    opened two levels deep: an export that was zipped again holds the zips of students.

    Raises SubmissionError if ``source`` itself is neither, or damaged.
    """
    source = Path(source)
    if source.is_dir():
        entries = _folder(source)
    elif zipfile.is_zipfile(source):
        entries = _zip(source)
    else:
        raise SubmissionError(
            f"{source}: expected a folder or a zip file as the platform exports it; "
            f"{'it is neither' if source.exists() else 'nothing is there'}."
        )
    total = 0
    for entry in entries:
        for inner in opened(entry):
            total += len(inner.content)
            if total > LARGEST_TOTAL:
                raise SubmissionError(
                    f"{source}: unpacks to more than {LARGEST_TOTAL / 2**30:.0f} GB; that is "
                    "no class's homework."
                )
            yield inner


def opened(entry: ExportedFile, levels: int = 2) -> Iterator[ExportedFile]:
    """The entry, or the files in it where it is a zip."""
    if entry.path.suffix.lower() != ".zip" or entry.problem or not levels:
        yield entry
        return
    for inner in _nested(entry):
        yield from opened(inner, levels - 1)


def _folder(root: Path) -> Iterator[ExportedFile]:
    for path in sorted(root.rglob("*")):
        if path.is_dir() and not path.is_symlink() or ".git" in path.relative_to(root).parts:
            continue
        name = PurePosixPath(readable(path.relative_to(root)))
        if path.is_symlink():
            yield ExportedFile(name, problem="a symbolic link; not followed")
        elif not path.is_file():
            yield ExportedFile(name, problem="no plain file")
        elif path.stat().st_size > LARGEST_SUBMISSION:
            yield ExportedFile(name, problem=_too_large(path.stat().st_size))
        else:
            committed = _committed(root, path) if path.suffix == ".ipynb" else None
            yield ExportedFile(name, path.read_bytes(), committed=committed)


def _committed(root: Path, path: Path) -> datetime | None:
    """When a file of a clone was last committed; None outside of clones.

    The clone's own settings may come from a student: git runs no program for rev-list, and is
    kept from fetching what the clone lacks.
    """
    clone = next((one for one in path.parents if (one / ".git").exists()), None)
    if clone is None or root not in (clone, *clone.parents):
        return None
    environment = {
        **os.environ,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }
    command = ["git", "--literal-pathspecs", "-c", "core.fsmonitor=false", "rev-list", "-1"]
    try:
        done = subprocess.run(
            [*command, "--format=%ct", "HEAD", "--", path.relative_to(clone).as_posix()],
            cwd=clone,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
        )
        lines = done.stdout.split("\n")  # "commit <hash>", then the time
        return in_utc(datetime.fromtimestamp(int(lines[1]), UTC))
    except (OSError, ValueError, IndexError, OverflowError, subprocess.TimeoutExpired):
        return None


def _zip(source: Path) -> Iterator[ExportedFile]:
    try:
        archive = zipfile.ZipFile(source)
    except Exception as error:  # as many kinds as there are ways to damage a zip
        raise SubmissionError(
            f"{source}: a damaged zip file ({error}). Download it again."
        ) from error
    with archive:
        infos = sorted(_files(archive), key=lambda info: info.filename)
        if len(infos) > MOST_FILES:
            raise SubmissionError(
                f"{source}: holds {len(infos)} files; at most {MOST_FILES} are read."
            )
        for info in infos:
            yield _member(archive, info)


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [info for info in archive.infolist() if not info.filename.endswith("/")]


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> ExportedFile:
    name = PurePosixPath(_name(info).replace("\\", "/"))
    if not name.parts:
        return ExportedFile(PurePosixPath("nameless"), problem="its name is none of a file")
    if name.is_absolute() or ".." in name.parts or any(":" in part for part in name.parts[:1]):
        return ExportedFile(name, problem="its path points outside the archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        return ExportedFile(name, problem="a symbolic link; not followed")
    if info.flag_bits & 1:
        return ExportedFile(name, problem="encrypted with a password")
    if info.file_size > LARGEST_SUBMISSION:
        return ExportedFile(name, problem=_too_large(info.file_size))
    if info.file_size > RATIO_COUNTS_FROM and info.file_size > LARGEST_RATIO * max(
        info.compress_size, 1
    ):
        times = info.file_size // max(info.compress_size, 1)
        return ExportedFile(name, problem=f"unpacks to {times} times its size, as zip bombs do")
    try:
        with archive.open(info) as file:
            content = file.read(LARGEST_SUBMISSION + 1)
    except Exception as error:  # as above
        return ExportedFile(name, problem=f"cannot be unpacked: {error}")
    if len(content) > LARGEST_SUBMISSION:
        return ExportedFile(name, problem=_too_large(len(content)))
    return ExportedFile(name, content)


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a file in a zip; UTF-8 where the flag for it is missing, as a Mac leaves it."""
    try:
        return (
            info.filename if info.flag_bits & UTF8 else info.orig_filename.encode("cp437").decode()
        )
    except UnicodeError:
        return info.filename


def _nested(entry: ExportedFile) -> Iterator[ExportedFile]:
    """The files of a zip inside the export, their paths below the zip's own name."""
    count = entry.content.count(LISTED)
    if count > MOST_IN_ZIP:
        yield ExportedFile(entry.path, problem=f"a zip of {count} files")
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(entry.content))
    except Exception as error:  # as above
        yield ExportedFile(entry.path, problem=f"a damaged zip file: {error}")
        return
    with archive:
        for info in _files(archive):
            if not info.filename.startswith("__MACOSX/"):
                inner = _member(archive, info)
                path = entry.path / (inner.path.name if inner.problem else inner.path)
                yield ExportedFile(path, inner.content, inner.problem)


def _too_large(size: int) -> str:
    return f"{size / 2**20:.0f} MB; at most {LARGEST_SUBMISSION // 2**20} MB are read"
