"""Reads and writes safetensors files of named arrays and texts; files may come from anywhere.

The functions of safetensors that write are not used: they order the texts by chance, and copy the
memory of an array from its first byte on, whatever its strides.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import open_input

MAX_BYTES = 20_000_000_000
_LENGTH_BYTES = 8  # the file begins with the length of its header, little-endian
_MAX_HEADER = 20_000_000
_TYPES = {
    "float64": "F64",
    "float32": "F32",
    "float16": "F16",
    "int64": "I64",
    "int32": "I32",
    "int16": "I16",
    "int8": "I8",
    "uint64": "U64",
    "uint32": "U32",
    "uint16": "U16",
    "uint8": "U8",
    "bool": "BOOL",
}
# A zip archive of pickles, or a pickle of protocol 2 or later.
_TORCH_STARTS = (b"PK\x03\x04", b"\x80")
_KIND = "a model that was saved by this program"


def encode_tensors(
    arrays: Mapping[str, np.ndarray], texts: Mapping[str, str] | None = None
) -> bytes:
    """The content of a safetensors file with `arrays` of any shapes, strides and types, and
    `texts`.

    Equal arrays and texts give equal bytes.
    """
    return b"".join(_iter_encoded(arrays, texts or {}))


def save_tensors(path: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """As `encode_tensors`, but write to `path` without a second copy in memory. Raises OSError."""
    with open(path, "wb") as file:
        file.writelines(_iter_encoded(arrays, {}))


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> None:
    """Write `arrays` of any shapes as float32 and `texts` to `path`. The old file stays if that
    fails.
    """
    narrow = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    write_atomically(path, encode_tensors(narrow, texts))


def _iter_encoded(arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> Iterator[Any]:
    """The header, in an order that follows from the names alone, and the memory of each array."""
    # The widest first: so each array begins at a multiple of the size of its numbers.
    ordered = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    header: dict[str, Any] = {"__metadata__": dict(sorted(texts.items()))} if texts else {}
    position = 0
    for name, array in ordered:
        end = position + array.nbytes
        dtype = _TYPES[array.dtype.name]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": (position, end)}
        position = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    # The arrays begin at a multiple of 8 bytes, so that they can be mapped into memory.
    text += b" " * (-len(text) % _LENGTH_BYTES)
    yield len(text).to_bytes(_LENGTH_BYTES, "little") + text
    for _, array in ordered:
        # The format has little-endian numbers without strides.
        yield np.asarray(array, array.dtype.newbyteorder("<"), order="C")


@dataclass(frozen=True, slots=True)
class TensorFile:
    """An open safetensors file. Texts and shapes have been read; arrays are read by `array`."""

    path: Path
    texts: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    _handle: Any

    def text(self, key: str) -> str:
        """The text stored under `key`. Raises InputError if there is none."""
        if key not in self.texts:
            raise InputError(
                "{path} was not saved by this program: it has no “{key}”. Choose a file that was.",
                path=self.path,
                key=key,
            )
        return self.texts[key]

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """The array `name`, float32. Raises InputError unless it has this shape and all its values
        are finite.
        """
        if self.shapes.get(name) != tuple(shape):
            stored = self.shapes.get(name)
            raise InputError(
                "{path} does not fit its own description: “{name}” should be {shape} and is "
                "{stored}. The file is damaged or was changed; choose another.",
                path=self.path,
                name=name,
                shape=_format_shape(shape),
                stored=_format_shape(stored) if stored is not None else "missing",
            )
        dtype = self._handle.get_slice(name).get_dtype()
        if dtype != "F32":
            raise InputError(
                "{path}: “{name}” has numbers of type {dtype}, but 32-bit floats (F32) are "
                "needed; choose another file.",
                path=self.path,
                name=name,
                dtype=dtype,
            )
        array = self._handle.get_tensor(name)
        if not np.isfinite(array).all():
            raise InputError(
                "{path}: “{name}” has values that are not finite; choose another file.",
                path=self.path,
                name=name,
            )
        return array


@contextmanager
def open_tensors(path: Path) -> Iterator[TensorFile]:
    """Open the safetensors file at `path`. Raises InputError when it is missing, damaged or not
    such a file.
    """
    from safetensors import SafetensorError, safe_open

    with open_input(path, MAX_BYTES, _KIND) as file:
        start = file.read(_LENGTH_BYTES)
        length = int.from_bytes(start, "little")
        remaining = os.fstat(file.fileno()).st_size - _LENGTH_BYTES
    if length > min(remaining, _MAX_HEADER):
        if start.startswith(_TORCH_STARTS):
            raise InputError(
                "{path} is a pickle of torch.save, which is not opened because it could run code: "
                "save the weights by "
                'safetensors.torch.save_file(net.state_dict(), "net.safetensors") and import that '
                "file.",
                path=path,
            )
        raise InputError(
            "{path} is not a safetensors file: its header would be longer than the file. Choose a "
            "model that was saved by this program.",
            path=path,
        )
    try:
        with safe_open(path, framework="numpy") as handle:
            shapes = {name: tuple(handle.get_slice(name).get_shape()) for name in handle.keys()}  # noqa: SIM118
            yield TensorFile(path, handle.metadata() or {}, shapes, handle)
    except (SafetensorError, OSError) as error:
        reason = str(error).removeprefix("Error while deserializing header: ").rstrip(".")
        raise InputError(
            "{path} is damaged: {reason}. Choose another file.", path=path, reason=reason[:200]
        ) from None


def _format_shape(shape: tuple[int, ...]) -> str:
    """`784x128` for (784, 128)."""
    return "x".join(str(n) for n in shape) or "one number"
