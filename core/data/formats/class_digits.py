"""The digits of a class: one file that knows who wrote each image. The file of one pupil has the
same form.

An .npz file with `images`, uint8 (n, 28, 28); `labels`, uint8 (n,); `writers`, int32 (n,): an index
into `names`, UTF-8 texts separated by line breaks, as uint8. Nothing in it is unpickled.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from core.data.class_names import DIGITS
from core.data.dataset import Dataset, Split, Writers
from core.data.formats.data_format import DataFormat
from core.data.parts import TEST_FRACTION
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.npy import array_names, read_arrays
from core.files.reasons import refusing
from core.files.zip_file import ZIP
from core.progress import Progress, ignore_progress
from core.text import printable

SUFFIX = ".npz"
MAX_IMAGES = 150_000
"""Twice as many as MNIST has; 118 MB of pixels."""
MAX_WRITERS = 4000
MAX_NAME = 60
_MAX_NAMES_BYTES = MAX_WRITERS * (4 * MAX_NAME + 1)
MAX_BYTES = MAX_IMAGES * 800 + _MAX_NAMES_BYTES
"""As many as a file within the limits has that cannot be compressed."""
_KIND = "a file of digits that this program saved (.npz)"
# Name, type, and what follows the length in its shape.
_ARRAYS = {
    "images": (np.uint8, (28, 28)),
    "labels": (np.uint8, ()),
    "writers": (np.int32, ()),
    "names": (np.uint8, ()),
}


class ClassDigits(DataFormat):
    """The digits of a class in one file."""

    order = 3
    description: ClassVar = "digits that this program saved (.npz)"

    def fits(self, path: Path, head: bytes) -> bool:
        # The head first: it is in memory, while the names of the arrays have to be read.
        return head.startswith(ZIP) and is_class_file(path)

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        """The digits as a data set that is split by writer: nobody's hand is in training and in
        test.

        About a fifth of the images are for the test: of the writers at the end of the list. Raises
        InputError for a single writer.
        """
        digits = read(path)
        counts = np.bincount(digits.writers, minlength=len(digits.names))
        if np.count_nonzero(counts) < 2:
            raise InputError(
                "{path} has the digits of one writer only: merge the files of several (data "
                "merge), so that it can be tested on hands that it has not seen.",
                path=path,
            )
        present = np.flatnonzero(counts)
        # Whole writers are taken from the end, until a fifth of the images is there.
        rest = np.cumsum(counts[present][::-1])
        needed = int(np.searchsorted(rest, TEST_FRACTION * rest[-1])) + 1
        # One writer at the least remains to learn from.
        tested = present[::-1][: min(needed, len(present) - 1)]
        is_test = np.isin(digits.writers, tested)
        # Mixed, always in the same way: the file has one writer after the other.
        train = np.random.default_rng(0).permutation(np.flatnonzero(~is_test))
        return _dataset(path, digits, train, np.flatnonzero(is_test))


@dataclass(frozen=True, slots=True)
class WrittenDigits:
    """n images, uint8 (n, 28, 28); `labels`, uint8 (n,); `writers`, int32 (n,): indices into
    `names`.
    """

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
    # A name comes from a stranger's file: it may hold control characters, or nothing.
    return printable(name).strip()[:MAX_NAME] or "?"


def save(digits: WrittenDigits, path: Path) -> None:
    """Write the file. Raises InputError where that fails, or where it would be too large to be
    read.
    """
    # Before it is written: what could not be read again must not replace a file.
    _check_size(len(digits.images), len(digits.names))
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


def _check_size(images: int, writers: int) -> None:
    if images > MAX_IMAGES or writers > MAX_WRITERS:
        raise InputError(
            "{images:,} digits of {writers:,} writers are too many for one file: at most "
            "{most_images:,} digits of {most_writers:,} writers are read. Leave some files out.",
            images=images,
            writers=writers,
            most_images=MAX_IMAGES,
            most_writers=MAX_WRITERS,
        )


def read(path: Path) -> WrittenDigits:
    """The digits in the file. Raises InputError in one sentence where it is damaged."""
    with refusing(
        "{path} cannot be read as digits ({reason}): choose {kind}.", path=path, kind=_KIND
    ):
        arrays = read_arrays(path, MAX_BYTES, _KIND)
        images, labels, writers, text = (_checked(arrays, name) for name in _ARRAYS)
        names = tuple(_clean(name) for name in text.tobytes().decode(errors="replace").split("\n"))
        if not 0 < len(images) <= MAX_IMAGES:
            raise ValueError(f"it has no images, or more than {MAX_IMAGES:,}")
        if len(labels) != len(images) or len(writers) != len(images):
            raise ValueError("it has not as many labels or writers as images")
        if (
            labels.max() > 9
            or writers.min() < 0
            or writers.max() >= len(names)
            or len(names) > MAX_WRITERS
        ):
            raise ValueError("a label or a writer is out of range")
    return WrittenDigits(images, labels, writers, names)


def _checked(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    array = arrays[name]
    if (array.dtype, array.shape[1:]) != _ARRAYS[name] or not array.ndim:
        raise ValueError(f"its {name} are of another form")
    return array


def is_class_file(path: Path) -> bool:
    """Whether the file says who wrote each image. A damaged .npz file counts as well."""
    names = array_names(path, MAX_BYTES)
    return "writers" in names or (path.suffix.lower() == SUFFIX and not names)


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The paths, and for each folder the files of digits in it."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
    return files


def merge(parts: Sequence[WrittenDigits]) -> WrittenDigits:
    """All digits in one; the same name in two files is one writer."""
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    places = {name: index for index, name in enumerate(names)}
    writers = [
        np.array([places[name] for name in part.names], np.int32)[part.writers] for part in parts
    ]
    images, labels = (
        np.concatenate([getattr(part, kind) for part in parts]) for kind in ("images", "labels")
    )
    return WrittenDigits(images, labels, np.concatenate(writers), names)


def merge_files(
    files: Sequence[Path], progress: Progress = ignore_progress
) -> tuple[WrittenDigits, list[InputError]]:
    """The digits in the files as `merge` joins them, and the reasons why some of the files cannot
    be read.

    Raises InputError where none can be read, and where they hold more than one file may.
    """
    parts: list[WrittenDigits] = []
    refused: list[InputError] = []
    for index, file in enumerate(files):
        progress(index, len(files))
        try:
            parts.append(read(file))
        except InputError as error:
            refused.append(error)
            continue
        # Before the next one is read: together they may not fit into the memory.
        writers = {name for part in parts for name in part.names}
        _check_size(sum(len(part.images) for part in parts), len(writers))
    if not parts:
        raise refused[0]
    return merge(parts), refused


def count_writers(digits: WrittenDigits) -> int:
    """How many writers have at least one image."""
    return len(np.unique(digits.writers))


def as_one_split(path: Path) -> Dataset:
    """The digits as a data set to look at, of one or more writers: each split has all. Raises
    InputError.
    """
    digits = read(path)
    every = np.arange(len(digits.images))
    return _dataset(path, digits, every, every)


def _dataset(path: Path, digits: WrittenDigits, train: np.ndarray, test: np.ndarray) -> Dataset:
    """The data set with the digits `train` and `test`, indices int64 (n,), in its splits."""
    train_split, test_split = (
        Split(digits.images[chosen][..., None], digits.labels[chosen].astype(np.int32))
        for chosen in (train, test)
    )
    writers = Writers(digits.names, digits.writers[train], digits.writers[test])
    return Dataset(str(path), path.stem, "classes", DIGITS, train_split, test_split, writers)


def scores_by_writer(writers: Writers, right: np.ndarray) -> list[tuple[str, int, float]]:
    """(name, test images, share that is right) of each writer, those who are read worst first.
    right: bool, of the first test images or all."""
    tested = writers.test[: len(right)]
    images = np.bincount(tested, minlength=len(writers.names))
    correct = np.bincount(tested, right, len(writers.names))
    rows = [
        (name, int(n), float(c / n))
        for name, n, c in zip(writers.names, images, correct, strict=True)
        if n
    ]
    return sorted(rows, key=lambda row: row[2])
