"""Whether a file can be written at a path, asked before the hours of work that lead to it."""

import shutil
import tempfile
from pathlib import Path

from core.errors import InputError
from core.text import format_bytes


def check_writable(path: str | Path, size: int = 0) -> None:
    """Refuse a path where a file of `size` bytes could not be put. Missing folders are made, as in saving."""
    path = Path(path)
    if path.is_dir():
        raise InputError(
            "{path} is a folder: name a file in it, such as {better}.",
            path=path, better=path / "model.safetensors",
        )  # fmt: skip
    if path.exists() and not path.is_file():
        raise InputError("{path} is no ordinary file: choose another name.", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent):
            pass
        free = shutil.disk_usage(path.parent).free
    except (OSError, ValueError) as error:
        raise InputError(
            "{path} cannot be written ({reason}): choose another folder.",
            path=path, reason=getattr(error, "strerror", None) or error,
        ) from error  # fmt: skip
    if free < size:
        raise InputError(
            "{path} will need {size}, but its disk has only {free} free: choose another or make room.",
            path=path, size=format_bytes(size), free=format_bytes(free),
        )  # fmt: skip
