"""mnist.pkl.gz: the pickle of three (images, labels) pairs that early tutorials used, read without unpickling.

Pickle is a language whose programs may call anything. Here every name that it may use stands for a small class of
ours that only notes sizes and bytes; any other name is refused, and NumPy's own unpickling is never entered.
The plain Python unpickler is used because the compiled one allocates what a hostile file asks it to.
"""

import gzip
import io
import pickle
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from core.data.dataset import Split
from core.errors import InputError

MOST_BYTES = 512 << 20
_MOST_ENCODED = 256 << 20
_TYPES = {"f4", "f8", "u1", "i1", "i2", "i4", "i8", "u2", "u4", "u8"}
_SIDE = 28


def read(path: Path) -> tuple[Split, Split]:
    """Training and test splits: uint8 (n, 28, 28, 1) and int32 (n,).

    The validation pair follows the training pair in the training split, so that it has all 60,000 digits, as
    the IDX files have; its first 50,000 are those that the tutorials train on. Pixels are value/256 there.
    """
    pairs = _checked(_load(path), path)
    images = [_pixels(image, path) for image, _ in pairs]
    labels = [_labels(label, path) for _, label in pairs]
    for image, label in zip(images, labels, strict=True):
        if len(image) != len(label):
            raise InputError(
                "{path} has {images:,} images but {labels:,} labels in one of its pairs: the counts must be equal.",
                path=path, images=len(image), labels=len(label),
            )  # fmt: skip
    train = Split(np.concatenate(images[:2]), np.concatenate(labels[:2]))
    return train, Split(images[2], labels[2])


def _load(path: Path) -> Any:
    try:
        with gzip.open(path, "rb") as file:
            return _Reader(file, path).load()
    except InputError:
        raise
    except gzip.BadGzipFile:
        raise InputError("{path} is not gzipped: choose the original mnist.pkl.gz.", path=path) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            "{path} cannot be read ({reason}): fetch it again.", path=path, reason=error
        ) from None
    except Exception:  # a damaged program of pickle's language may fail in any way
        raise InputError(
            "{path} is no pickle of images and labels: choose the original mnist.pkl.gz.", path=path
        ) from None


class _Limited(io.RawIOBase):
    """A stream that refuses to give more than MOST_BYTES, and to be asked for more at once."""

    def __init__(self, file: gzip.GzipFile, path: Path) -> None:
        self._file, self._path, self._left = file, path, MOST_BYTES

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= self._left:
            raise InputError(
                "{path} unpacks to more than {most} MB: choose the original mnist.pkl.gz.",
                path=self._path, most=MOST_BYTES >> 20,
            )  # fmt: skip
        self._left -= size
        return self._file.read(size)

    def readline(self, size: int | None = -1) -> bytes:
        line = self._file.readline(self._left)
        self._left -= len(line)
        return line


class _Reader(pickle._Unpickler):
    def __init__(self, file: gzip.GzipFile, path: Path) -> None:
        super().__init__(_Limited(file, path), encoding="bytes")
        self._path = path
        self._encoder = _Encoder(path)

    def find_class(self, module: str, name: str) -> Any:
        if module in ("numpy.core.multiarray", "numpy._core.multiarray") and name == "_reconstruct":
            return _Maker(_Array)
        if module == "numpy" and name == "dtype":
            return _Maker(_Type)
        if module == "numpy" and name == "ndarray":
            return "ndarray"
        if (module, name) == ("_codecs", "encode"):
            return self._encoder
        raise InputError(
            "{path} is a pickle that wants to use {name}: only NumPy arrays are read, choose another file.",
            path=self._path, name=f"{module}.{name}",
        )  # fmt: skip


class _Maker:
    """Stands for a function; without attributes, so that a pickle cannot change it."""

    __slots__ = ("_kind",)

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __call__(self, *arguments: Any) -> Any:
        return self._kind(*arguments)


class _Encoder:
    """Bytes as Python 3 writes them for old protocols: text, to be encoded in Latin-1."""

    __slots__ = ("_left", "_path")

    def __init__(self, path: Path) -> None:
        self._path, self._left = path, _MOST_ENCODED

    def __call__(self, text: str, encoding: str) -> bytes:
        self._left -= len(text)
        if self._left < 0 or _text(encoding) not in ("latin1", "latin-1"):
            raise InputError(
                "{path} is an unusual pickle: choose the original mnist.pkl.gz.", path=self._path
            )
        return text.encode("latin-1")


class _Type:
    """Stands for numpy.dtype: its code, and the byte order that follows as state."""

    __slots__ = ("code", "order")

    def __init__(self, code: Any = b"", *_: Any) -> None:
        self.code, self.order = _text(code), "|"

    def __setstate__(self, state: Any) -> None:
        self.order = _text(state[1])


class _Array:
    """Stands for numpy.ndarray: its shape, type, order and bytes, unread."""

    __slots__ = ("fortran", "raw", "shape", "type")

    def __init__(self, *_: Any) -> None:
        self.shape, self.type, self.fortran, self.raw = (), None, False, b""

    def __setstate__(self, state: Any) -> None:
        self.shape, self.type, self.fortran, self.raw = state[-4:]

    def view(self) -> np.ndarray:
        """The array, as a view of the bytes; a ValueError when they do not fit the shape."""
        kind = self.type
        if not isinstance(kind, _Type) or kind.code not in _TYPES or kind.order not in "<>|=":
            raise ValueError("an array of unknown type")
        if not isinstance(self.raw, bytes) or not all(type(n) is int and n >= 0 for n in self.shape):
            raise ValueError("an array without bytes")
        flat = np.frombuffer(self.raw, np.dtype(kind.order + kind.code))
        return flat.reshape(self.shape, order="F" if self.fortran else "C")


def _unfit(path: Path) -> InputError:
    return InputError(
        "{path} does not hold three pairs of images (n, 784) and labels (n): choose the original mnist.pkl.gz.",
        path=path,
    )


def _checked(content: Any, path: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    try:
        (a, b), (c, d), (e, f) = content
        pairs = [(one.view(), two.view()) for one, two in ((a, b), (c, d), (e, f))]
    except (TypeError, ValueError, AttributeError):
        raise _unfit(path) from None
    for images, labels in pairs:
        if images.ndim != 2 or images.shape[1] != _SIDE * _SIDE or labels.ndim != 1 or not len(images):
            raise _unfit(path)
    return pairs


def _pixels(values: np.ndarray, path: Path) -> np.ndarray:
    """value*256 rounded, as uint8 (n, 28, 28, 1), a slice at a time to keep the peak low."""
    pixels = np.empty(values.shape, np.uint8)
    for start in range(0, len(values), 5_000):
        part = values[start : start + 5_000]
        if part.dtype.kind == "f":
            part = np.rint(part.astype(np.float64) * 256)
        if not (np.all(part >= 0) and np.all(part <= 256)):
            raise InputError("{path} has pixels outside 0 to 1: choose the original mnist.pkl.gz.", path=path)
        pixels[start : start + 5_000] = np.minimum(part, 255)
    return pixels.reshape(-1, _SIDE, _SIDE, 1)


def _labels(values: np.ndarray, path: Path) -> np.ndarray:
    if values.dtype.kind not in "iu" or np.any(values < 0) or np.any(values > 9):
        raise InputError(
            "{path} has labels other than the whole numbers 0 to 9: choose another file.", path=path
        )
    return values.astype(np.int32)


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
