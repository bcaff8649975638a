"""Reads the pickles of MNIST that tutorials and textbooks use: three (images, labels) pairs, two of
them, or a dictionary of arrays, gzipped or not.

A pickle is a program that may call any function, so nothing in it is called: a subclass of Python's
unpickler keeps the opcodes that pickles of NumPy arrays consist of (protocols 1 to 5, of Python 2
and 3) and records calls instead of making them. A limit on functions alone would not do: 12 bytes
make the unpickler in C ask for 16 GB for its memo, and 62 bytes let it hash a nested tuple for
seconds, doubled by every two bytes more. The number of reads, the unpacked size and the number of
images are limited.
"""

import pickle
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar

import numpy as np

from core.data import cache
from core.data.dataset import Dataset, Split
from core.data.formats.data_format import DataFormat
from core.data.labeled_images import named_dataset, pair_up, splits_of
from core.data.parts import join_parts
from core.errors import InputError
from core.files.input_file import open_unpacked
from core.files.reasons import READ_ERRORS, reason_of
from core.progress import Progress, ignore_progress

MAX_BYTES = 300_000_000
"""Limit of the unpacked size. The original file unpacks to 220 MB."""

_KIND = "a pickle of MNIST such as mnist.pkl.gz"
_MAX_IMAGES = 100_000  # in all three pairs, which may share one array; the original file has 70,000
_MAX_READS = 6_000  # each opcode needs one to three
_TYPES = ("f4", "f8", "u1", "i1", "i2", "i4", "i8", "u2", "u4", "u8")
_NAMES = (
    "numpy.ndarray",
    "numpy.dtype",
    "numpy.core.multiarray._reconstruct",
    "numpy.core.numeric._frombuffer",
    "_codecs.encode",
)
_OPCODES = (
    "NONE",
    "NEWTRUE",
    "NEWFALSE",
    "EMPTY_TUPLE",
    "INT",
    "BININT",
    "BININT1",
    "BININT2",
    "LONG1",
    "SHORT_BINBYTES",
    "BINBYTES",
    "BINBYTES8",
    "SHORT_BINSTRING",
    "BINSTRING",
    "GLOBAL",
    "STACK_GLOBAL",
    "BINPUT",
    "LONG_BINPUT",
    "MEMOIZE",
    "BINGET",
    "LONG_BINGET",
    "MARK",
    "TUPLE",
    "TUPLE1",
    "TUPLE2",
    "TUPLE3",
    "EMPTY_DICT",
    "EMPTY_LIST",
    "APPENDS",
    "STOP",
    "PROTO",
)


class PickledMnist(DataFormat):
    """The file of early tutorials, and those of textbooks."""

    order = 6
    description: ClassVar = "MNIST as a pickle"
    suffixes: ClassVar = (".pkl.gz", ".pickle.gz", ".pkl", ".pickle")

    def fits(self, path: Path, head: bytes) -> bool:
        is_of_arrays = head.startswith(pickle.PROTO) and b"numpy" in head
        # Their files are pickles with arrays as well, but of models.
        return is_of_arrays and not any(name in head for name in (b"torch", b"sklearn"))

    def load(self, path: Path, progress: Progress = ignore_progress) -> Dataset:
        key = cache.key_of([path])
        train, test = cache.load_or_make(cache.cache_name(path), key, lambda: read_pickled(path))
        return named_dataset(path, train, test)


@dataclass(slots=True, eq=False, repr=False)
class _Call:
    """A call that the pickle contains, and the state that it sets on the result."""

    function: Any
    arguments: Any
    state: Any = None


def read_pickled(path: Path) -> tuple[Split, Split]:
    """Training and test splits: uint8 (n, height, width, 1) images and labels (n,).

    The validation pair is appended to the training pair, so that the training split has all 60,000
    digits, as in the IDX files; its first 50,000 are those that the tutorials train on. Raises
    InputError when the file is damaged, or is another pickle.
    """
    try:
        with open_unpacked(path, MAX_BYTES, _KIND) as file:
            named = _named(_ArrayUnpickler(file, path).load())
            arrays = {name: _array(value) for name, value in named.items()}
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(
            "{path} cannot be read ({reason}): download it again.",
            path=path,
            reason=reason_of(error),
        ) from None
    except READ_ERRORS:
        raise InputError(
            "{path} is not a pickle of images and labels, as pairs or by name: choose {kind}.",
            path=path,
            kind=_KIND,
        ) from None
    parts = pair_up(path, arrays)
    if sum(len(images) for images, _ in parts.values()) > _MAX_IMAGES:
        raise InputError(
            "{path} has more than {limit:,} images: choose {kind}.",
            path=path,
            limit=_MAX_IMAGES,
            kind=_KIND,
        )
    return join_parts(splits_of(path, parts))


def _named(value: Any) -> dict[str, Any]:
    """The arrays by name; those of pairs are named by their order. Raises ValueError for anything
    else.
    """
    match value:
        case dict():
            return value
        case [[_, _], [_, _], *more]:
            parts = ("train", "valid", "test") if more else ("train", "test")
            named = zip(parts, value, strict=True)
            return {
                f"{part} {number}": array
                for part, pair in named
                for number, array in enumerate(pair)
            }
        case [images, labels]:
            return {"images": images, "labels": labels}
    raise ValueError


