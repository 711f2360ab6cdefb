"""Read what a platform exports, a zip or a folder, without trusting a byte of it: nothing is
unpacked to disk, no link is followed.
"""

import io
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from autograder.course.errors import SubmissionError
from autograder.course.files import LARGEST_SUBMISSION

LARGEST_TOTAL = 8 * 2**30
MOST_FILES = 100_000
LARGEST_RATIO = 200  # a notebook seldom shrinks below 1/30; a zip bomb does to 1/1000
RATIO_COUNTS_FROM = 2**20  # bytes: small files may shrink as they like


@dataclass(frozen=True)
class ExportedFile:
    """One file of an export: its path there, and either its bytes or why it was not read.

    Its date is not kept: Canvas (content_zipper.rb) and Moodle (zip_writer.php) stamp the entries
    of a zip when they build it, and a copy or a clone has the date of the copy.
    """

    path: PurePosixPath
    content: bytes = b""
    problem: str = ""


def read_export(source: Path | str) -> Iterator[ExportedFile]:
    """Yield an ExportedFile for each file in a zip file or folder, sorted by path. Zips inside are
    opened one level deep.

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
    for entry in entries:
        if entry.path.suffix.lower() == ".zip" and not entry.problem:
            yield from _nested(entry)
        else:
            yield entry


def _folder(root):
    for path in sorted(root.rglob("*")):
        if path.is_dir() and not path.is_symlink() or ".git" in path.relative_to(root).parts:
            continue
        name = PurePosixPath(path.relative_to(root).as_posix())
        if path.is_symlink():
            yield ExportedFile(name, problem="a symbolic link; not followed")
        elif not path.is_file():
            yield ExportedFile(name, problem="no plain file")
        elif path.stat().st_size > LARGEST_SUBMISSION:
            yield ExportedFile(name, problem=_too_large(path.stat().st_size))
        else:
            yield ExportedFile(name, path.read_bytes())


def _zip(source):
    try:
        with zipfile.ZipFile(source) as archive:
            infos = sorted(archive.infolist(), key=lambda info: info.filename)
            if len(infos) > MOST_FILES:
                raise SubmissionError(
                    f"{source}: holds {len(infos)} files; at most {MOST_FILES} are read."
                )
            total = 0
            for info in infos:
                if info.is_dir():
                    continue
                entry = _member(archive, info)
                total += len(entry.content)
                if total > LARGEST_TOTAL:
                    raise SubmissionError(
                        f"{source}: unpacks to more than {LARGEST_TOTAL / 2**30:.0f} GB; that is "
                        "no class's homework."
                    )
                yield entry
    except zipfile.BadZipFile as error:
        raise SubmissionError(
            f"{source}: a damaged zip file ({error}). Download it again."
        ) from error


def _member(archive, info):
    name = PurePosixPath(info.filename.replace("\\", "/"))
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
        return ExportedFile(
            name,
            problem=(
                f"unpacks to {info.file_size // max(info.compress_size, 1)} times its size, "
                "as zip bombs do"
            ),
        )
    try:
        with archive.open(info) as file:
            content = file.read(LARGEST_SUBMISSION + 1)
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
    ) as error:
        return ExportedFile(name, problem=f"cannot be unpacked: {error}")
    except Exception as error:  # zlib.error, lzma.LZMAError: damaged data
        return ExportedFile(name, problem=f"damaged: {error}")
    if len(content) > LARGEST_SUBMISSION:
        return ExportedFile(name, problem=_too_large(len(content)))
    return ExportedFile(name, content)


def _nested(entry):
    """The files of a zip that a student handed in, their paths below the zip's own name."""
    try:
        with zipfile.ZipFile(io.BytesIO(entry.content)) as archive:
            infos = [
                info
                for info in archive.infolist()
                if not info.is_dir() and not info.filename.startswith("__MACOSX/")
            ]
            if len(infos) > 1000:
                yield ExportedFile(entry.path, problem=f"a zip of {len(infos)} files")
                return
            for info in infos:
                inner = _member(archive, info)
                yield ExportedFile(entry.path / inner.path.name, inner.content, inner.problem)
    except (zipfile.BadZipFile, NotImplementedError) as error:
        yield ExportedFile(entry.path, problem=f"a damaged zip file: {error}")


def _too_large(size):
    return f"{size / 2**20:.0f} MB; at most {LARGEST_SUBMISSION // 2**20} MB are read"
