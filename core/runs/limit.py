"""The limit of the library: how much disk space runs without a star may take before the oldest go to the trash."""

import json
import time

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.runs.library import RunEntry, RunLibrary

DEFAULT_BYTES = 4_000_000_000
TRASH_DAYS = 30
_FILE = "limit.json"
_MAX_FILE_BYTES = 10_000


def read_limit(library: RunLibrary) -> int:
    """Bytes that runs without a star may take; 0: no limit."""
    try:
        limit = json.loads(read_input(library.path / _FILE, _MAX_FILE_BYTES, "another file"))["bytes"]
    except (InputError, ValueError, KeyError, TypeError, RecursionError):
        return DEFAULT_BYTES
    return limit if type(limit) is int and limit >= 0 else DEFAULT_BYTES


def write_limit(library: RunLibrary, limit: int) -> None:
    """Set the limit. Raises InputError where that fails."""
    write_atomically(library.path / _FILE, json.dumps({"bytes": limit}).encode())


def apply_limit(library: RunLibrary, keep: str = "") -> list[RunEntry]:
    """Move the oldest runs without a star to the trash while they take more than the limit; returns those.

    The newest of them, the run with the id `keep`, and runs that are being trained stay. Runs without a star that have
    been in the trash for TRASH_DAYS are removed for good, and the oldest while the trash takes more than the limit.
    """
    limit = read_limit(library)
    entries = [entry for entry in library.entries() if not entry.label.starred]
    moved = []
    for entry in _over(entries, limit):
        if entry is not entries[0] and entry.id != keep and library.delete([entry.id]):
            moved.append(entry)
    trashed = [entry for entry in library.trashed() if not entry.label.starred]
    oldest = time.time() - TRASH_DAYS * 86_400
    expired = [entry for entry in trashed if entry.path.stat().st_mtime < oldest]
    # What has just been moved stays for now, however much it is.
    too_many = [entry for entry in _over(trashed, limit) if entry.id not in {each.id for each in moved}]
    library.empty_trash({entry.id for entry in (*expired, *too_many)})
    return moved


def _over(entries: list[RunEntry], limit: int) -> list[RunEntry]:
    """The last ones of `entries`, beyond the first that together take at most `limit` bytes, the last one first."""
    total, over = 0, []
    for entry in entries:
        total += entry.size
        if limit and total > limit:
            over.append(entry)
    return over[::-1]
