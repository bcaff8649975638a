"""Arrays of images and labels in NumPy's files: one .npz, or .npy and .npz files side by side."""

from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.dataset import Dataset
from core.data.formats.data_format import DataFormat
from core.data.labeled_images import image_dataset, pair_up
from core.data.parts import base_of
from core.errors import InputError
from core.files.input_file import head_of
from core.files.npy import MAGIC, array_names, read_arrays
from core.files.reasons import refusing
from core.files.zip_file import ZIP
from core.progress import Progress, ignore_progress

MAX_BYTES = 2_000_000_000
"""Limit of a file, and of each of its arrays: MNIST as float64 has 376 MB."""

_MAX_FILES = 200
_KIND = "a file of NumPy arrays"


class NumpyArrays(DataFormat):
    """The arrays of Keras' mnist.npz, of scikit-learn, or of files with one array each."""

    order = 4
    description: ClassVar = "NumPy arrays of images and labels"
    suffixes: ClassVar = (".npz", ".npy")

    def fits(self, path: Path, head: bytes) -> bool:
        if path.is_dir():
            return bool(_sets_in(path))
        return head.startswith(MAGIC) or (
            head.startswith(ZIP) and bool(array_names(path, MAX_BYTES))
        )

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        files = [path]
        if path.is_dir() or _has_one(path):
            sets = _sets_in(path if path.is_dir() else path.parent)
            found = [some for some in sets if path.is_dir() or path in some]
            if len(found) > 1:
                raise InputError(
                    "{path} has {sets} data sets: choose one of their files, such as {names}.",
                    path=path,
                    sets=len(found),
                    names=[some[0].name for some in found],
                )
            files = found[0] if found else files
        arrays: dict[str, np.ndarray] = {}
        for number, file in enumerate(files):
            progress(number, len(files))
            for name, array in _read(file).items():
                # In files with one array each the array has no name that tells it apart.
                arrays[name if len(files) == 1 else file.stem] = array
        return image_dataset(path, pair_up(path, arrays))


def _read(path: Path) -> dict[str, np.ndarray]:
    with refusing(
        "{path} cannot be read as NumPy arrays ({reason}): save it again, with allow_pickle=False.",
        path=path,
    ):
        return read_arrays(path, MAX_BYTES, _KIND)


def _has_one(path: Path) -> bool:
    """Whether the file has one array: its labels or images are in another one."""
    return len(array_names(path, MAX_BYTES)) == 1 or head_of(path, 6) == MAGIC


def _sets_in(folder: Path) -> list[list[Path]]:
    """The files with one array in a folder, those of each data set; their names tell them
    apart.
    """
    sets: dict[str, list[Path]] = {}
    for path in sorted([*folder.glob("*.npy"), *folder.glob("*.npz")])[:_MAX_FILES]:
        if not path.name.startswith(".") and _has_one(path):
            sets.setdefault(base_of(path.stem), []).append(path)
    return list(sets.values())
