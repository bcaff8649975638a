"""Writing files so that a crash or a full disk leaves the last good one."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import InputError


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside `path` to write to; renamed to `path` when the block ends well, else removed.

    Missing folders are made. An OSError in the block (no permission, disk full) becomes an InputError, so the
    block should do nothing but write.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        raise InputError(
            "{path} could not be written ({reason}): choose another folder or free some space.",
            path=target,
            reason=error.strerror or str(error),
        ) from error
    finally:
        _remove(temporary)


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to `path`, whole or not at all; an InputError when the folder or disk does not take it."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
