"""The interface of a format of data."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from core.data.dataset import Dataset, Kind
from core.progress import Progress


class DataFormat(ABC):
    """One format of files or folders. Each is a class in a module of its own in this folder."""

    order: ClassVar[int]
    """The position among the formats: the first that fits a path reads it."""

    description: ClassVar[str]
    """What the user can choose, with its article, such as `a table of numbers`."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    """The ends of the names of its files, in small letters; none for a format of folders only."""

    is_folder: ClassVar[bool] = False
    """Whether the user chooses a folder."""

    kind: ClassVar[Kind] = "classes"
    """The kind of its data, which is known before they are read."""

    def fits(self, path: Path) -> bool:
        """Whether `path` is data of this format, judged by names only: what is in the files is not
        read.
        """
        return not os.path.isdir(path) and path.name.lower().endswith(self.suffixes)

    def data_path(self, path: Path) -> Path:
        """The data set that `path`, which fits, belongs to: the file itself, unless a folder is one
        data set.
        """
        return path

    @abstractmethod
    def load(self, path: Path, progress: Progress | None = None) -> Dataset:
        """The data at `path`, which `data_path` has returned.

        `progress(done, total)` is called where reading takes time. Raises InputError where the data
        are damaged, in one sentence that names the file.
        """

    def text(self) -> str:
        """The description, with the suffixes."""
        if not self.suffixes:
            return self.description
        return f"{self.description} ({', '.join(self.suffixes)})"
