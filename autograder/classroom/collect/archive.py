"""Read what a platform exports, a zip, a tar or a folder, without trusting a byte of it: nothing is
unpacked to disk, no link is followed.
"""

import gzip
import io
import os
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from autograder.classroom.late import in_utc
from autograder.classroom.platforms.platform import ExportedFile
from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION, readable

LARGEST_TOTAL = 8 * 2**30
LARGEST_INSIDE = 2**29  # of an archive inside the export, unpacked, with all archives in it
MOST_FILES = 100_000
MOST_IN_ZIP = 10_000  # files of a zip inside the export
UTF8 = 0x800  # among the flags of a file
LISTED = b"PK\x01\x02"  # begins the entry of each file in a zip's list
LARGEST_RATIO = 200  # a notebook seldom shrinks below 1/30; a zip bomb does to 1/1000
RATIO_COUNTS_FROM = 2**20  # bytes: small files may shrink as they like
TARS = (".tar", ".tar.gz", ".tgz")
NAMES = (b"L", b"K", b"x", b"g", b"X")  # types of a tar's entries that say something of the next
LONGEST_NAME = 2**16  # bytes of such an entry


def read_export(source: Path | str) -> Iterator[ExportedFile]:
    """Yield an ExportedFile for each file in a zip or folder, sorted by path, or in a tar. Archives
    inside are opened two levels deep: an export that was zipped again holds the zips of students.
    A student's archive that unpacks to too much is named, and the others are read.

    Raises SubmissionError if ``source`` itself is neither, or damaged.
    """
    source = Path(source)
    if source.is_dir():
        entries = _folder(source)
    elif zipfile.is_zipfile(source):
        entries = _zip(source)
    elif source.is_file() and tarfile.is_tarfile(source):
        entries = _tar_file(source)
    else:
        raise SubmissionError(
            f"{source}: expected a folder, a zip or a tar as the platform exports it; "
            f"{'it is none of them' if source.exists() else 'nothing is there'}."
        )
    first, levels = list(islice(entries, 2)), 2
    entries = chain(first, entries)
    if len(first) == 1:  # the export of a class, zipped again
        entries, levels = _unpacked(first[0]), 1
    left = LARGEST_TOTAL
    for entry in entries:
        if len(entry.content) > left:
            entry = ExportedFile(entry.path, problem="the export is too large: collect it alone")
        for inner in _at_most(min(left, LARGEST_INSIDE), entry, opened(entry, levels)):
            left -= len(inner.content)
            yield inner


def _at_most(
    most: int, entry: ExportedFile, files: Iterable[ExportedFile]
) -> Sequence[ExportedFile]:
    """The files of an entry; one that says why there are none where they hold too many bytes."""
    found: list[ExportedFile] = []
    for one in files:
        most -= len(one.content)
        if most < 0 and one.content is not entry.content:
            much = f"unpacks to more than {LARGEST_INSIDE >> 20} MB, which is no homework"
            return [ExportedFile(entry.path, problem=much)]
        found.append(one)
    return found


def opened(entry: ExportedFile, levels: int = 2) -> Iterator[ExportedFile]:
    """The entry, or the files in it where it is an archive."""
    for inner in _unpacked(entry) if levels else [entry]:
        yield from [entry] if inner is entry else opened(inner, levels - 1)


def _unpacked(entry: ExportedFile) -> Iterator[ExportedFile]:
    """The files of an entry that is an archive; else the entry itself."""
    suffix = entry.path.name.lower()
    if entry.problem or not suffix.endswith((".zip", ".7z", *TARS)):
        yield entry
        return
    if suffix.endswith(".7z"):
        yield ExportedFile(entry.path, problem="a 7z archive: unpack it, and hand in a zip")
        return
    for inner in _unzipped(entry) if suffix.endswith(".zip") else _untarred(entry):
        if not inner.path.name.startswith("._") and "__MACOSX" not in inner.path.parts:
            path = entry.path / (inner.path.name if inner.problem else inner.path)
            yield ExportedFile(path, inner.content, inner.problem)


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
    name = PurePosixPath(readable(_name(info).replace("\\", "/")))
    problem = _refused(name, info.file_size, stat.S_ISLNK(info.external_attr >> 16))
    if info.flag_bits & 1:
        problem = problem or "encrypted with a password"
    if info.file_size > max(RATIO_COUNTS_FROM, LARGEST_RATIO * info.compress_size):
        times = info.file_size // max(info.compress_size, 1)
        problem = problem or f"unpacks to {times} times its size, as zip bombs do"
    if problem:
        return ExportedFile(name if name.parts else PurePosixPath("nameless"), problem=problem)
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


