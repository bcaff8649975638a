"""The cache of arrays: a data set once read is kept as one safetensors file, so that the next start is quick."""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import numpy as np

from core.data.dataset import Split
from core.errors import InputError
from core.files.atomic import atomic_path
from core.files.paths import cache_folder

Splits = tuple[Split, Split]
_PARTS = ("train_inputs", "train_answers", "test_inputs", "test_answers")


def key_of(files: Iterable[Path]) -> str:
    """A fingerprint of files by path, size and time of change: their content need not be read."""
    digest = hashlib.sha256()
    for path in files:
        state = path.stat()
        digest.update(f"{path.absolute()}|{state.st_size}|{state.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:16]


def load(name: str, key: str) -> Splits | None:
    """The kept training and test splits, or None when there are none (a damaged file counts as none)."""
    return _load(_folder() / f"{name}-{key}.safetensors")


def load_latest(name: str) -> Splits | None:
    """The splits kept last under this name, whatever they were read from."""
    kept = sorted(_kept(name), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((splits for path in kept if (splits := _load(path)) is not None), None)


def holds(name: str) -> bool:
    """Whether anything is kept under this name."""
    return any(_kept(name))


def store(name: str, key: str, splits: Splits) -> None:
    """Keep the splits in place of others of this name; a full or read-only disk is no error, only slower."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    arrays = [array for split in splits for array in (split.inputs, split.answers)]
    target = _folder() / f"{name}-{key}.safetensors"
    try:
        with atomic_path(target) as temporary:
            save_file(dict(zip(_PARTS, map(np.ascontiguousarray, arrays), strict=True)), temporary)
    except (InputError, SafetensorError):  # which of them, depends on where in the file the disk is full
        return
    for path in _kept(name):
        if path != target:
            with suppress(OSError):  # another window may be reading it
                path.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / "arrays"


def _kept(name: str) -> list[Path]:
    return [path for path in _folder().glob(f"{name}-*.safetensors") if path.stem.rpartition("-")[0] == name]


def _load(path: Path) -> Splits | None:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        train_inputs, train_answers, test_inputs, test_answers = map(load_file(path).__getitem__, _PARTS)
    except (OSError, SafetensorError, KeyError):
        return None
    return Split(train_inputs, train_answers), Split(test_inputs, test_answers)
