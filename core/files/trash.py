"""A trash: what was deleted from a folder stays beside it for TRASH_DAYS, and can be put back."""

import os
import time
from contextlib import suppress
from pathlib import Path

from core.files.atomic import move

TRASH_DAYS = 30


class Trash:
    """The trash of `folder`, for files and folders of it by their names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.path = folder / ".trash"

    def put(self, name: str) -> bool:
        """Move it to the trash; False if it does not exist, or the trash has one of this name.
        Raises InputError.
        """
        target = self.path / name
        if not _move(self._folder / name, target):
            return False
        with suppress(OSError):  # the time of its deletion
            os.utime(target)
        return True

    def put_back(self, name: str) -> bool:
        """Move it back; False if it is not in the trash, or another has its name now. Raises
        InputError.
        """
        return _move(self.path / name, self._folder / name)


def has_expired(path: Path) -> bool:
    """Whether the file or folder in a trash has been there for TRASH_DAYS."""
    try:
        deleted = path.stat().st_mtime
    except OSError:
        return False
    return deleted < time.time() - TRASH_DAYS * 86_400


def _move(source: Path, target: Path) -> bool:
    if not source.exists() or target.exists():
        return False
    move(source, target)
    return True
