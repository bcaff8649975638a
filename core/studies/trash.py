"""Deletes studies, and restores them: a database and the runs of the study are moved to the trashes beside them."""

import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.files.atomic import move, write_atomically
from core.files.input_file import read_input
from core.files.lock import FileLock
from core.runs.library import TRASH, RunLibrary
from core.runs.limit import TRASH_DAYS
from core.studies.stored import SUFFIX, studies_path

_MAX_BYTES = 10_000_000


def delete_study(name: str, runs: Iterable[str] = ()) -> None:
    """Move the study, and the runs with these ids, to the trash, where they stay for TRASH_DAYS.

    Raises InputError if a program trains it, or it cannot be moved.
    """
    lock = FileLock(studies_path() / f"{name}.lock")
    if not lock.acquire():
        raise InputError("The study {name} is running in another program: wait for its end.", name=name)
    try:
        _remove_expired()
        moved = RunLibrary().delete(runs)
        write_atomically(_runs_path(name), json.dumps(moved).encode())
        trashed = _trash_path() / f"{name}{SUFFIX}"
        move(studies_path() / trashed.name, trashed)
        os.utime(trashed)  # the time of its deletion
    finally:
        lock.release()


def deleted_studies() -> list[str]:
    """The names of the studies in the trash, that which was deleted last first."""
    files = [(path.stat().st_mtime, path.stem) for path in _trash_path().glob(f"*{SUFFIX}")]
    return [name for _, name in sorted(files, reverse=True)]


def restore_study(name: str) -> None:
    """Move the study back, with the runs that were deleted with it.

    Raises InputError if another study has its name now, or it cannot be moved.
    """
    path = studies_path() / f"{name}{SUFFIX}"
    if path.exists():
        raise InputError("There is another study {name} now: delete that one first.", name=name)
    move(_trash_path() / path.name, path)
    with suppress(InputError, ValueError, TypeError, RecursionError):  # the study is back without its runs
        runs = json.loads(read_input(_runs_path(name), _MAX_BYTES, "another file"))
        RunLibrary().restore([Path(str(run)).name for run in runs])
    _runs_path(name).unlink(missing_ok=True)


def _trash_path() -> Path:
    return studies_path() / TRASH


def _runs_path(name: str) -> Path:
    """The file with the ids of the runs that were deleted with a study."""
    return _trash_path() / f"{name}.json"


def _remove_expired() -> None:
    oldest = time.time() - TRASH_DAYS * 86_400
    for path in [*_trash_path().glob(f"*{SUFFIX}"), *_trash_path().glob("*.json")]:
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()
