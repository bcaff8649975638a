"""Caches data sets that were read or drawn, each as one safetensors file, so that later starts are
quick.
"""

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from core.data.dataset import Split
from core.errors import InputError
from core.files.atomic import atomic_path
from core.files.input_file import check_input
from core.files.paths import cache_folder
from core.files.tensors import save_tensors

Splits = tuple[Split, Split]
_ARRAYS = ("train_inputs", "train_answers", "test_inputs", "test_answers")
_MAX_BYTES = 4_000_000_000


def cache_name(path: Path) -> str:
    """The name in the cache of the data at `path`: the arrays of a changed file replace the old
    ones.
    """
    return "path." + hashlib.sha256(os.fsencode(path.absolute())).hexdigest()[:12]


def key_of(files: Iterable[Path]) -> str:
    """A hash of the paths, sizes and modification times of `files`; their content is not read."""
    stats = [(path.absolute(), path.stat()) for path in files]
    text = "".join(f"{path}|{status.st_size}|{status.st_mtime_ns}\n" for path, status in stats)
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()[:16]


def load_or_make(name: str, key: str, make: Callable[[], Splits]) -> Splits:
    """The training and test splits that are cached under this name and key; `make` makes those that
    are not.

    Splits in a damaged file are made again.
    """
    splits = _load(_folder() / f"{name}-{key}.safetensors")
    if splits is None:
        splits = make()
        store(name, key, splits)
    return splits


def load_latest(name: str) -> Splits | None:
    """The splits cached last under this name, with any key."""
    paths = sorted(cached(name), key=lambda path: path.stat().st_mtime, reverse=True)
    return next((splits for path in paths if (splits := _load(path)) is not None), None)


def store(name: str, key: str, splits: Splits) -> None:
    """Cache the splits in place of others of this name. Does nothing when the disk is full or
    read-only.
    """
    arrays = [array for split in splits for array in (split.inputs, split.targets)]
    target = _folder() / f"{name}-{key}.safetensors"
    try:
        with atomic_path(target) as temporary:
            save_tensors(temporary, dict(zip(_ARRAYS, arrays, strict=True)))
    except InputError:
        return
    for path in cached(name):
        if path != target:
            with suppress(OSError):  # another program may have it open
                path.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / "arrays"


def cached(name: str) -> list[Path]:
    """All files that are cached under this name."""
    return [
        path
        for path in _folder().glob(f"{name}-*.safetensors")
        # The pattern also finds names that continue with a dash.
        if path.stem.rpartition("-")[0] == name
    ]


def _load(path: Path) -> Splits | None:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        check_input(path, _MAX_BYTES, "another data set")
        train_inputs, train_answers, test_inputs, test_answers = map(
            load_file(path).__getitem__, _ARRAYS
        )
    except (OSError, SafetensorError, KeyError, InputError):
        return None
    return Split(train_inputs, train_answers), Split(test_inputs, test_answers)
