"""Whether a file can be written at a path, asked before the hours of work that lead to it."""

import shutil
import tempfile
from pathlib import Path

from core.memory import in_words
from core.refusal import Refusal


def check_writable(path: str | Path, size: int = 0) -> None:
    """Refuse a path where a file of `size` bytes could not be put. Missing folders are made, as in saving."""
    path = Path(path)
    if path.is_dir():
        raise Refusal(
            "{path} is a folder: name a file in it, such as {better}.",
            path=path, better=path / "model.safetensors",
        )  # fmt: skip
    if path.exists() and not path.is_file():
        raise Refusal("{path} is no ordinary file: choose another name.", path=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent):
            pass
        free = shutil.disk_usage(path.parent).free
    except (OSError, ValueError) as error:
        raise Refusal(
            "{path} cannot be written ({reason}): choose another folder.",
            path=path, reason=getattr(error, "strerror", None) or error,
        ) from error  # fmt: skip
    if free < size:
        raise Refusal(
            "{path} will need {size}, but its disk has only {free} free: choose another or make room.",
            path=path, size=in_words(size), free=in_words(free),
        )  # fmt: skip
