"""Opens and unpacks zip files of strangers: few entries, each with a name, stored or deflated, and
not encrypted.
"""

import hashlib
import re
import shutil
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from core.errors import InputError
from core.files.atomic import temporary_folder
from core.files.input_file import open_input
from core.files.paths import cache_folder, is_file_name
from core.files.reasons import READ_ERRORS, refusing
from core.progress import Progress
from core.text import format_bytes

ZIP = b"PK\x03\x04"
"""What a zip file begins with."""

_ENTRY = b"PK\x01\x02"  # begins the entry of a file in the directory of a zip file
_BLOCK = 1 << 20
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_MAX_LEVELS = 10  # of folders within each other
_OF_MACOS = re.compile(r"__MACOSX|\._.*|\.DS_Store")


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """What is unpacked at most: bytes of the zip file and of all that is in it; files, and folders.
    `kind`: what should be chosen instead.
    """

    packed: int
    unpacked: int
    files: int
    kind: str


@contextmanager
def open_zip(file: BinaryIO, max_files: int) -> Iterator[zipfile.ZipFile]:
    """The archive in `file`, which can seek; folders have entries of their own beside `max_files`
    files.

    Raises ValueError in words for any other, and what READ_ERRORS names for damaged ones.
    """
    # Counted before they are read: the entries of a small file may take a gigabyte.
    if _count(file) > 10 * max_files:
        raise ValueError(f"it holds too many files; at most {max_files:,} are read")
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        raise ValueError("it is no zip file that can be read") from None
    with archive:
        for entry in archive.infolist():
            if not entry.filename:
                raise ValueError("a file in it has no name")
            if entry.flag_bits & _ENCRYPTED:
                raise ValueError("it is encrypted")
            if entry.compress_type not in _METHODS:
                raise ValueError(
                    "it is packed in a way that is not read; choose the method “deflate”"
                )
        yield archive


def _count(file: BinaryIO) -> int:
    """How often the start of an entry is in the file, which is then at its start."""
    file.seek(0)
    found = 0
    end = b""
    while block := file.read(_BLOCK):
        text = end + block
        found += text.count(_ENTRY)
        # The start of an entry may lie across two blocks.
        end = text[-len(_ENTRY) + 1 :]
    file.seek(0)
    return found


def holds_name(path: Path, pattern: re.Pattern[str]) -> bool:
    """Whether a file in the zip file has such a name; True for a file that cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(map(pattern.fullmatch, archive.namelist()))
    except (zipfile.BadZipFile, *READ_ERRORS):
        return True


def unpacked(path: Path, name: str, limits: ZipLimits, progress: Progress) -> Path:
    """The folder in the folder `name` of the cache that holds what is in the zip file.

    Raises InputError where one of the limits is exceeded, before anything is unpacked.
    """
    with (
        refusing(
            "{path} cannot be unpacked ({reason}): send it again, or choose {kind}.",
            path=path,
            kind=limits.kind,
        ),
        open_input(path, limits.packed, limits.kind) as file,
    ):
        digest = hashlib.file_digest(cast(BufferedReader, file), "sha256").hexdigest()
        target = cache_folder() / name / digest[:24]
        if not target.is_dir():
            with open_zip(file, limits.files) as archive:
                files = _files(archive, path, limits)
                with temporary_folder(target.parent) as folder:
                    _unpack(archive, files, folder, progress)
                    if not target.is_dir():
                        # As a whole: a program that reads it meanwhile finds all of its files,
                        # or none.
                        folder.rename(target)
    inner = list(target.iterdir())
    return inner[0] if len(inner) == 1 and inner[0].is_dir() else target


def _files(
    archive: zipfile.ZipFile, path: Path, limits: ZipLimits
) -> dict[PurePosixPath, zipfile.ZipInfo]:
    """The files of the archive by their places in the folder. Raises InputError where one may not
    be there. Those that macOS adds are left out.
    """
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    total = sum(entry.file_size for entry in entries)
    if len(entries) > limits.files or total > limits.unpacked:
        raise InputError(
            "{path} holds {count:,} files of {size}; at most {most:,} files of {limit} are "
            "unpacked.",
            path=path,
            count=len(entries),
            size=format_bytes(total),
            most=limits.files,
            limit=format_bytes(limits.unpacked),
        )
    files: dict[PurePosixPath, zipfile.ZipInfo] = {}
    folders: set[PurePosixPath] = set()
    names: set[str] = set()
    for entry in entries:
        place = PurePosixPath(entry.filename.replace("\\", "/"))
        if any(map(_OF_MACOS.fullmatch, place.parts)):
            continue
        if (
            stat.S_ISLNK(entry.external_attr >> 16)
            or "\0" in entry.orig_filename
            # Windows and macOS have one file for names that differ in their case only.
            or str(place).casefold() in names
            or not place.parts
            or not all(map(is_file_name, place.parts))
        ):
            raise InputError(
                "{path} holds “{name}”, which would leave its folder, is there twice, or is "
                "no name of a file on all systems: do not use it.",
                path=path,
                name=entry.filename,
            )
        # Compared first: the paths of deep folders together take much more memory than their names.
        if len(place.parts) <= _MAX_LEVELS:
            folders.update(place.parents)
        if len(place.parts) > _MAX_LEVELS or len(folders) > limits.files:
            text = (
                "{path} holds too many folders: at most {most:,} are unpacked, and {levels} within "
                "each other."
            )
            raise InputError(text, path=path, most=limits.files, levels=_MAX_LEVELS)
        files[place] = entry
        names.add(str(place).casefold())
    return files


def _unpack(
    archive: zipfile.ZipFile,
    files: dict[PurePosixPath, zipfile.ZipInfo],
    folder: Path,
    progress: Progress,
) -> None:
    for index, (place, entry) in enumerate(files.items()):
        progress(index, len(files))
        target = folder.joinpath(*place.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        # zipfile reads no more than the size that the entry states.
        with archive.open(entry) as source, target.open("xb") as unpacked:
            shutil.copyfileobj(source, unpacked)
