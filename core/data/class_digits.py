"""The digits of a class: one file that knows who wrote each image. The file of one pupil has the same form.

An .npz file with `images`, uint8 (n, 28, 28); `labels`, uint8 (n,); `writers`, int32 (n,): an index into `names`,
UTF-8 texts separated by line breaks, as uint8. Nothing in it is unpickled.
"""

import io
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split, Writers
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import open_input
from core.text import printable

SUFFIX = ".npz"
MAX_BYTES = 100_000_000
MAX_IMAGES = 1_000_000
MAX_NAME = 60
TEST_SHARE = 0.2
_KIND = "a file of digits that this program saved (.npz)"
_ARRAYS = {"images": (np.uint8, 3), "labels": (np.uint8, 1), "writers": (np.int32, 1), "names": (np.uint8, 1)}


@dataclass(frozen=True, slots=True)
class WrittenDigits:
    """n images, uint8 (n, 28, 28); `labels`, uint8 (n,); `writers`, int32 (n,): indices into `names`."""

    images: np.ndarray
    labels: np.ndarray
    writers: np.ndarray
    names: tuple[str, ...]


def one_writer(split: Split, name: str) -> WrittenDigits:
    """The digits of one person, of images uint8 (n, 28, 28, 1) with labels."""
    images = split.inputs.reshape(len(split), *split.inputs.shape[1:3])
    return WrittenDigits(
        images, split.targets.astype(np.uint8), np.zeros(len(split), np.int32), (_clean(name),)
    )


def _clean(name: str) -> str:
    return printable(name).strip()[:MAX_NAME] or "?"


def save(digits: WrittenDigits, path: Path) -> None:
    """Write the file. Raises InputError where that fails."""
    content = io.BytesIO()
    names = np.frombuffer("\n".join(digits.names).encode(errors="replace"), np.uint8)
    np.savez_compressed(
        content,
        images=digits.images,
        labels=digits.labels,
        writers=digits.writers,
        names=names,
        allow_pickle=False,
    )
    write_atomically(path, content.getvalue())


def read(path: Path) -> WrittenDigits:
    """The digits in the file. Raises InputError in one sentence where it is damaged."""
    try:
        with open_input(path, MAX_BYTES, _KIND) as file, zipfile.ZipFile(file) as archive:
            arrays = {name: _array(archive, name, *form) for name, form in _ARRAYS.items()}
        images, labels, writers = arrays["images"], arrays["labels"], arrays["writers"]
        names = tuple(_clean(name) for name in arrays["names"].tobytes().decode(errors="replace").split("\n"))
        if not len(images) or images.shape[1:] != (28, 28) or not len(images) == len(labels) == len(writers):
            raise ValueError("its images are not of 28 x 28 pixels, or their labels are missing")
        if labels.max() > 9 or writers.min() < 0 or writers.max() >= len(names):
            raise ValueError("a label or a writer is out of range")
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError,
            MemoryError, SyntaxError) as error:  # fmt: skip
        raise InputError("{path} cannot be read as digits ({reason}): choose {kind}.",
                         path=path, reason=" ".join(str(error).split())[:150], kind=_KIND) from None  # fmt: skip
    return WrittenDigits(images, labels, writers, names)


def _array(archive: zipfile.ZipFile, name: str, kind: type, dimensions: int) -> np.ndarray:
    """One array, after its header has been checked: what it claims decides how much is read."""
    with archive.open(f"{name}.npy") as member:
        version = np.lib.format.read_magic(member)
        if version != (1, 0):
            raise ValueError("it is of another version")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(member)
        if dtype != np.dtype(kind) or fortran or len(shape) != dimensions or shape[0] > MAX_IMAGES:
            raise ValueError(f"its {name} are of another form")
        size = int(np.prod(shape)) * dtype.itemsize
        if size > MAX_IMAGES * 28 * 28:
            raise ValueError(f"its {name} are too large")
        content = member.read(size + 1)
    if len(content) != size:
        raise ValueError(f"its {name} are cut short")
    return np.frombuffer(content, dtype).reshape(shape)


def merge(parts: Sequence[WrittenDigits]) -> WrittenDigits:
    """All digits in one; the same name in two files is one writer."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    places = {name: index for index, name in enumerate(names)}
    writers = [np.array([places[name] for name in part.names], np.int32)[part.writers] for part in parts]
    images, labels = (
        np.concatenate([getattr(part, kind) for part in parts]) for kind in ("images", "labels")
    )
    return WrittenDigits(images, labels, np.concatenate(writers), names)


def load(path: Path) -> Dataset:
    """The digits as a data set that is split by writer: nobody's hand is in training and in test.

    About a fifth of the images are for the test: of the writers at the end of the list. Raises InputError for a single
    writer.
    """
    digits = read(path)
    counts = np.bincount(digits.writers, minlength=len(digits.names))
    if np.count_nonzero(counts) < 2:
        raise InputError(
            "{path} has the digits of one writer only: merge the files of several (data merge), so that it can be "
            "tested on hands that it has not seen.", path=path,
        )  # fmt: skip
    present = np.flatnonzero(counts)
    rest = np.cumsum(counts[present][::-1])
    tested = present[::-1][
        : max(1, min(int(np.searchsorted(rest, TEST_SHARE * rest[-1])) + 1, len(present) - 1))
    ]
    test = np.isin(digits.writers, tested)
    train = np.random.default_rng(0).permutation(np.flatnonzero(~test))

    def split(chosen: np.ndarray) -> Split:
        return Split(digits.images[chosen][..., None], digits.labels[chosen].astype(np.int32))

    writers = Writers(digits.names, digits.writers[train], digits.writers[test])
    return Dataset(
        str(path), path.stem, "classes", DIGITS, split(train), split(np.flatnonzero(test)), writers
    )


def scores_by_writer(writers: Writers, right: np.ndarray) -> list[tuple[str, int, float]]:
    """(name, test images, share that is right) of each writer, those who are read worst first. right: bool, of the
    first test images or all."""
    tested = writers.test[: len(right)]
    images = np.bincount(tested, minlength=len(writers.names))
    correct = np.bincount(tested, right, len(writers.names))
    rows = [
        (name, int(n), float(c / n)) for name, n, c in zip(writers.names, images, correct, strict=True) if n
    ]
    return sorted(rows, key=lambda row: row[2])
