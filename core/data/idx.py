"""Reads IDX files, the format of MNIST, plain or gzipped: a folder with images and labels.

A file is big-endian: a magic number (2051 images, 2049 labels), the count, for images also rows and
columns, then one byte per pixel or label. The header is compared with the length of the file before
anything is allocated.
"""

import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.data import cache
from core.data.dataset import Split
from core.data.parts import base_of, join_parts, part_of
from core.errors import InputError
from core.files.input_file import head_of, open_unpacked
from core.files.reasons import refusing
from core.progress import Progress, ignore_progress

IMAGES = 2051
LABELS = 2049
MANY_LABELS = 3074
"""QMNIST: eight int32 for each image, of which the first is the class."""
NAMES = {
    ("train", IMAGES): "train-images-idx3-ubyte",
    ("train", LABELS): "train-labels-idx1-ubyte",
    ("test", IMAGES): "t10k-images-idx3-ubyte",
    ("test", LABELS): "t10k-labels-idx1-ubyte",
}
MAX_BYTES = 1_000_000_000
"""Limit of one unpacked file: a million images of 28x28 have 784 MB."""

_MAX_FILES = 200
_MNIST_SHAPE = (28, 28)
_SLICE = 5_000
_BLOCK = 1 << 20


Files = dict[tuple[str, int], Path]
"""The four files of a data set by split name and magic number, as in NAMES."""


def read_folder(path: Path, cache_name: str, progress: Progress = ignore_progress) -> cache.Splits:
    """The training and the test split of a folder, or of a file in it, from the cache if the files
    have not changed since the last time.

    Raises InputError as `find` and `read_split` do.
    """
    files = find(path)

    def read() -> cache.Splits:
        parts = dict.fromkeys(part for part, _ in files)
        return join_parts({part: read_split(files, part, progress) for part in parts})

    return cache.load_or_make(cache_name, cache.key_of(files.values()), read)


def read_split(files: Files, part: str, progress: Progress = ignore_progress) -> Split:
    """The split of one part of the files: uint8 (n, rows, columns, 1) images, int32 (n,)
    labels.

    `progress(done, total)` counts images. Raises InputError when a file is damaged, or when the
    counts of images and labels differ.
    """
    images = files[part, IMAGES]
    labels = files[part, LABELS]
    shape = check_header(images, IMAGES)
    label_count, *label_sizes = check_header(labels, LABELS)
    label_bytes = 4 * prod(label_sizes) if label_sizes else 1
    if shape[0] != label_count:
        raise InputError(
            "{images} has {count:,} images but {labels} has {label_count:,} labels: the counts "
            "must be equal.",
            images=images,
            count=shape[0],
            labels=labels,
            label_count=label_count,
        )
    inputs = np.empty(shape, np.uint8)
    targets = np.empty(label_count, np.int32)
    reader = _python_mnist() if shape[1:] == _MNIST_SHAPE else None
    with _opened(images) as image_file, _opened(labels) as label_file:
        image_file.read(16)
        label_file.read(8 + 4 * len(label_sizes))
        for start in range(0, len(inputs), _SLICE):
            chosen = slice(start, min(start + _SLICE, len(inputs)))
            pixels = image_file.read(inputs[chosen].size)
            numbers = label_file.read(label_bytes * len(targets[chosen]))
            if len(pixels) < inputs[chosen].size or len(numbers) < label_bytes * len(
                targets[chosen]
            ):
                raise EOFError("it is shorter than it was when its header was read")
            if label_sizes:  # the class is the lowest byte of the first number
                numbers = numbers[3::label_bytes]
            _decode(pixels, numbers, inputs[chosen], targets[chosen], reader)
            progress(chosen.stop, len(inputs))
    return Split(inputs[..., np.newaxis], targets)


def find(path: Path) -> Files:
    """The files of the data set in a folder, or of that which the file `path` belongs to.

    Validation images and labels are left to others. Raises InputError if a file is missing, and
    where a folder has several data sets.
    """
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir():
        raise InputError("{path} does not exist: choose a folder with IDX files.", path=folder)
    found = data_sets_in(folder)
    if folder != path:
        found = [files for files in found if path in files.values()]
    if not found:
        raise InputError(
            "{path} has no IDX files: choose a folder with files such as {name}.gz.",
            path=folder,
            name=NAMES["train", IMAGES],
        )
    if len(found) > 1:
        raise InputError(
            "{path} has {sets} data sets: choose one of their files, such as {names}.",
            path=folder,
            sets=len(found),
            names=[next(iter(files.values())).name for files in found],
        )
    (files,) = found
    for part, magic in files:
        # That of the two that `magic` is not.
        other = IMAGES + LABELS - magic
        if (part, other) not in files:
            raise InputError(
                "{path} lacks {name} (or {name}.gz), which belongs to {file}: put it into the "
                "folder.",
                path=folder,
                name=_other_name(files[part, magic].name, magic),
                file=files[part, magic].name,
            )
    return files


