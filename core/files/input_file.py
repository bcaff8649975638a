"""Opens files that the program reads: regular files only, up to a stated size.

Every reader of the program uses this module, with a limit that is a constant of the reader's module
(`MAX_BYTES`). A FIFO, socket or device is refused before it is opened, because reading it may block
the calling thread or never end.
"""

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from core.errors import InputError
from core.files.paths import StrPath
from core.files.reasons import reason_of
from core.text import format_bytes

_GZIP = b"\x1f\x8b"

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
)


def check_input(path: StrPath, max_bytes: int, kind: str) -> int:
    """The size in bytes of the regular file at `path`, which is at most `max_bytes`.

    `kind` names what the user should choose instead, such as "an image file". Raises InputError
    when there is no such file, when it is a folder, FIFO, socket or device, and when it is too
    large.
    """
    try:
        return _check(path, os.stat(path), max_bytes, kind)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, kind) from None


def open_input(path: StrPath, max_bytes: int, kind: str) -> BinaryIO:
    """The file at `path` opened for reading bytes. Raises InputError as `check_input` does."""
    check_input(path, max_bytes, kind)
    try:
        # Without blocking and checked again: the file may have been replaced by a FIFO since.
        file = os.fdopen(os.open(path, _FLAGS), "rb")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, kind) from None
    try:
        _check(path, os.fstat(file.fileno()), max_bytes, kind)
    except BaseException:
        file.close()
        raise
    return file


@contextmanager
def open_unpacked(path: StrPath, max_bytes: int, kind: str) -> Iterator[IO[bytes]]:
    """The content of the file at `path`, unpacked if it begins as gzip does, whatever its name.

    The limit is that of the packed file. Raises InputError as `check_input` does.
    """
    with open_input(path, max_bytes, kind) as file:
        is_packed = file.read(len(_GZIP)) == _GZIP
        file.seek(0)
        yield cast(IO[bytes], gzip.GzipFile(fileobj=file)) if is_packed else file


def head_of(path: StrPath, size: int) -> bytes:
    """The first `size` bytes of a file, unpacked; empty for what is no file that can be read."""
    try:
        with open_unpacked(path, sys.maxsize, "a file") as file:
            return file.read(size)
    except (InputError, OSError, EOFError, zlib.error):
        return b""


def read_input(path: StrPath, max_bytes: int, kind: str) -> bytes:
    """The content of the file at `path`. Raises InputError as `check_input` does."""
    with open_input(path, max_bytes, kind) as file:
        try:
            size = os.fstat(file.fileno()).st_size
            content = file.read(size + 1)
            if len(content) > size:  # as files of /proc, which have no size in advance
                content += file.read(max_bytes + 1 - len(content))
        except OSError as error:
            raise _unreadable(path, error, kind) from None
    if len(content) > max_bytes:
        raise _too_large(path, max_bytes, kind)
    return content


def _check(path: StrPath, status: os.stat_result, max_bytes: int, kind: str) -> int:
    if stat.S_ISDIR(status.st_mode):
        raise InputError("{path} is a folder: choose {kind}.", path=Path(path), kind=kind)
    if not stat.S_ISREG(status.st_mode):
        raise InputError(
            "{path} is not a regular file but a pipe, socket or device: choose {kind}.",
            path=Path(path),
            kind=kind,
        )
    if status.st_size > max_bytes:
        raise _too_large(path, max_bytes, kind)
    return status.st_size


def _too_large(path: StrPath, max_bytes: int, kind: str) -> InputError:
    return InputError(
        "{path} is larger than {limit}, the most that is read: choose {kind}.",
        path=Path(path),
        limit=format_bytes(max_bytes),
        kind=kind,
    )


def _unreadable(path: StrPath, error: OSError | ValueError, kind: str) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError("{path} does not exist: choose {kind}.", path=Path(path), kind=kind)
    reason = reason_of(error)
    return InputError(
        "{path} cannot be read ({reason}): choose {kind}.",
        path=Path(path),
        reason=reason,
        kind=kind,
    )
