"""A folder of the four IDX files of MNIST's format."""

import os
from pathlib import Path
from typing import ClassVar

from core.data import idx
from core.data.cache import cache_name
from core.data.dataset import Dataset
from core.data.formats.data_format import DataFormat
from core.data.published import classes_of
from core.progress import Progress


class IdxFolder(DataFormat):
    """A folder with at least one of the four files, or one of the files in it."""

    order = 1
    description: ClassVar = "a folder with the four IDX files of MNIST's format"
    suffixes: ClassVar = ("-ubyte", "-ubyte.gz")
    is_folder: ClassVar = True

    def fits(self, path: Path) -> bool:
        return super().fits(path) or (os.path.isdir(path) and idx.count_files(path) > 0)

    def data_path(self, path: Path) -> Path:
        return path if path.is_dir() else path.parent

    def load(self, path: Path, progress: Progress | None = None) -> Dataset:
        train, test = idx.read_folder(path, cache_name(path), progress)
        title = path.name or str(path)
        return Dataset(str(path), title, "classes", classes_of(test, path.name), train, test)
