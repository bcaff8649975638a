"""Downloads the files of a published data set from its mirrors: resumes, checks and unpacks
them.
"""

import gzip
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from core.data.published import Collection, Remote
from core.errors import InputError
from core.files.atomic import atomic_path
from core.files.input_file import check_input, open_input
from core.files.reasons import READ_ERRORS, reason_of
from core.progress import Cancelled, Progress, ignore_progress

TIMEOUT = 15.0
"""Seconds without a byte after which the next mirror is tried."""

_BLOCK = 1 << 16


class _MirrorError(Exception):
    """A mirror failed. The message becomes part of the InputError if all fail."""


class _WrongContentError(_MirrorError):
    """The mirror sent something else than the file."""


def fetch(
    collection: Collection,
    folder: Path,
    progress: Progress = ignore_progress,
    timeout: float = TIMEOUT,
) -> Path:
    """Download the unpacked files into `folder` and return it. Files that are there already are
    kept.

    `progress(done, total)` counts packed bytes of all files. When it raises Cancelled, or a
    connection breaks, the next call continues from the ".part" file. Raises InputError when
    cancelled, or when every mirror failed.
    """
    total = sum(remote.packed for remote in collection.files)
    before = 0
    for remote in collection.files:
        # Values of this turn of the loop, which a closure would not keep.
        def report(done: int, base: int = before, limit: int = remote.packed) -> None:
            progress(base + min(done, limit), total)

        target = folder / remote.name
        try:
            # By its size alone: its content was checked before it got its name.
            if not (target.is_file() and target.stat().st_size == remote.unpacked):
                _fetch_one(collection, remote, target, report, timeout)
            before += remote.packed
            report(0, before)
        except Cancelled:
            raise InputError(
                "{title}: cancelled; downloading again continues from here.", title=collection.title
            ) from None
    return folder


def _fetch_one(
    collection: Collection,
    remote: Remote,
    target: Path,
    report: Callable[[int], None],
    timeout: float,
) -> None:
    part = target.with_name(remote.name + ".gz.part")
    # Something else in its place, such as a pipe, would block.
    for path in (target, part):
        if os.path.lexists(path):
            check_input(
                path, max(remote.unpacked, 2 * remote.max_packed), "another folder, or remove it"
            )
    reasons = dict[str, list[str]]()  # with the mirrors that failed for them
    for mirror in collection.mirrors:
        address = f"{mirror}{remote.name}.gz"
        try:
            _try_mirror(address, part, remote, report, timeout)
        except _MirrorError as error:
            reasons.setdefault(str(error), []).append(urlsplit(address).netloc)
        else:
            with (
                atomic_path(target) as temporary,
                gzip.open(part, "rb") as packed,
                temporary.open("wb") as file,
            ):
                shutil.copyfileobj(packed, file)
            part.unlink(missing_ok=True)
            return
    raise InputError(
        "{title} could not be downloaded ({reasons}): try again later, put the four files into "
        "{folder}, or use the built-in digits.",
        title=collection.title,
        reasons="; ".join(f"{', '.join(hosts)}: {reason}" for reason, hosts in reasons.items()),
        folder=target.parent,
    )


def _try_mirror(
    address: str, part: Path, remote: Remote, report: Callable[[int], None], timeout: float
) -> None:
    """Download the file to `part`, from the start if a resumed download gave the wrong content."""
    resumed = _transfer(address, part, remote, report, timeout)
    try:
        _check(part, remote)
    except _WrongContentError:
        part.unlink(missing_ok=True)
        if not resumed:
            raise
        _transfer(address, part, remote, report, timeout)
        _check(part, remote)


def _transfer(
    address: str, part: Path, remote: Remote, report: Callable[[int], None], timeout: float
) -> bool:
    """Append the missing bytes to `part`, or all if the server cannot resume. Returns whether it
    resumed.
    """
    # Imported when they are needed, so that the window starts sooner.
    import http.client
    import urllib.error
    import urllib.request

    present = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(
        address, headers={"Range": f"bytes={present}-"} if present else {}
    )
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            # A server that cannot resume answers 200, and sends the file from its start.
            resumed = present > 0 and response.status == 206
            done = start = present if resumed else 0
            announced = response.headers.get("Content-Length")
            part.parent.mkdir(parents=True, exist_ok=True)
            with part.open("ab" if resumed else "wb") as file:
                report(done)
                # `read1` returns what has arrived, and does not wait for a whole block.
                while block := response.read1(_BLOCK):
                    file.write(block)
                    done += len(block)
                    if done > remote.max_packed:
                        raise _MirrorError("it sends more than the file has")
                    report(done)
            # A connection that breaks looks like the end of the file.
            if announced is not None and done < start + int(announced):
                raise _MirrorError("the connection broke")
    except urllib.error.HTTPError as error:
        error.close()
        if error.code != 416:  # the part is complete, or of another file: the check decides
            raise _MirrorError(f"error {error.code}") from None
        resumed = True
    except urllib.error.URLError as error:
        raise _MirrorError(
            reason_of(error.reason) if isinstance(error.reason, OSError) else str(error.reason)
        ) from None
    except TimeoutError:
        raise _MirrorError(f"no answer for {timeout:g} seconds") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _MirrorError(reason_of(error)) from None
    return resumed


def _check(part: Path, remote: Remote) -> None:
    """Compare size and SHA-256 of the content of `part`. Raises _WrongContentError if they
    differ.
    """
    digest = hashlib.sha256()
    size = 0
    try:
        with (
            open_input(part, 2 * remote.max_packed, "another folder") as file,
            gzip.GzipFile(fileobj=file) as packed,
        ):
            # No more than the file has: a few packed bytes may unpack to any number.
            while size <= remote.unpacked and (block := packed.read(_BLOCK)):
                digest.update(block)
                size += len(block)
    except READ_ERRORS as error:
        raise _WrongContentError(f"the content is damaged ({reason_of(error)})") from None
    if size != remote.unpacked or digest.hexdigest() != remote.sha256:
        raise _WrongContentError("the content is another file: its SHA-256 differs")
