"""Fetching the files of a published data set from its mirrors: resumed where it broke off, checked, unpacked."""

import gzip
import hashlib
import http.client
import shutil
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.files.atomic import atomic_path
from core.progress import Progress

Cancelled = Callable[[], bool]

TIMEOUT = 15.0
"""Seconds without a byte after which a mirror is given up."""

_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Remote:
    """One file: its name (".gz" is added for the address), SHA-256 and size unpacked, and size packed, in bytes."""

    name: str
    sha256: str
    unpacked: int
    packed: int


@dataclass(frozen=True, slots=True)
class Collection:
    """The files of a data set and the addresses, each ending in "/", under which all of them lie."""

    title: str
    mirrors: tuple[str, ...]
    files: tuple[Remote, ...]


class _BrokenError(Exception):
    """A mirror failed; the reason is for the last sentence, should all fail."""


class _WrongError(_BrokenError):
    """What came is not the file."""


def fetch(
    collection: Collection,
    folder: Path,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    timeout: float = TIMEOUT,
) -> Path:
    """Put the unpacked files into `folder` and return it; files already there are kept.

    `progress(done, total)` counts packed bytes of all files; `cancelled()` is asked at every piece, and what came
    so far stays in ".part" files for the next time. An InputError when cancelled, or when every mirror failed.
    """
    total = sum(remote.packed for remote in collection.files)
    before = 0
    for remote in collection.files:

        def show(done: int, base: int = before, most: int = remote.packed) -> None:
            if cancelled is not None and cancelled():
                raise InputError(
                    "{title}: cancelled; fetching again goes on from here.", title=collection.title
                )
            if progress is not None:
                progress(base + min(done, most), total)

        target = folder / remote.name
        if not (target.is_file() and target.stat().st_size == remote.unpacked):
            _fetch_one(collection, remote, target, show, timeout)
        before += remote.packed
        show(0, before)
    return folder


def _fetch_one(
    collection: Collection, remote: Remote, target: Path, show: Callable[[int], None], timeout: float
) -> None:
    part = target.with_name(remote.name + ".gz.part")
    reasons = []
    for mirror in collection.mirrors:
        try:
            _try_mirror(f"{mirror}{remote.name}.gz", part, remote, show, timeout)
        except _BrokenError as broken:
            reasons.append(f"{mirror}{remote.name}.gz: {broken}")
        else:
            _unpack(part, target)
            part.unlink(missing_ok=True)
            return
    raise InputError(
        "{title} could not be fetched ({reasons}): try again later, put the four files into {folder}, "
        "or use the built-in digits.",
        title=collection.title, reasons="; ".join(reasons), folder=target.parent,
    )  # fmt: skip


def _try_mirror(
    address: str, part: Path, remote: Remote, show: Callable[[int], None], timeout: float
) -> None:
    """Leaves the right file in `part`. Mirrors pack differently, so what was resumed and is wrong begins anew."""
    resumed = _transfer(address, part, remote, show, timeout)
    try:
        _check(part, remote)
    except _WrongError:
        part.unlink(missing_ok=True)
        if not resumed:
            raise
        _transfer(address, part, remote, show, timeout)
        _check(part, remote)


def _transfer(address: str, part: Path, remote: Remote, show: Callable[[int], None], timeout: float) -> bool:
    """Append what `part` lacks, or all where the server does not resume; whether anything was there before."""
    held = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(address, headers={"Range": f"bytes={held}-"} if held else {})
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            resumed = held > 0 and answer.status == 206
            done = held if resumed else 0
            announced = answer.headers.get("Content-Length")
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("ab" if resumed else "wb") as file:
                show(done)
                while piece := answer.read1(_PIECE):
                    file.write(piece)
                    done += len(piece)
                    if done > 2 * remote.packed + _PIECE:
                        raise _BrokenError("it sends more than the file has")
                    show(done)
            if announced is not None and done < (held if resumed else 0) + int(announced):
                raise _BrokenError("the connection broke off")
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != 416:  # nothing is lacking, or it is another file: the check tells
            raise _BrokenError(f"error {error.code}") from None
        resumed = True
    except urllib.error.URLError as error:
        raise _BrokenError(str(error.reason)) from None
    except TimeoutError:
        raise _BrokenError(f"no answer for {timeout:g} seconds") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _BrokenError(str(error) or type(error).__name__) from None
    return resumed


def _check(part: Path, remote: Remote) -> None:
    """Size and SHA-256 of what is packed in `part`."""
    digest, count = hashlib.sha256(), 0
    try:
        with gzip.open(part, "rb") as packed:
            while count <= remote.unpacked and (piece := packed.read(_PIECE)):
                digest.update(piece)
                count += len(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise _WrongError(f"what came is damaged ({error})") from None
    if count != remote.unpacked or digest.hexdigest() != remote.sha256:
        raise _WrongError("what came is another file (its SHA-256 differs)")


def _unpack(part: Path, target: Path) -> None:
    with atomic_path(target) as temporary, gzip.open(part, "rb") as packed, temporary.open("wb") as file:
        shutil.copyfileobj(packed, file)
