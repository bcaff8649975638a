"""Images and labels in IDX files, the format of MNIST, side by side in a folder."""

from pathlib import Path
from typing import ClassVar

from core.data import idx
from core.data.cache import cache_name
from core.data.dataset import Dataset
from core.data.formats.data_format import DataFormat
from core.data.labeled_images import named_dataset
from core.progress import Progress, ignore_progress

_MAGIC = tuple(number.to_bytes(4, "big") for number in (idx.IMAGES, idx.LABELS, idx.MANY_LABELS))


class IdxFolder(DataFormat):
    """A folder with IDX files, or one of the files in it: of MNIST, EMNIST, KMNIST or QMNIST."""

    order = 1
    description: ClassVar = "a folder with IDX files such as the four of MNIST"
    suffixes: ClassVar = ("-ubyte", "-ubyte.gz", "-int", "-int.gz")
    is_folder: ClassVar = True

    def fits(self, path: Path, head: bytes) -> bool:
        return head.startswith(_MAGIC) or bool(idx.data_sets_in(path))

    def data_path(self, path: Path) -> Path:
        # A folder of several data sets, such as EMNIST's, leaves open which one is meant.
        is_file_of_many = not path.is_dir() and len(idx.data_sets_in(path.parent)) > 1
        return path if path.is_dir() or is_file_of_many else path.parent

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        names = " ".join(file.name for file in idx.find(path).values())
        return named_dataset(path, *idx.read_folder(path, cache_name(path), progress), names)