def _refused(name: PurePosixPath, size: int, link: bool) -> str:
    """Why a file of an archive is not read; "" where nothing speaks against it."""
    if not name.parts:
        return "its name is none of a file"
    if name.is_absolute() or ".." in name.parts or ":" in name.parts[0]:
        return "its path points outside the archive"
    if link:
        return "a symbolic link; not followed"
    return _too_large(size) if size > LARGEST_SUBMISSION else ""


def _unzipped(entry: ExportedFile) -> Iterator[ExportedFile]:
    count = entry.content.count(LISTED)
    if count > MOST_IN_ZIP:
        yield ExportedFile(PurePosixPath(), problem=f"a zip of {count} files")
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(entry.content))
    except Exception as error:  # as above
        yield ExportedFile(PurePosixPath(), problem=f"a damaged zip file: {error}")
        return
    with archive:
        yield from (_member(archive, info) for info in _files(archive))


def _untarred(entry: ExportedFile) -> Iterator[ExportedFile]:
    try:
        yield from _tar(io.BytesIO(entry.content), len(entry.content), LARGEST_TOTAL)
    except Exception as error:  # as above
        yield ExportedFile(PurePosixPath(), problem=f"a damaged tar: {error}")


def _tar_file(source: Path) -> Iterator[ExportedFile]:
    with source.open("rb") as file:
        try:
            yield from _tar(file, source.stat().st_size, LARGEST_TOTAL)
        except Exception as error:  # as above
            raise SubmissionError(
                f"{source}: a damaged tar ({error}). Download it again."
            ) from error


class _Unpacked:
    """A tar's bytes, packed by gzip or not, and no more of them than a homework unpacks to."""

    def __init__(self, file: BinaryIO, most: int) -> None:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        self.file: Any = gzip.open(file) if packed else file
        self.left = most

    def read(self, size: int) -> bytes:
        data: bytes = self.file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise tarfile.TarError("it unpacks to many times its size, as bombs do")
        return data


class _Plain(tarfile.TarInfo):
    """tarfile holds in memory what stands in front of a file, its name and a list of its holes,
    however long they are.
    """

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type == tarfile.GNUTYPE_SPARSE or self.type in NAMES and self.size > LONGEST_NAME:
            raise tarfile.TarError("its files have names or holes that no homework has")
        found: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        return found

    def _proc_gnusparse_10(self, *about: object) -> None:
        raise tarfile.TarError("its files have holes")


def _tar(file: BinaryIO, packed: int, most: int) -> Iterator[ExportedFile]:
    """The plain files of a tar, read once from its begin to its end. Raises tarfile.TarError, and
    what the packers do.
    """
    unpacked: Any = _Unpacked(file, min(most, max(RATIO_COUNTS_FROM, LARGEST_RATIO * packed)))
    with tarfile.open(fileobj=unpacked, mode="r|", tarinfo=_Plain) as archive:
        for _ in range(MOST_FILES):
            if (info := archive.next()) is None:
                return
            archive.members = []  # type: ignore[attr-defined]  # it keeps what it has read
            name = PurePosixPath(readable(info.name))
            if problem := _refused(name, info.size, info.issym() or info.islnk()):
                yield ExportedFile(name, problem=problem)
            elif content := archive.extractfile(info):
                yield ExportedFile(name, content.read())
    raise tarfile.TarError(f"it holds more than {MOST_FILES} files")


def _too_large(size: int) -> str:
    return f"{size / 2**20:.0f} MB; at most {LARGEST_SUBMISSION // 2**20} MB are read"