def data_sets_in(folder: Path) -> list[Files]:
    """The IDX files in a folder, those of each data set by part and magic number.

    Their content tells what they are; a damaged file counts by its name. Their names tell the part
    and, where a part is there twice, the data set.
    """
    if not folder.is_dir():
        return []
    found: list[tuple[str, tuple[str, int], Path]] = []
    for path in sorted(folder.iterdir())[:_MAX_FILES]:
        name = path.name.lower().removesuffix(".gz")
        magic = int.from_bytes(head_of(path, 4), "big")
        is_idx = magic in (IMAGES, LABELS, MANY_LABELS) or name.endswith("-ubyte")
        if is_idx and not name.startswith("."):
            is_images = "image" in name or (magic == IMAGES and "label" not in name)
            place = (part_of(name), IMAGES if is_images else LABELS)
            found.append((base_of(name), place, path))
    is_one = len({place for _, place, _ in found}) == len(found)
    sets: dict[str, Files] = {}
    for key, place, path in found:
        sets.setdefault("" if is_one else key, {}).setdefault(place, path)
    return list(sets.values())


def _other_name(name: str, magic: int) -> str:
    """The usual name of the labels of a file of images, or of the images of labels."""
    words = [("images", "labels"), ("idx3", "idx1")]
    for of_images, of_labels in words:
        old, new = (of_images, of_labels) if magic == IMAGES else (of_labels, of_images)
        name = name.replace(old, new)
    return name.removesuffix(".gz")


def count_files(folder: Path) -> int:
    """How many of the four files of a data set are in `folder`."""
    return max((len(files) for files in data_sets_in(folder)), default=0)


def check_header(path: Path, magic: int) -> tuple[int, ...]:
    """The sizes in a file's header, (count, rows, columns), (count,) or (count, 8).

    Raises InputError if the length differs.
    """
    is_images = magic == IMAGES
    content = "images" if is_images else "labels"
    header_size = 16 if is_images else 8
    with _opened(path) as file:
        header = file.read(header_size)
        if len(header) < header_size:
            template = "{path} is too short for an IDX file of {content}: download it again."
            raise InputError(template, path=path, content=content)
        number, *sizes = struct.unpack(f">{header_size // 4}I", header)
        if (number, magic) == (MANY_LABELS, LABELS):
            sizes += struct.unpack(">I", file.read(4))
        elif number != magic:
            raise InputError(
                "{path} begins with {number}, an IDX file of {content} with {magic}: choose the "
                "right file.",
                path=path,
                number=number,
                content=content,
                magic=magic,
            )
        expected = prod(sizes) * (4 if number == MANY_LABELS else 1)
        # The unpacked length of a gzipped file is known only when it is read.
        length = 0
        while length <= min(expected, MAX_BYTES) and (block := file.read(_BLOCK)):
            length += len(block)
    if length > MAX_BYTES:
        raise InputError(
            "{path} has more than {limit:,} bytes, the most that is read: choose fewer images.",
            path=path,
            limit=MAX_BYTES,
        )
    if length < expected:
        raise InputError(
            "{path} is cut short: its header states {expected:,} bytes, it has {length:,}; "
            "download it again.",
            path=path,
            expected=expected,
            length=length,
        )
    if length > expected:
        raise InputError(
            "{path} has more than the {expected:,} bytes that its header states: download it "
            "again.",
            path=path,
            expected=expected,
        )
    if not expected:
        raise InputError("{path} has no images or labels: choose another data set.", path=path)
    return tuple(sizes)


def _decode(
    pixels: bytes, numbers: bytes, inputs: np.ndarray, targets: np.ndarray, reader: Any
) -> None:
    """Write a slice of the files into uint8 (n, rows, columns) `inputs` and int32 (n,) `targets`.

    python-mnist returns lists, ten times the size of the pixels; a slice at a time keeps the peak
    low.
    """
    if reader is None:
        inputs[:] = np.frombuffer(pixels, np.uint8).reshape(inputs.shape)
        targets[:] = np.frombuffer(numbers, np.uint8)
        return
    files = {
        "images": struct.pack(">4I", IMAGES, *inputs.shape) + pixels,
        "labels": struct.pack(">2I", LABELS, len(targets)) + numbers,
    }

    def opened(name: str, mode: str) -> io.BytesIO:
        return io.BytesIO(files[name])

    reader.opener = opened
    rows, labels = reader.load("images", "labels")
    inputs[:] = np.frombuffer(b"".join(map(bytes, rows)), np.uint8).reshape(inputs.shape)
    targets[:] = labels


def _python_mnist() -> Any:
    """A reader of python-mnist, or None where it is not installed."""
    import warnings

    try:
        with warnings.catch_warnings():
            # Python-mnist 0.7 compares a string by identity.
            warnings.simplefilter("ignore", SyntaxWarning)
            from mnist import MNIST
    except ImportError:
        return None
    return MNIST(return_type="lists")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """The unpacked content of a file. Raises InputError for a file that is damaged or cannot be
    opened.
    """
    with (
        refusing("{path} is damaged ({reason}): download it again.", path=path),
        open_unpacked(path, MAX_BYTES + 16, "a folder with IDX files") as file,
    ):
        yield file
