"""Reads mnist.pkl.gz, the gzipped pickle of three (images, labels) pairs that early tutorials used.

A pickle is a program that may call any function, so Python's unpickler is not used. One that finds no functions but
NumPy's would not do: 12 bytes make it ask for 16 GB for its memo, and 62 bytes let it hash a nested tuple for seconds,
doubled by every two bytes more. This module interprets only the opcodes that pickles of NumPy arrays consist of
(protocols 1 to 5, of Python 2 and 3). Calls are recorded, not made, and values are never hashed or converted to text.
The number of opcodes, the unpacked size and the number of images are limited.
"""

import gzip
import pickletools
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.data.dataset import Split
from core.errors import InputError
from core.files.input_file import open_input

MAX_BYTES = 300_000_000
"""Limit of the unpacked size. The original file unpacks to 220 MB."""

_MAX_IMAGES = 100_000  # in all three pairs, which may share one array; the original file has 70,000
_MAX_OPCODES = 2_000
_TYPES = ("f4", "f8", "u1", "i1", "i2", "i4", "i8", "u2", "u4", "u8")
_NAMES = ("numpy.ndarray", "numpy.dtype", "numpy.core.multiarray._reconstruct", "numpy.core.numeric._frombuffer",
          "_codecs.encode")  # fmt: skip
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_VALUES = ("INT", "BININT", "BININT1", "BININT2", "LONG1", "SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8",
           "SHORT_BINSTRING", "BINSTRING")  # fmt: skip
_TEXTS = ("SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8")
_OTHERS = ("GLOBAL", "STACK_GLOBAL", "BINPUT", "LONG_BINPUT", "MEMOIZE", "BINGET", "LONG_BINGET", "MARK", "TUPLE",
           "EMPTY_LIST", "APPENDS", "REDUCE", "BUILD", "STOP", "PROTO", "FRAME")  # fmt: skip
_OPCODES = {opcode.code: opcode for opcode in pickletools.opcodes}
# Strings are read as bytes: `pickletools` would decode them to texts of up to four bytes a character.
_READERS: dict[str, Callable[[Any], bytes]] = {
    "SHORT_BINUNICODE": pickletools.read_bytes1, "BINUNICODE": pickletools.read_bytes4,
    "BINUNICODE8": pickletools.read_bytes8, "SHORT_BINSTRING": pickletools.read_bytes1,
    "BINSTRING": pickletools.read_bytes4,
}  # fmt: skip
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


@dataclass(slots=True, eq=False, repr=False)
class _Call:
    """A call that the pickle contains, and the state that it sets on the result."""

    function: Any
    arguments: Any
    state: Any = None


def read_pickled(path: Path) -> tuple[Split, Split]:
    """Training and test splits: uint8 (n, 28, 28, 1) images and int32 (n,) labels.

    The validation pair is appended to the training pair, so that the training split has all 60,000 digits, as in
    the IDX files; its first 50,000 are those that the tutorials train on. Pixels in the file are value/256.
    Raises InputError when the file is damaged, or is another pickle.
    """
    try:
        with open_input(path, MAX_BYTES, "the original mnist.pkl.gz") as file:
            (a, b), (c, d), (e, f) = _interpret(_LimitedFile(gzip.GzipFile(fileobj=file), path), path)
            arrays = [_array(values) for values in (a, c, e)]
            if sum(map(len, arrays)) > _MAX_IMAGES:
                raise InputError(
                    "{path} has more than {limit:,} images: choose the original mnist.pkl.gz.",
                    path=path, limit=_MAX_IMAGES,
                )  # fmt: skip
            images = [_pixels(values, path) for values in arrays]
            labels = [_labels(_array(values), path) for values in (b, d, f)]
    except gzip.BadGzipFile:
        raise InputError("{path} is not gzipped: choose the original mnist.pkl.gz.", path=path) from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            "{path} cannot be read ({reason}): download it again.", path=path, reason=error
        ) from None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError):
        raise InputError(
            "{path} is not a pickle of three pairs of images (n, 784) and labels (n): choose the original "
            "mnist.pkl.gz.", path=path,
        ) from None  # fmt: skip
    for image, label in zip(images, labels, strict=True):
        if len(image) != len(label):
            raise InputError(
                "{path} has {images:,} images but {labels:,} labels in one of its pairs: the counts must be equal.",
                path=path, images=len(image), labels=len(label),
            )  # fmt: skip
    train = Split(np.concatenate(images[:2]), np.concatenate(labels[:2]))
    return train, Split(images[2], labels[2])


class _LimitedFile:
    """A file that refuses to be read beyond MAX_BYTES, and has no long lines."""

    def __init__(self, file: gzip.GzipFile, path: Path) -> None:
        self._file, self._path, self._bytes_left = file, path, MAX_BYTES

    def read(self, size: int) -> bytes:
        self._bytes_left -= size
        if self._bytes_left < 0:
            raise InputError(
                "{path} unpacks to more than {limit} MB: choose the original mnist.pkl.gz.",
                path=self._path, limit=MAX_BYTES // 1_000_000,
            )  # fmt: skip
        return self._file.read(size)

    def readline(self) -> bytes:
        return self._file.readline(100)


