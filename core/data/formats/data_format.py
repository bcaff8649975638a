"""The interface of a format of data."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from core.data.dataset import Dataset
from core.errors import InputError
from core.progress import Progress, ignore_progress


class DataFormat(ABC):
    """One format of files or folders. Each is a class in a module of its own in this folder."""

    order: ClassVar[int]
    """The position among the formats: the first that fits a path reads it."""

    description: ClassVar[str]
    """What the user can choose, with its article, such as `a table of numbers`."""

    suffixes: ClassVar[tuple[str, ...]] = ()
    """The usual ends of the names of its files, in small letters: dialogs list them, and a file
    whose content fits no format is read by the format of its name, which says what is wrong in it.
    """

    is_folder: ClassVar[bool] = False
    """Whether the user chooses a folder."""

    @abstractmethod
    def fits(self, path: Path, head: bytes) -> bool:
        """Whether `path` is data of this format, judged by its content.

        `head`: how the file begins, unpacked if it is gzipped; empty for a folder.
        """

    def data_path(self, path: Path) -> Path:
        """The data set that `path`, which fits, belongs to: the file itself, unless a folder is one
        data set.
        """
        return path

    @abstractmethod
    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        """The data at `path`, which `data_path` has returned.

        `progress(done, total)` is called where reading takes time. Raises InputError where the data
        are damaged, in one sentence that names the file.
        """

    def load_column(self, path: Path, target: str, progress: Progress = ignore_progress) -> Dataset:
        """The data at `path`, a table, of which the column `target` is learned.

        Raises InputError, also for a format that has no columns.
        """
        raise InputError(
            "{path} is no table, so the column {column} cannot be chosen: leave it out.",
            path=path,
            column=target,
        )

    def text(self) -> str:
        """The description, with the suffixes."""
        if not self.suffixes:
            return self.description
        return f"{self.description} ({', '.join(self.suffixes)})"


def visible_folders(folder: Path) -> list[Path]:
    """The folders in a folder, without hidden ones and that which macOS adds to archives."""
    return sorted(
        child
        for child in folder.iterdir()
        if child.is_dir() and not child.name.startswith((".", "__MACOSX"))
    )
