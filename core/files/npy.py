"""Reads NumPy's files of arrays, .npy and .npz, of strangers: nothing in them is unpickled.

The header is not given to NumPy, whose reader takes any Python literal.
"""

import re
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import IO

import numpy as np

from core.errors import InputError
from core.files.input_file import open_input
from core.files.reasons import READ_ERRORS
from core.files.zip_file import open_zip

MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    rb"\{'descr': '(\|O|[<>|=]?[biufSU]\d{1,4})', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,12}, ?)*\d{0,12})\), *\} *\n?"
)
_BLOCK = 1 << 20
_MAX_ARRAYS = 50


class PickledError(ValueError):
    """An array of Python objects, which are not read."""


def read_array(file: IO[bytes], max_bytes: int) -> np.ndarray:
    """The array in an .npy file. Its header, which decides how much is read, is checked first.

    Raises PickledError, and ValueError for more than `max_bytes`, and for a damaged file.
    """
    start = file.read(8)
    size = int.from_bytes(file.read(2 if start[6:7] == b"\x01" else 4), "little")
    header = _HEADER.fullmatch(file.read(min(size, 10_000)))
    if start[:6] != MAGIC or header is None:
        raise ValueError("an array in it is of another form")
    if header[1] == b"|O":
        raise PickledError("an array in it has pickled objects, which are not read")
    kind = np.dtype(header[1].decode())
    shape = tuple(int(n) for n in header[3].replace(b",", b" ").split())
    if prod(shape) * kind.itemsize > max_bytes or not kind.itemsize:
        raise ValueError(f"an array in it has more than {max_bytes:,} bytes")
    content = np.empty(prod(shape), kind)
    flat = content.view(np.uint8)
    filled = 0
    # Block by block into its place: read at once, the content would be in memory twice.
    while block := file.read(min(_BLOCK, flat.size - filled)):
        flat[filled : filled + len(block)] = np.frombuffer(block, np.uint8)
        filled += len(block)
    if filled < flat.size or file.read(1):
        raise ValueError("an array in it is cut short, or longer than it says")
    return content.reshape(shape, order="F" if header[2] == b"True" else "C")


def array_names(path: Path, max_bytes: int) -> list[str]:
    """The names of the arrays in an .npz file; empty for any other file."""
    try:
        with (
            open_input(path, max_bytes, "a file of arrays") as file,
            open_zip(file, _MAX_ARRAYS) as archive,
        ):
            entries = archive.namelist()
    except (InputError, *READ_ERRORS):
        return []
    is_of_arrays = all(name.endswith(".npy") for name in entries)
    return [name.removesuffix(".npy") for name in entries] if is_of_arrays else []


def read_arrays(path: Path, max_bytes: int, kind: str) -> dict[str, np.ndarray]:
    """The arrays of an .npz file by name, without those of Python objects; an .npy file has one
    with the name "".

    Raises what READ_ERRORS names for damaged files.
    """
    with open_input(path, max_bytes, kind) as file:
        is_single = file.read(len(MAGIC)) == MAGIC
        file.seek(0)
        if is_single:
            return {"": read_array(file, max_bytes)}
        with open_zip(file, _MAX_ARRAYS) as archive:
            arrays = {}
            for name in archive.namelist():
                with suppress(PickledError), archive.open(name) as member:
                    arrays[name.removesuffix(".npy")] = read_array(member, max_bytes)
            return arrays