def _interpret(file: _LimitedFile, path: Path) -> Any:
    """The value that the pickle describes. A malformed pickle raises ValueError, LookupError or TypeError."""
    stack: list[Any] = []
    marks: list[int] = []
    memo: dict[int, Any] = {}
    for name, argument in _operations(file):
        if name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _VALUES:
            stack.append(argument)
        elif name in _TEXTS:
            stack.append(_decoded(argument))
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            words = argument.split(" ") if name == "GLOBAL" else _pop(stack, len(stack) - 2)
            full_name = ".".join(words).replace("numpy._core.", "numpy.core.")
            if full_name not in _NAMES:
                raise InputError(
                    "{path} is a pickle that uses {name}: only NumPy arrays are read, choose another file.",
                    path=path, name=full_name[:100],
                )  # fmt: skip
            stack.append(full_name)
        elif name in ("BINPUT", "LONG_BINPUT", "MEMOIZE"):
            memo[len(memo) if name == "MEMOIZE" else argument] = stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        elif name == "MARK":
            marks.append(len(stack))
        elif name == "TUPLE":
            stack.append(tuple(_pop(stack, marks.pop())))
        elif name in _TUPLES:
            stack.append(tuple(_pop(stack, len(stack) - _TUPLES[name])))
        elif name == "EMPTY_LIST":
            stack.append([])
        elif name == "APPENDS":
            items = _pop(stack, marks.pop())
            stack[-1].extend(items)
        elif name == "REDUCE":
            stack.append(_Call(*_pop(stack, len(stack) - 2)))
        elif name == "BUILD":
            target, target.state = stack[-2], stack.pop()
        elif name == "STOP":
            return stack.pop()
    raise ValueError


def _operations(file: _LimitedFile) -> Iterator[tuple[str, Any]]:
    """The names and arguments of the first opcodes. Another opcode than those of arrays raises ValueError."""
    for _ in range(_MAX_OPCODES):
        opcode = _OPCODES.get(file.read(1).decode("latin-1"))
        name = opcode.name if opcode else ""
        # Before the argument is read, which may be large.
        if opcode is None or name not in (*_CONSTANTS, *_VALUES, *_TEXTS, *_TUPLES, *_OTHERS):
            raise ValueError
        yield name, _READERS.get(name, opcode.arg.reader)(file) if opcode.arg else None


def _decoded(content: bytes) -> str:
    """The text of UTF-8 bytes. Raises ValueError for characters beyond Latin-1: bytes of an array have none."""
    if np.frombuffer(content, np.uint8).max(initial=0) > 0xC3:
        raise ValueError
    return content.decode()


def _pop(stack: list[Any], start: int) -> list[Any]:
    """Remove the values from index `start` on and return them. Raises ValueError when the stack is too short."""
    if start < 0:
        raise ValueError
    values = stack[start:]
    del stack[start:]
    return values


def _array(value: Any) -> np.ndarray:
    """The array that a recorded call would make. Raises ValueError for anything else."""
    order: Any = "C"
    match value:
        case _Call(
            function="numpy.core.multiarray._reconstruct", state=(_, tuple(shape), dtype, fortran, content)
        ):
            order = "F" if fortran is True or fortran == 1 else "C"
        case _Call(
            function="numpy.core.numeric._frombuffer", arguments=(content, dtype, tuple(shape), order)
        ):
            pass
        case _:
            raise ValueError
    match content:
        case _Call(function="_codecs.encode", arguments=(str(text), "latin1")):  # bytes in protocols 1 and 2
            content = text.encode("latin-1")
    match dtype:
        case _Call(function="numpy.dtype", arguments=(code, *_), state=(_, byte_order, *_)):
            code, byte_order = _text(code), _text(byte_order)
        case _:
            raise ValueError
    known = code in _TYPES and byte_order in ("<", ">", "|", "=") and order in ("C", "F")
    if not known or not isinstance(content, bytes | bytearray):
        raise ValueError
    return np.frombuffer(content, np.dtype(byte_order + code)).reshape(shape, order=order)


def _text(value: Any) -> str:
    """A text, which Python 2 stored as bytes; "" for a value that is neither."""
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else ""


def _pixels(values: np.ndarray, path: Path) -> np.ndarray:
    """`values` (n, 784) * 256, or as they are if integers, as uint8 (n, 28, 28, 1). Slices keep the peak low."""
    if values.ndim != 2 or values.shape[1] != 784 or not len(values):
        raise ValueError
    pixels = np.empty(values.shape, np.uint8)
    for start in range(0, len(values), 5_000):
        part = values[start : start + 5_000]
        if part.dtype.kind == "f":
            part = np.rint(part.astype(np.float64) * 256)
        if not (np.all(part >= 0) and np.all(part <= 256)):
            raise InputError("{path} has pixels outside 0 to 1: choose the original mnist.pkl.gz.", path=path)
        pixels[start : start + 5_000] = np.minimum(part, 255)
    return pixels.reshape(-1, 28, 28, 1)


def _labels(values: np.ndarray, path: Path) -> np.ndarray:
    """`values` (n,) as int32."""
    if values.ndim != 1:
        raise ValueError
    if values.dtype.kind not in "iu" or np.any(values < 0) or np.any(values > 9):
        raise InputError(
            "{path} has labels other than the whole numbers 0 to 9: choose another file.", path=path
        )
    return values.astype(np.int32)
