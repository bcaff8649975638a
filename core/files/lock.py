"""A lock file that the system releases when its process ends, however that happens."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PAUSE = 0.01  # seconds between two tries
_FLAGS = os.O_RDWR
for _name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOFOLLOW"):  # not on Windows
    _FLAGS |= getattr(os, _name, 0)


class FileLock:
    """Locks `path`. Two locks of the same path exclude each other, in one process as well as in
    two.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def acquire(self) -> bool:
        """Take the lock, without waiting; returns whether no one else has it.

        True on file systems without locks.
        """
        try:
            if self._path.is_symlink():  # the lock file of another folder, or of another kind
                self._path.unlink()
            self._file = os.open(self._path, _FLAGS | os.O_CREAT, 0o644)
        except OSError:  # a read-only folder
            return True
        # Its file may have been removed by the one who had the lock, since it was opened.
        if not _lock(self._file) or not _is_at(self._file, self._path):
            self._close()
        return self._file is not None

    def release(self) -> None:
        """Give the lock back, and remove its file."""
        if self._file is not None:
            with suppress(OSError):  # Windows removes no open file
                self._path.unlink()
            self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[None]:
    """Keeps others that use this function from the block: they change the same file. For short
    blocks.

    It waits `seconds` at most, and then goes on without the lock: a program that hangs must not
    stop this one.
    """
    lock = FileLock(path)
    end = time.monotonic() + seconds
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    while not lock.acquire() and time.monotonic() < end:
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        lock.release()


def is_locked(path: Path) -> bool:
    """Whether a running program holds the lock of `path`."""
    try:
        file = os.open(path, _FLAGS)
    except OSError:
        return False
    try:
        return not _lock(file)
    finally:
        os.close(file)


def _is_at(file: int, path: Path) -> bool:
    """Whether the open file is the one that `path` names; True where that cannot be known."""
    if sys.platform == "win32":  # an open file cannot be removed there
        return True
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _lock(file: int) -> bool:
    """Lock an open file until it is closed; False if it is locked already."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks
        return True
    return True
