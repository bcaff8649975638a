"""Checks that a file can be written, before hours of work depend on it."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.text import format_bytes


def check_writable(path: str | Path, size: int = 0) -> None:
    """Raise InputError unless a file of `size` bytes can be written to `path`. Missing folders are created."""
    path = Path(path)
    if os.path.isdir(path):  # False for a name that is too long, for which `Path.is_dir` raises OSError
        raise InputError(
            "{path} is a folder: name a file in it, such as {example}.",
            path=path, example=path / "model.safetensors",
        )  # fmt: skip
    if os.path.exists(path) and not path.is_file():
        raise InputError("{path} is not a regular file: choose another name.", path=path)
    try:
        str(path).encode()  # the library that reads models takes only UTF-8 paths
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            path.lstat()
        with tempfile.NamedTemporaryFile(dir=path.parent):
            pass
        free = shutil.disk_usage(path.parent).free
    except (OSError, ValueError) as error:
        raise InputError(
            "{path} cannot be written ({reason}): choose another folder.",
            path=str(path).encode(errors="backslashreplace").decode(), reason=_reason(error),
        ) from error  # fmt: skip
    if free < size:
        raise InputError(
            "{path} will need {size}, but its disk has only {free} free: choose another or make room.",
            path=path, size=format_bytes(size), free=format_bytes(free),
        )  # fmt: skip


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeEncodeError):
        return "the path is not UTF-8 text"
    return getattr(error, "strerror", None) or str(error)
