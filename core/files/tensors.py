"""A tensor file is a safetensors file: named float32 arrays and texts, read without trust."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically

_LENGTH_BYTES = 8  # the file begins with its header's length, little-endian


def write_tensors(path: Path, arrays: Mapping[str, np.ndarray], texts: Mapping[str, str]) -> None:
    """Write float32 `arrays` of any shapes and `texts` to `path`, whole or not at all."""
    from safetensors.numpy import save

    contiguous = {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()}
    write_atomically(path, save(contiguous, dict(texts)))


@dataclass(frozen=True, slots=True)
class TensorFile:
    """An open tensor file: its texts are read, its arrays are not until asked for."""

    path: Path
    texts: dict[str, str]
    shapes: dict[str, tuple[int, ...]]
    _handle: Any

    def text(self, key: str) -> str:
        """The text stored under `key`, or an InputError."""
        if key not in self.texts:
            raise InputError(
                "{path} was not saved by this program: it does not say its “{key}”. Choose a file that was.",
                path=self.path, key=key,
            )  # fmt: skip
        return self.texts[key]

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """The array called `name`, float32 and finite, or an InputError where it is not of `shape`."""
        if self.shapes.get(name) != tuple(shape):
            found = self.shapes.get(name)
            raise InputError(
                "{path} does not fit its own description: “{name}” should be {shape} and is {found}. "
                "The file is damaged or was changed; choose another.",
                path=self.path, name=name, shape=in_shape(shape),
                found=in_shape(found) if found is not None else "missing",
            )  # fmt: skip
        if self._handle.get_slice(name).get_dtype() != "F32":
            raise InputError(
                "{path}: “{name}” has numbers of type {found}, but 32-bit floats (F32) are needed; choose "
                "another file.",
                path=self.path, name=name, found=self._handle.get_slice(name).get_dtype(),
            )  # fmt: skip
        array = self._handle.get_tensor(name)
        if not np.isfinite(array).all():
            raise InputError(
                "{path}: “{name}” holds numbers that are not finite, so nothing can be computed with it; "
                "choose another file.", path=self.path, name=name,
            )  # fmt: skip
        return array


@contextmanager
def open_tensors(path: Path) -> Iterator[TensorFile]:
    """The tensor file at `path`; an InputError where there is none. Nothing is allocated before it is checked."""
    from safetensors import SafetensorError, safe_open

    try:
        size = path.stat().st_size
        if path.is_dir():
            raise InputError("{path} is a folder: choose a .safetensors file in it.", path=path)
        with path.open("rb") as file:
            length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
    except FileNotFoundError:
        raise InputError("There is no file {path}.", path=path) from None
    except (OSError, ValueError) as error:
        raise InputError("{path} cannot be read: {reason}.", path=path, reason=_reason(error)) from None
    if size < _LENGTH_BYTES or length > size - _LENGTH_BYTES:
        raise InputError(
            "{path} is no safetensors file: its header would be longer than the file itself. Choose a model "
            "that was saved by this program.", path=path,
        )  # fmt: skip
    try:
        with safe_open(path, framework="numpy") as handle:
            shapes = {name: tuple(handle.get_slice(name).get_shape()) for name in handle.keys()}  # noqa: SIM118
            yield TensorFile(path, handle.metadata() or {}, shapes, handle)
    except SafetensorError as error:
        raise InputError(
            "{path} is damaged: {reason}. Choose another file.", path=path, reason=_reason(error)
        ) from None


def in_shape(shape: tuple[int, ...]) -> str:
    """`784x128` for (784, 128)."""
    return "x".join(str(n) for n in shape) or "one number"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).removeprefix("Error while deserializing header: ").rstrip(".")
