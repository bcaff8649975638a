"""IDX files: the format of MNIST, here a folder with the four usual names, plain or gzipped.

A file is big-endian: a magic number (2051 images, 2049 labels), the count, for images also rows and columns,
then one byte a pixel or label. Every header is held against the unpacked size before anything is allocated.
"""

import gzip
import io
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from core.data.dataset import Split
from core.errors import InputError

IMAGES, LABELS = 2051, 2049
NAMES = {
    ("train", IMAGES): "train-images-idx3-ubyte",
    ("train", LABELS): "train-labels-idx1-ubyte",
    ("test", IMAGES): "t10k-images-idx3-ubyte",
    ("test", LABELS): "t10k-labels-idx1-ubyte",
}
_SLICE = 10_000
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class IdxFolder:
    """The four files that hold a data set: (split name, magic number) -> path."""

    files: dict[tuple[str, int], Path]

    def read(self, part: str) -> Split:
        """The "train" or "test" split: uint8 (n, rows, columns, 1) images, int32 (n,) labels."""
        images, labels = self.files[part, IMAGES], self.files[part, LABELS]
        count, rows, columns = check_header(images, IMAGES)
        (label_count,) = check_header(labels, LABELS)
        if count != label_count:
            raise InputError(
                "{images} has {count:,} images but {labels} has {label_count:,} labels: the counts must be equal.",
                images=images, count=count, labels=labels, label_count=label_count,
            )  # fmt: skip
        return _read_slices(images, labels, (count, rows, columns))


def find(folder: Path) -> IdxFolder:
    """The four files in `folder`; an InputError that names the first missing one. Accepts `train-images.idx3-ubyte`."""
    if not folder.is_dir():
        raise InputError("{path} does not exist: choose a folder with IDX files.", path=folder)
    files = {}
    for key, name in NAMES.items():
        path = _find_one(folder, name)
        if path is None:
            empty = next(folder.iterdir(), None) is None
            template = (
                "{path} is empty: choose a folder with IDX files such as {name}.gz."
                if empty
                else "{path} lacks {name} (or {name}.gz): put the four IDX files of the data set into it."
            )
            raise InputError(template, path=folder, name=name)
        files[key] = path
    return IdxFolder(files)


def looks_like_one(folder: Path) -> bool:
    """Whether any of the four files is in `folder`."""
    return any(_find_one(folder, name) is not None for name in NAMES.values())


def is_complete(folder: Path) -> bool:
    """Whether all four files are in `folder`."""
    return all(_find_one(folder, name) is not None for name in NAMES.values())


def check_header(path: Path, magic: int) -> tuple[int, ...]:
    """The sizes in a file's header, (count, rows, columns) or (count,), once they agree with its length."""
    try:
        with _open(path) as file:
            head = file.read(16 if magic == IMAGES else 8)
            sizes = _parse(path, head, magic)
            expected = int(np.prod(np.array(sizes, dtype=object)))
            held = _length_of_rest(file, expected)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError("{path} is damaged ({reason}): fetch it again.", path=path, reason=error) from None
    if held < expected:
        raise InputError(
            "{path} is cut short: its header promises {expected:,} bytes, it holds {held:,}; fetch it again.",
            path=path, expected=expected, held=held,
        )  # fmt: skip
    if held > expected:
        raise InputError(
            "{path} holds more than the {expected:,} bytes that its header names: fetch it again.",
            path=path, expected=expected,
        )  # fmt: skip
    if not expected:
        raise InputError("{path} holds no images or labels: choose another data set.", path=path)
    return sizes


def _parse(path: Path, head: bytes, magic: int) -> tuple[int, ...]:
    wanted = "images" if magic == IMAGES else "labels"
    if len(head) < (16 if magic == IMAGES else 8):
        raise InputError(
            "{path} is too short for an IDX file of {wanted}: fetch it again.", path=path, wanted=wanted
        )
    found, *sizes = struct.unpack(f">{len(head) // 4}I", head)
    if found != magic:
        raise InputError(
            "{path} begins with {found}, an IDX file of {wanted} with {magic}: choose the right file.",
            path=path, found=found, wanted=wanted, magic=magic,
        )  # fmt: skip
    return tuple(sizes)


def _length_of_rest(file: IO[bytes], expected: int) -> int:
    """Bytes up to the end, counted in pieces and not further than one piece past `expected`."""
    held = 0
    while held <= expected and (piece := file.read(_PIECE)):
        held += len(piece)
    return held


def _read_slices(images: Path, labels: Path, shape: tuple[int, ...]) -> Split:
    """python-mnist gives nested lists, ten times the size of the pixels: slices keep the peak low."""
    reader = _reader()
    unpacked = {str(path): _unpack(path) for path in (images, labels)}
    reader.opener = lambda path, mode: io.BytesIO(unpacked[path])
    inputs = np.empty(shape, np.uint8)
    answers = np.empty(shape[0], np.int32)
    for start in range(0, shape[0], _SLICE):
        count = min(_SLICE, shape[0] - start)
        rows, numbers = reader.load(str(images), str(labels), batch=[start, count])
        pixels = np.frombuffer(b"".join(map(bytes, rows)), np.uint8)
        inputs[start : start + count] = pixels.reshape(count, *shape[1:])
        answers[start : start + count] = numbers
    return Split(inputs[..., np.newaxis], answers)


def _reader() -> Any:
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # python-mnist 0.7 compares a string by identity
            from mnist import MNIST
    except ImportError:
        raise InputError(
            "IDX files are read with python-mnist: install it (pip install python-mnist)."
        ) from None
    return MNIST(return_type="lists")


def _unpack(path: Path) -> bytes:
    with _open(path) as file:
        return file.read()


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _find_one(folder: Path, name: str) -> Path | None:
    dotted = name.replace("-idx", ".idx")
    candidates = (folder / (stem + ending) for stem in (name, dotted) for ending in ("", ".gz"))
    return next((path for path in candidates if path.is_file()), None)
