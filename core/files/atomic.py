"""Writes files so that a crash, a kill or a full disk leaves the old file complete.

Content is written to a temporary file in the same folder, which then replaces the target. The name
of the temporary file or folder has the process's number: what a killed process left is removed at
the next write into the folder. `check_writable` tells early, before hours of work depend on it,
whether a file can be written.
"""

import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import InputError
from core.files.paths import StrPath
from core.files.reasons import is_too_long, reason_of
from core.text import format_bytes

_TEMPORARY = re.compile(r"\.digitlab-(\d+)-[0-9a-f]{8}\.tmp")
# Seconds without a write; a process in another container has a number that is unknown here.
_MIN_AGE = 10.0
_RETRY_SECONDS = 2.0  # how long a virus scanner or a spreadsheet may hold a file
_RETRY_PAUSE = 0.05
_TOO_LONG = "{path} cannot be written: its name is too long. Choose a shorter one."
_cleaned: set[Path] = set()


@contextmanager
def atomic_path(path: StrPath) -> Iterator[Path]:
    """A temporary path to write to; it replaces `path` when the block ends without error, else it
    is removed.

    Missing folders are created. Permissions of an existing file are kept; if `path` is a symbolic
    link, the file that it points to is replaced. Raises InputError for an OSError in the block (no
    permission, disk full), so the block should do nothing but write.
    """
    with _temporary_for(path) as (temporary, target):
        yield temporary
        _flush(temporary)
        with suppress(OSError):
            old = target.stat()
            if hasattr(os, "chown"):
                os.chown(temporary, old.st_uid, old.st_gid)
            # After `chown`, which may take bits of the permissions away.
            temporary.chmod(stat.S_IMODE(old.st_mode))
        _replace(temporary, target)


def write_atomically(path: StrPath, content: bytes) -> None:
    """Write `content` to `path` as `atomic_path` does. Raises InputError when it cannot be
    written.
    """
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """A new folder in `parent` to fill, which is removed at the end unless it was renamed. Raises
    OSError.
    """
    parent.mkdir(parents=True, exist_ok=True)
    _remove_stale(parent, os.listdir(parent))
    folder = parent / _temporary_name()
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_new(path: StrPath, content: bytes) -> bool:
    """Write `content` to `path` unless it exists; returns whether it was written.

    Of several programs that write the same new path at once, exactly one succeeds. Raises
    InputError when the file cannot be written.
    """
    with _temporary_for(path) as (temporary, target):
        temporary.write_bytes(content)
        _flush(temporary)
        try:
            # One program alone makes the file; the content takes its place at once.
            target.open("xb").close()
        except FileExistsError:
            return False
        _replace(temporary, target)
        return True


def move(source: Path, target: Path) -> None:
    """Move a file or folder to `target`, whose folder is created. Raises InputError if it cannot be
    moved.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(source, target)
    except OSError as error:
        raise InputError(
            "{path} could not be moved ({reason}): close the programs that use it.",
            path=source,
            reason=reason_of(error),
        ) from error


def remove_stale_temporaries(folder: Path) -> None:
    """Remove the temporary files and folders below `folder` that killed processes left. Errors are
    ignored.
    """
    for current, folders, names in os.walk(folder):
        _remove_stale(Path(current), names + folders)


def _temporary_name() -> str:
    return f".digitlab-{os.getpid()}-{secrets.token_hex(4)}.tmp"


@contextmanager
def _temporary_for(path: StrPath) -> Iterator[tuple[Path, Path]]:
    """A temporary path, removed at the end, and the target with links resolved. OSError becomes
    InputError.
    """
    temporary = None
    try:
        target = _resolve(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        # Once for each folder and session: a run writes into its folder every second.
        if target.parent not in _cleaned:
            _cleaned.add(target.parent)
            _remove_stale(target.parent, os.listdir(target.parent))
        temporary = target.with_name(_temporary_name())
        yield temporary, target
    except OSError as error:
        template = (
            "{path} could not be written ({reason}): choose another folder or free some space."
        )
        if is_too_long(error):
            template = _TOO_LONG
        if sys.platform == "win32" and isinstance(error, PermissionError):
            template = (
                "{path} could not be written ({reason}): close the program that has it open, or "
                "choose another folder."
            )
        raise InputError(template, path=Path(path), reason=reason_of(error)) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


def _resolve(path: StrPath) -> Path:
    """`path` with symbolic links resolved. Raises OSError if it is a device, FIFO or socket, or
    cannot be a path.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            raise OSError("it is not a regular file")
    except ValueError as error:
        raise OSError(str(error)) from None
    return target


def _replace(temporary: Path, target: Path) -> None:
    """`os.replace`. On Windows it is refused while another program has `target` open, so it is
    tried again.
    """
    deadline = time.monotonic() + _RETRY_SECONDS
    while True:
        try:
            return os.replace(temporary, target)
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_PAUSE)


def _flush(path: Path) -> None:
    """Wait until the content of `path` is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _remove_stale(folder: Path, names: list[str]) -> None:
    for name in names:
        match = _TEMPORARY.fullmatch(name)
        if match and not _is_running(int(match[1])):
            with suppress(OSError):
                path = folder / name
                if time.time() - path.stat().st_mtime <= _MIN_AGE:
                    continue
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink()


def _is_running(process: int) -> bool:
    """Whether there is a process of this number."""
    if os.name == "nt":  # there, os.kill would end the process
        import ctypes

        kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
        handle = kernel.OpenProcess(0x1000, False, process)  # PROCESS_QUERY_LIMITED_INFORMATION
        if handle:
            kernel.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's
        return True
    return True


def check_writable(path: str | Path, size: int = 0) -> None:
    """Raise InputError unless a file of `size` bytes can be written to `path`. Missing folders are
    created.
    """
    path = Path(path)
    # False for a name that is too long, for which `Path.is_dir` raises OSError.
    if os.path.isdir(path):
        raise InputError(
            "{path} is a folder: name a file in it, such as {example}.",
            path=path,
            example=path / "model.safetensors",
        )
    if os.path.exists(path) and not path.is_file():
        raise InputError("{path} is not a regular file: choose another name.", path=path)
    try:
        str(path).encode()  # the library that reads models takes only UTF-8 paths
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            path.lstat()
        # Permissions alone do not tell whether a file can be made, on network drives and Windows
        # for instance.
        with tempfile.NamedTemporaryFile(dir=path.parent):
            pass
        free = shutil.disk_usage(path.parent).free
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        if isinstance(error, UnicodeEncodeError):
            reason = "the path is not UTF-8 text"
        template = "{path} cannot be written ({reason}): choose another folder."
        raise InputError(
            _TOO_LONG if is_too_long(error) else template,
            path=str(path).encode(errors="backslashreplace").decode(),
            reason=reason,
        ) from error
    if free < size:
        raise InputError(
            "{path} will need {size}, but its disk has only {free} free: choose another or make "
            "room.",
            path=path,
            size=format_bytes(size),
            free=format_bytes(free),
        )


def without_link(path: Path) -> Path:
    """`path`, from which a link is removed: a run folder from a stranger may have links to files of
    the user.
    """
    with suppress(OSError):
        if path.is_symlink():
            path.unlink()
    return path