class _LimitedFile:
    """A file that refuses many reads, reads beyond MAX_BYTES and beyond its end, and has no long
    lines.
    """

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self._file = file
        self._path = path
        self._bytes_left = MAX_BYTES
        self._reads_left = _MAX_READS

    def read(self, size: int) -> bytes:
        self._bytes_left -= size
        self._reads_left -= 1
        if self._bytes_left < 0:
            raise InputError(
                "{path} unpacks to more than {limit} MB: choose {kind}.",
                path=self._path,
                limit=MAX_BYTES // 1_000_000,
                kind=_KIND,
            )
        content = self._file.read(size)
        if len(content) < size or self._reads_left < 0:
            raise ValueError
        return content

    def readline(self) -> bytes:
        return self._file.readline(100)


class _ArrayUnpickler(pickle._Unpickler):
    """`load` returns the value that the pickle describes, with `_Call`s for calls.

    A malformed pickle raises ValueError, LookupError, TypeError, AttributeError or PickleError.
    """

    # Set by `load`.
    read: Callable[[int], bytes]
    append: Callable[[Any], None]
    stack: list[Any]
    pop_mark: Callable[[], list[Any]]

    def __init__(self, file: IO[bytes], path: Path) -> None:
        super().__init__(_LimitedFile(file, path), encoding="bytes")
        self._path = path

    def find_class(self, module: str, name: str) -> str:
        full_name = f"{module}.{name}".replace("numpy._core.", "numpy.core.")
        if full_name not in _NAMES:
            raise InputError(
                "{path} is a pickle that uses {name}: only NumPy arrays are read, so save it "
                "as a .csv or .npz file.",
                path=self._path,
                name=full_name[:100],
            )
        return full_name

    def _reduce(self) -> None:
        arguments = self.stack.pop()
        self.append(_Call(self.stack.pop(), arguments))

    def _build(self) -> None:
        state = self.stack.pop()
        self.stack[-1].state = state

    def _set_items(self) -> None:
        """Fills the dictionary before the mark. Only texts are keys: others may take long to
        hash.
        """
        items = self.pop_mark()
        target = self.stack[-1]
        for key, value in zip(items[::2], items[1::2], strict=True):
            if type(key) is not str or type(target) is not dict:
                raise ValueError
            target[key] = value

    def _set_item(self) -> None:
        value = self.stack.pop()
        key = self.stack.pop()
        if type(key) is not str or type(self.stack[-1]) is not dict:
            raise ValueError
        self.stack[-1][key] = value

    def _bytes(self, length_format: str) -> bytes:
        """The content of an opcode that begins with its length."""
        return self.read(*struct.unpack(length_format, self.read(struct.calcsize(length_format))))

    def _text(self, length_format: str) -> None:
        """Refuses texts beyond Latin-1: bytes of an array have none, and they would take four bytes
        a character.
        """
        content = self._bytes(length_format)
        if np.frombuffer(content, np.uint8).max(initial=0) > 0xC3:
            raise ValueError
        self.append(content.decode())

    dispatch: ClassVar[dict[int, Any]] = {
        **{
            code[0]: pickle._Unpickler.dispatch[code[0]]
            for code in (getattr(pickle, name) for name in _OPCODES)
        },
        pickle.REDUCE[0]: _reduce,
        pickle.BUILD[0]: _build,
        pickle.SETITEM[0]: _set_item,
        pickle.SETITEMS[0]: _set_items,
        pickle.SHORT_BINUNICODE[0]: lambda self: self._text("<B"),
        pickle.BINUNICODE[0]: lambda self: self._text("<I"),
        pickle.BINUNICODE8[0]: lambda self: self._text("<Q"),
        pickle.BYTEARRAY8[0]: lambda self: self.append(self._bytes("<Q")),
        pickle.FRAME[0]: lambda self: self.read(8),  # what follows need not be read at once
    }


def _array(value: object) -> np.ndarray:
    """The array that a recorded call would make. Raises ValueError for anything else."""
    order: Any = "C"
    match value:
        case _Call(
            function="numpy.core.multiarray._reconstruct",
            state=(_, tuple(shape), dtype, fortran, content),
        ):
            order = "F" if fortran is True or fortran == 1 else "C"
        case _Call(
            function="numpy.core.numeric._frombuffer",
            arguments=(content, dtype, tuple(shape), order),
        ):
            pass
        case _:
            raise ValueError
    match content:
        # Bytes in protocols 1 and 2.
        case _Call(function="_codecs.encode", arguments=(str(text), "latin1")):
            content = text.encode("latin-1")
    match dtype:
        case _Call(function="numpy.dtype", arguments=(code, *_), state=(_, byte_order, *_)):
            code = _text(code)
            byte_order = _text(byte_order)
        case _:
            raise ValueError
    known = code in _TYPES and byte_order in ("<", ">", "|", "=") and order in ("C", "F")
    if not known or not isinstance(content, bytes):
        raise ValueError
    return np.frombuffer(content, np.dtype(byte_order + code)).reshape(shape, order=order)


def _text(value: object) -> str:
    """A text, which Python 2 stored as bytes; "" for a value that is neither."""
    match value:
        case bytes():
            return value.decode("latin-1")
        case str():
            return value
    return ""
